package flow

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
)

// seen is what a turn came to, or, at a flow's end, the last one.
type seen struct {
	program *artifact.Program
	outcome engine.Outcome
	world   map[string]any // afterwards
	slots   map[string]any // of the first intent; nil when it was not taken
	from    string         // where the turn was taken
	before  map[string]any // the world it was taken in
}

// mismatch is a difference in words.
type mismatch struct{ expected, got string }

// expectation is one expect_… key. judge gives what does not hold; it is nil
// for a key that was not understood.
type expectation struct {
	key   source.Str
	judge func(s *seen) []mismatch
}

// expectation reads one expect_… key of a turn or of the file.
func (r *reader) expectation(p source.Pair) expectation {
	e := expectation{key: p.Key}
	switch p.Key.Val {
	case "expect_state", "expect_not_state", "expect_state_in":
		e.judge = r.expectState(p)
	case "expect_world", "expect_world_final":
		e.judge = expectWorld(r.world(p.Value))
	case "expect_world_full":
		e.judge = expectWorldFull(r.world(p.Value), declared(r.story.Program))
	case "expect_world_unchanged":
		e.judge = expectUnchanged(isTrue(p.Value))
	case "expect_slots":
		e.judge = expectSlots(object(p.Value))
	case "expect_error":
		e.judge = r.expectError(p.Value)
	case "expect_view_matches":
		e.judge = r.expectView(p.Value)
	case "expect_host_calls":
		e.judge = r.expectCalls(p.Value)
	case "expect_no_host_calls":
		e.judge = r.expectNoCalls(p.Value)
	case "expect_say":
		e.judge = expectSay(p.Value.Text)
	case "expect_terminal":
		e.judge = expectTerminal(isTrue(p.Value))
	case "expect_files":
		e.judge = r.expectFiles(p.Value)
	}
	return e
}

// unless gives one mismatch when something does not hold.
func unless(holds bool, expected, got string) []mismatch {
	if holds {
		return nil
	}
	return []mismatch{{expected, got}}
}

func (r *reader) expectState(p source.Pair) func(*seen) []mismatch {
	if p.Key.Val == "expect_state_in" {
		var names []string
		for _, item := range p.Value.Items {
			names = append(names, r.state(item))
		}
		return func(s *seen) []mismatch {
			return unless(slices.Contains(names, s.outcome.State), "one of "+strings.Join(names, ", "), s.outcome.State)
		}
	}
	name := r.state(p.Value)
	if p.Key.Val == "expect_not_state" {
		return func(s *seen) []mismatch { return unless(s.outcome.State != name, "not "+name, name) }
	}
	return func(s *seen) []mismatch { return unless(s.outcome.State == name, name, s.outcome.State) }
}

func expectWorld(want map[string]any) func(*seen) []mismatch {
	return func(s *seen) []mismatch { return differences("world.", want, s.world) }
}

// differences lists, sorted by key, what does not have its wanted value.
func differences(prefix string, want, got map[string]any) []mismatch {
	var out []mismatch
	for _, k := range slices.Sorted(maps.Keys(want)) {
		v, ok := got[k]
		switch {
		case !ok:
			out = append(out, mismatch{prefix + k + " = " + show(want[k]), "no " + prefix + k})
		case !equal(want[k], v):
			out = append(out, mismatch{prefix + k + " = " + show(want[k]), prefix + k + " = " + show(v)})
		}
	}
	return out
}

// declared lists the keys that the story itself declares: the engine has
// some of its own, of which a test need not know.
func declared(p *artifact.Program) []string {
	var out []string
	for _, k := range p.World {
		if k.Pos != (artifact.Pos{}) {
			out = append(out, k.Name)
		}
	}
	return out
}

func expectWorldFull(want map[string]any, keys []string) func(*seen) []mismatch {
	return func(s *seen) []mismatch {
		out := differences("world.", want, s.world)
		for _, k := range keys {
			if _, listed := want[k]; !listed {
				out = append(out, mismatch{"every key of the world listed", "world." + k + " = " + show(s.world[k])})
			}
		}
		return out
	}
}

