package compiler

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
	"kitsoki/runtime/host/spec"
)

func (l *lowerer) handlers(r room) []artifact.Handler {
	var out []artifact.Handler
	seen := map[string]source.Str{}
	for _, on := range r.src.On {
		if first, twice := seen[on.Intent.Val]; twice {
			l.report(diag.DuplicateName, on.Intent.Pos, "the state %s answers %s twice", r.path, on.Intent.Val).
				Hintf("put the arcs into one list").Also(first.Pos, "first answered here")
			continue
		}
		seen[on.Intent.Val] = on.Intent
		out = append(out, artifact.Handler{Intent: on.Intent.Val, Arcs: l.arcs(on, r.path)})
	}
	return l.included(r, out)
}

// arcs lowers the arcs of one intent. When the intent is not known, its
// slots are not either: only the names of slots go unchecked then.
func (l *lowerer) arcs(on source.On, state string) []artifact.Arc {
	in := l.intent(on.Intent, state)
	at := place{state: state, scope: l.scope(in, state)}
	if in == nil {
		at.scope.Slots = []artifact.Slot{}
	}
	l.checkDefaults(on)
	out := make([]artifact.Arc, 0, len(on.Arcs))
	for _, a := range on.Arcs {
		lowered := l.arc(a, at)
		lowered.Computed = l.computed(a.Target, in, at)
		switch {
		case in == nil:
		case in.Detach:
			l.checkDetach(in, lowered)
		default:
			l.checkStays(in, lowered)
		}
		out = append(out, lowered)
	}
	return out
}

// checkStays: only a command that is left running has to become ready.
func (l *lowerer) checkStays(in *source.Intent, a artifact.Arc) {
	for _, e := range a.Effects {
		if e.Invoke == nil {
			continue
		}
		for _, f := range e.Invoke.With {
			if f.Name == "ready" {
				l.report(diag.StrayArgument, e.Invoke.Pos, "ready belongs to an intent with detach, and %s has none", in.Name.Val).
					Hintf("remove it, or set detach: true on the intent")
			}
		}
	}
}

// checkDetach: an arc of an intent that detaches leaves one command running,
// its last one; which one a report speaks of is then no question.
func (l *lowerer) checkDetach(in *source.Intent, a artifact.Arc) {
	left := 0
	for _, e := range a.Effects {
		if e.Invoke == nil || e.Invoke.Name != "host.run" || !spec.EffectOf(*e.Invoke).Above(spec.Read) {
			continue
		}
		if left++; left == 2 {
			l.report(diag.BadDetach, e.Invoke.Pos, "%s detaches, and this is a second command that would be left running", in.Name.Val).
				Hintf("keep one host.run; those with effect: read do not count")
		}
	}
	if left == 0 && len(a.Effects) > 0 {
		l.report(diag.BadDetach, a.Pos, "%s detaches, and this arc has no command to leave running", in.Name.Val).
			Hintf("add a host.run, or remove detach: true")
	}
}

// checkDefaults: at most one default arc, the last, without a guard. An arc
// without a guard hides all that follow it.
func (l *lowerer) checkDefaults(on source.On) {
	for i, a := range on.Arcs {
		if a.Default && given(a.When) {
			l.report(diag.DefaultArc, a.When.Pos, "a default arc with a guard").
				Hintf("remove when, or default: true")
		}
		switch {
		case a.Default && i < len(on.Arcs)-1:
			l.report(diag.DefaultArc, a.Pos, "the default arc of %s is not its last", on.Intent.Val).
				Hintf("move it to the end of the list")
		case !a.Default && !given(a.When) && i < len(on.Arcs)-1:
			l.report(diag.UnreachableArc, on.Arcs[i+1].Pos, "this arc of %s can never fire", on.Intent.Val).
				Hintf("give the arc before it a guard (when), or move that arc to the end").
				Also(a.Pos, "this arc always fires")
			return
		}
	}
}

func (l *lowerer) arc(a source.Arc, at place) artifact.Arc {
	return artifact.Arc{
		Target:        l.target(a.Target, at.state),
		When:          l.guard(a.When, at.scope),
		Default:       a.Default,
		Preconditions: l.preconditions(a.Preconditions, at),
		Effects:       l.effects(a.Effects, at),
		GuardHint:     l.text(a.GuardHint, at.scope),
		Completed:     l.completed(a.Outcome),
		Pos:           a.Pos,
	}
}

// target is the path an arc leads to; "" stays in the state.
func (l *lowerer) target(s source.Str, state string) string {
	switch {
	case s.Val == "" || s.Val == ".":
		return ""
	case strings.Contains(s.Val, "{{"):
		return "" // computed
	}
	path, ok := l.rooms.resolve(state, s.Val)
	if !ok {
		l.missing(diag.UnknownTarget, s.Pos, "no state is named %s here", s.Val).
			Hint = didYouMean(s.Val, l.rooms.names(), "declare the state, or write . to stay")
	}
	return path
}

// computed lowers a target that is known when the arc is taken: a template
// that gives the path of a state. Only an emitted turn may go to such a place:
// what a person's command leads to must be known before.
func (l *lowerer) computed(s source.Str, in *source.Intent, at place) *artifact.Value {
	if !strings.Contains(s.Val, "{{") {
		return nil
	}
	if in != nil && !in.Hidden {
		l.report(diag.BadValue, s.Pos, "the target of %s is a template, and a person may type %s", in.Name.Val, in.Name.Val).
			Hintf("write one arc with a guard to each target, or emit a hidden intent that has this arc")
	}
	pieces, err := expr.Split(s.Val)
	if err != nil {
		l.badExpr(s, 0, err, diag.BadExpression)
		return nil
	}
	if len(pieces) == 1 {
		return &artifact.Value{Expr: l.expr(s, pieces[0], at.scope, want{typ: artifact.TypeString, code: diag.WrongType, what: "the target"})}
	}
	return &artifact.Value{Parts: l.parts(s, pieces, at.scope)}
}

func (l *lowerer) preconditions(list []source.Precondition, at place) []artifact.Precondition {
	var out []artifact.Precondition
	for _, pc := range list {
		out = append(out, l.precondition(pc, at))
	}
	return out
}

func (l *lowerer) precondition(pc source.Precondition, at place) artifact.Precondition {
	c := invocation{Invoke: pc.Invoke, With: pc.With, Pos: pc.Pos}
	call, row := l.call(c, at)
	if row != nil {
		l.checkReadOnly(pc, call)
	}
	after := at.scope
	after.Result, after.ResultOpen = resultsOf(row, call)
	out := artifact.Precondition{Call: call, Hint: l.text(pc.Hint, after)}
	if g := l.guard(pc.Require, after); g != nil {
		out.Require = *g
	} else {
		l.report(diag.MissingKey, pc.Pos, "a precondition without require").
			Hintf("add require: an expression over result, such as result.ok")
	}
	return out
}
