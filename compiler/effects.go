package compiler

import (
	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

func (l *lowerer) effects(list []source.Effect, at place) []artifact.Effect {
	var out []artifact.Effect
	for _, e := range list {
		out = append(out, l.effect(e, at))
	}
	return out
}

func (l *lowerer) effect(e source.Effect, at place) artifact.Effect {
	l.checkActions(e)
	out := artifact.Effect{
		When: l.guard(e.When, at.scope),
		Set:  l.assignments(e.Set, at),
		Say:  l.text(e.Say, at.scope),
		Pos:  e.Pos,
	}
	out.Increment = l.increments(e.Increment, at)
	if given(e.Invoke) {
		call, _ := l.call(invocationOf(e), at)
		out.Invoke = &call
	}
	if given(e.EmitIntent) {
		out.Emit = l.emit(e, at)
	}
	return out
}

// checkActions: one action a record, and only the keys that belong to it.
func (l *lowerer) checkActions(e source.Effect) {
	if len(e.Actions) == 0 {
		l.report(diag.NoAction, e.Pos, "an effect without an action").
			Hintf("add one of set, increment, say, invoke, emit_intent")
		return
	}
	for _, a := range e.Actions[1:] {
		l.report(diag.TwoActions, a.Pos, "a second action in one effect: %s", a.Val).
			Hintf("write it as a list item of its own: order then is what it reads like").
			Also(e.Actions[0].Pos, "the first action is %s", e.Actions[0].Val)
	}
	if !given(e.Invoke) {
		l.checkStray(e, "invoke", invokeKeys(e))
	}
	if !given(e.EmitIntent) {
		l.checkStray(e, "emit_intent", firstKey("slots", e.Slots))
	}
}

func (l *lowerer) checkStray(e source.Effect, owner string, keys []source.Str) {
	for _, k := range keys {
		l.report(diag.StrayArgument, k.Pos, "%s belongs to %s, and this effect is %s", k.Val, owner, e.Actions[0].Val).
			Hintf("remove it, or write it beside %s", owner)
	}
}

func invokeKeys(e source.Effect) []source.Str {
	keys := append(firstKey("with", e.With), firstKey("bind", e.Bind)...)
	for _, k := range []struct {
		name  string
		value source.Str
	}{{"id", e.ID}, {"on_error", e.OnError}, {"agent", e.Agent}} {
		if given(k.value) {
			keys = append(keys, source.Str{Val: k.name, Pos: k.value.Pos})
		}
	}
	if e.Once {
		keys = append(keys, source.Str{Val: "once", Pos: e.Pos})
	}
	return keys
}

// firstKey stands for the map: its own key has no place in the tree.
func firstKey(name string, pairs []source.Pair) []source.Str {
	if len(pairs) == 0 {
		return nil
	}
	return []source.Str{{Val: name, Pos: pairs[0].Key.Pos}}
}

func (l *lowerer) assignments(pairs []source.Pair, at place) []artifact.Field {
	var out []artifact.Field
	for _, p := range pairs {
		k, _ := l.worldKey(p.Key)
		v := l.value(p.Value, want{typ: k.Type, values: k.Values, null: true, code: diag.WrongType, what: "the world key " + p.Key.Val}, at.scope)
		out = append(out, artifact.Field{Name: p.Key.Val, Value: v})
	}
	return out
}

func (l *lowerer) increments(pairs []source.Pair, at place) []artifact.Field {
	var out []artifact.Field
	for _, p := range pairs {
		k, ok := l.worldKey(p.Key)
		if ok && !typeFits(k.Type, artifact.TypeFloat) {
			l.report(diag.WrongType, p.Key.Pos, "the world key %s is %s and can't be incremented", k.Name, article(k.Type)).
				Hintf("declare it as int or float, or use set")
			k.Type = artifact.TypeAny
		}
		v := l.value(p.Value, want{typ: k.Type, code: diag.WrongType, what: "the increment of " + p.Key.Val}, at.scope)
		out = append(out, artifact.Field{Name: p.Key.Val, Value: v})
	}
	return out
}

// emit lowers a synthetic turn. Its slots are checked like a person's: no
// unknown one, none of the wrong type, no required one missing.
func (l *lowerer) emit(e source.Effect, at place) *artifact.Emit {
	out := &artifact.Emit{Intent: e.EmitIntent.Val}
	in, known := l.names.decl[e.EmitIntent.Val]
	if !known {
		l.missing(diag.UnknownIntent, e.EmitIntent.Pos, "the intent %s is not declared", e.EmitIntent.Val).
			Hint = didYouMean(e.EmitIntent.Val, l.names.list(), "declare it under intents")
		in = &source.Intent{}
	}
	for _, p := range e.Slots {
		w := l.slotWant(in, p.Key, known)
		out.Slots = append(out.Slots, artifact.Field{Name: p.Key.Val, Value: l.value(p.Value, w, at.scope)})
	}
	l.checkFilled(in, e)
	return out
}

func (l *lowerer) slotWant(in *source.Intent, name source.Str, known bool) want {
	w := want{code: diag.WrongType, what: "the slot " + name.Val, null: true}
	names := make([]string, 0, len(in.Slots))
	for _, s := range slotsOf(in) {
		if s.Name == name.Val {
			w.typ, w.values = s.Type.Value(), s.Values
			return w
		}
		names = append(names, s.Name)
	}
	if known {
		l.report(diag.UnknownSlot, name.Pos, "the intent %s has no slot %s", in.Name.Val, name.Val).
			Hint = didYouMean(name.Val, names, "declare the slot, or remove it here")
	}
	return w
}

func (l *lowerer) checkFilled(in *source.Intent, e source.Effect) {
	for _, s := range in.Slots {
		if s.Required && s.Default == nil && !hasPair(e.Slots, s.Name.Val) {
			l.report(diag.MissingArgument, e.EmitIntent.Pos, "the required slot %s of %s is not given", s.Name.Val, in.Name.Val).
				Hintf("add slots: {%s: …}", s.Name.Val).Also(s.Name.Pos, "declared here")
		}
	}
}

func hasPair(pairs []source.Pair, name string) bool {
	for _, p := range pairs {
		if p.Key.Val == name {
			return true
		}
	}
	return false
}