func expectUnchanged(want bool) func(*seen) []mismatch {
	return func(s *seen) []mismatch {
		if !want {
			return unless(len(s.outcome.WorldChanges) > 0, "a changed world", "nothing changed")
		}
		var out []mismatch
		for _, c := range s.outcome.WorldChanges {
			out = append(out, mismatch{"world." + c.Key + " = " + show(c.Old), "world." + c.Key + " = " + show(c.New)})
		}
		return out
	}
}

func expectSlots(want map[string]any) func(*seen) []mismatch {
	return func(s *seen) []mismatch { return differences("slots.", want, s.slots) }
}

func (r *reader) expectView(n *source.Node) func(*seen) []mismatch {
	re := r.regexp(n)
	if re == nil {
		return nil
	}
	return func(s *seen) []mismatch {
		view := engine.View(s.program, s.outcome.State, s.world)
		return unless(re.MatchString(view), "a view that matches "+re.String(), show(view))
	}
}

func expectSay(want string) func(*seen) []mismatch {
	return func(s *seen) []mismatch {
		return unless(strings.TrimSpace(want) == s.outcome.Say, show(strings.TrimSpace(want)), show(s.outcome.Say))
	}
}

func expectTerminal(want bool) func(*seen) []mismatch {
	return func(s *seen) []mismatch {
		words := map[bool]string{true: "a terminal state", false: "a state that is not terminal"}
		got := s.outcome.Kind == engine.Terminal
		return unless(got == want, words[want], s.outcome.State+", "+words[got])
	}
}

// expectError compares the error of a turn.
func (r *reader) expectError(n *source.Node) func(*seen) []mismatch {
	code := n.Get("code").Str().Val
	var allowed []string
	if list := n.Get("allowed_contains"); list != nil {
		allowed = r.intents(list)
	}
	hint := n.Get("guard_hint").Str().Val
	missing := texts(n.Get("missing_slots"))
	return func(s *seen) []mismatch {
		o := s.outcome
		out := unless(string(o.Code) == code, code, ending(o))
		out = append(out, unless(strings.Contains(o.Hint, hint), "a hint with "+show(hint), show(o.Hint))...)
		if missing != nil {
			want, got := slices.Sorted(slices.Values(missing)), slices.Sorted(slices.Values(o.MissingSlots))
			out = append(out, unless(slices.Equal(want, got), "missing slots "+strings.Join(want, ", "), "missing slots "+strings.Join(got, ", "))...)
		}
		return append(out, notAllowed(s, allowed)...)
	}
}

// notAllowed lists the intents that can't be said where the turn was taken.
func notAllowed(s *seen, want []string) []mismatch {
	if len(want) == 0 {
		return nil
	}
	there := engine.IntentSet(s.program, s.from, s.before)
	var out []mismatch
	for _, name := range want {
		out = append(out, unless(slices.Contains(there, name), name+" allowed in "+s.from, "allowed are "+strings.Join(there, ", "))...)
	}
	return out
}

// ending is how a turn ended, in a line.
func ending(o engine.Outcome) string {
	if o.Code == "" && o.Detail == "" {
		return string(o.Kind)
	}
	words := strings.TrimSpace(fmt.Sprintf("%s %s", o.Kind, o.Code))
	if o.Detail != "" {
		words += ": " + o.Detail
	}
	if o.Hint != "" {
		words += " (" + o.Hint + ")"
	}
	return words
}

func texts(list *source.Node) []string {
	if list == nil {
		return nil
	}
	var out []string
	for _, n := range list.Items {
		out = append(out, n.Text)
	}
	return out
}

// failures judges expectations.
func failures(list []expectation, s *seen) []Failure {
	var out []Failure
	for _, e := range list {
		for _, m := range e.judge(s) {
			out = append(out, Failure{Pos: e.key.Pos, Expect: e.key.Val, Expected: m.expected, Got: m.got})
		}
	}
	return out
}

// turnFailure is a failure of what every turn must do.
func turnFailure(at diag.Pos, expected, got string) Failure {
	return Failure{Pos: at, Expect: "turn", Expected: expected, Got: got}
}
