// Package storytest runs a story's own tests against its artifact: routing
// tests (phrases.yaml) and the frames that every command must hold against.
//
// In: an open artifact and the tests. Out: one Outcome a test. Invariants:
// what is asked is the real matcher over the bytes that will be shipped;
// nothing of a story is executed. It refuses tests that name rooms or intents
// the story does not have.
package storytest

import (
	"encoding/json"
	"fmt"
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/schema"
)

// PhrasesFile is the name of a story's routing tests.
const PhrasesFile = "phrases.yaml"

// Case is one routing test: a prompt that must match an intent, or pass.
type Case struct {
	Room   string
	Intent string // "" for a prompt that must reach the model
	Input  string
	Slots  map[string]string // what the slots must hold; nil: not compared
	Pos    diag.Pos
}

// ReadPhrases reads the routing tests of a story.
func ReadPhrases(path string, data []byte) ([]Case, diag.List) {
	root, ds := source.DocumentOf(path, data, schema.Phrases())
	if root == nil || ds.HasErrors() {
		return nil, ds
	}
	var out []Case
	for _, item := range root.Items {
		room := item.Get("room").Str().Val
		if m := item.Get("match"); m != nil {
			for _, p := range m.Pairs {
				out = append(out, matchCases(room, p.Key.Val, p.Value)...)
			}
		}
		if pass := item.Get("pass"); pass != nil {
			for _, n := range pass.Items {
				out = append(out, Case{Room: room, Input: n.Text, Pos: n.Pos})
			}
		}
	}
	return out, ds
}

func matchCases(room, intent string, list *source.Node) []Case {
	var out []Case
	for _, n := range list.Items {
		c := Case{Room: room, Intent: intent, Input: n.Text, Pos: n.Pos}
		if input := n.Get("input"); input != nil {
			c.Input = input.Text
			c.Slots = map[string]string{}
			if slots := n.Get("slots"); slots != nil {
				for _, p := range slots.Pairs {
					c.Slots[p.Key.Val] = p.Value.Text
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// Outcome is what became of a case. Got says what was observed, in words;
// Tier is how a prompt that was taken was found.
type Outcome struct {
	Case
	OK   bool
	Got  string
	Tier match.Tier
}

// Run holds the cases against an artifact. The error names a room or an
// intent that the story does not have.
func Run(f *artifact.File, cases []Case) ([]Outcome, error) {
	var scratch match.Scratch
	out := make([]Outcome, 0, len(cases))
	for _, c := range cases {
		room, ok := f.Room(c.Room)
		if !ok {
			return nil, fmt.Errorf("%s:%d:%d: there is no room %q", c.Pos.File, c.Pos.Line, c.Pos.Col, c.Room)
		}
		if c.Intent != "" && !offers(f, room, c.Intent) {
			return nil, fmt.Errorf("%s:%d:%d: the room %s offers no intent %q", c.Pos.File, c.Pos.Line, c.Pos.Col, c.Room, c.Intent)
		}
		res := match.Classify(f, match.Query{Prompt: c.Input, Automaton: room.Automaton, Intents: room.Intents}, &scratch)
		out = append(out, judge(c, match.Decide(res, match.Policy{}, match.Facts{})))
	}
	return out, f.Err()
}

func offers(f *artifact.File, room artifact.Room, intent string) bool {
	return slices.ContainsFunc(room.Intents, func(i uint32) bool { return f.Intent(i).Name == intent })
}

func judge(c Case, d match.Decision) Outcome {
	o := Outcome{Case: c}
	if !d.Intercept {
		o.OK, o.Got = c.Intent == "", fmt.Sprintf("pass (%s: %s)", d.Reason, d.Detail)
		return o
	}
	o.OK, o.Got, o.Tier = d.Hit.Intent == c.Intent, "intent "+d.Hit.Intent, d.Hit.Tier
	if o.OK && c.Slots != nil {
		got := values(d.Hit)
		o.OK = equal(got, c.Slots)
		raw, _ := json.Marshal(got) // a map of texts
		o.Got += " with slots " + string(raw)
	}
	return o
}

func values(h *match.Hit) map[string]string {
	out := map[string]string{}
	for _, s := range h.Slots {
		out[s.Name] = fmt.Sprint(s.Value)
	}
	return out
}

func equal(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}
