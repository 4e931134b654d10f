package source

import (
	"fmt"
	"strings"
	"testing"

	"kitsoki/compiler/diag"
)

const fixture = `app: {id: demo, version: 1.0, title: Demo}
hosts: [host.run, host.run, host.git]
routing:
  enabled: false
  locale: de
  fillers: {lead: [hey], trail: [now]}
  rules: {it: "(it|this)"}
  word_synonyms: [[pr, 5]]
world:
  n: 5
  e: {type: enum, values: [a, 1, true], default: a}
  1: x
intents:
  go:
    examples: [a, b]
    synonyms: {en: [c], de: [d, e]}
    priority: 7
    hidden: True
    timeout: 30s
    allow_words: {"not": why}
    slots:
      how: {type: enum, required: true, values: [fast], synonyms: {fast: [quick]}, default: fast}
  look: {examples: []}
root: home
states:
  home:
    view: "{{ world.n }}"
    on_enter:
      - {when: true, set: {n: 6}, say: hi}
    on:
      go: {target: done, when: slots.how == "fast", outcome: completed}
      look:
        - target: .
          precondition:
            - {invoke: host.git, with: {op: status}, require: result.clean, hint: no}
        - {default: true, effects: [{invoke: host.run, with: {cmd: ls}, bind: {n: exit_code}, once: true, on_error: .}]}
  done:
    type: compound
    initial: in
    terminal: true
    postcondition: {invoke: host.git, require: "true"}
    abort: [{say: back}]
    view:
      - prose: one
        when: world.n > 1
      - list: [a, {label: b, hint: c, when: x}]
      - kv: {pairs: {K: v}}
      - choice: {prompt: P, items: [{label: Go, hint: h, intent: go}]}
    states:
      in: {outcome: completed}
`

func vals(list []Str) string {
	var out []string
	for _, s := range list {
		out = append(out, s.Val)
	}
	return strings.Join(out, ",")
}

func lines(list []ViewItem) string {
	var out []string
	for _, i := range list {
		out = append(out, vals([]Str{i.Label, i.Value, i.Intent, i.When}))
	}
	return strings.Join(out, " ")
}

// spaced joins values of any type with blanks.
func spaced(list ...any) string { return strings.TrimSuffix(fmt.Sprintln(list...), "\n") }

func decoded(t *testing.T) *Story {
	t.Helper()
	s, ds := load(map[string]string{"app.yaml": fixture})
	if len(ds) > 0 {
		t.Fatal(printed(t, ds))
	}
	return s
}

func TestDecode(t *testing.T) {
	t.Parallel()
	s := decoded(t)
	go_, home, done := s.Intents[0], s.States[0], s.States[1]
	arcs := home.On[1].Arcs
	call := arcs[1].Effects[0]
	tests := []struct{ what, got, want string }{
		{"app", vals([]Str{s.App.ID, s.App.Version, s.App.Title, s.App.Author}), "demo,1.0,Demo,"},
		{"hosts, each once", vals(s.Hosts), "host.run,host.git"},
		{"routing", spaced(s.Routing.Disabled, s.Routing.Locale.Val, vals(s.Routing.Lead), vals(s.Routing.Request), vals(s.Routing.Trail)), "true de hey  now"},
		{"rule", vals([]Str{s.Routing.Rules[0].Name, s.Routing.Rules[0].Pattern}), "it,(it|this)"},
		{"word_synonyms", vals(s.Routing.Synonyms[0]), "pr,5"},
		{"shorthand", s.World[0].Type.Val + string(s.World[0].Default.JSON()), "5"},
		{"enum", vals(s.World[1].Values) + string(s.World[1].Default.JSON()), `a,1,true"a"`},
		{"number as a name", s.World[2].Name.Val, "1"},
		{"examples", go_.Examples[0].Locale.Val + ":" + vals(go_.Examples[0].List), ":a,b"},
		{"synonyms", go_.Synonyms[0].Locale.Val + ":" + vals(go_.Synonyms[1].List), "en:d,e"},
		{"empty examples", fmt.Sprint(len(s.Intents[1].Examples)), "0"},
		{"intent", spaced(go_.Priority, go_.Hidden, go_.Confirm, go_.Timeout.Val), "7 true false 30s"},
		{"allow_words", vals([]Str{go_.AllowWords[0].Word, go_.AllowWords[0].Reason}), "not,why"},
		{"slot", spaced(vals([]Str{go_.Slots[0].Name, go_.Slots[0].Type}), go_.Slots[0].Required, vals(go_.Slots[0].Values), vals(go_.Slots[0].Synonyms[0].Phrases)), "how,enum true fast quick"},
		{"slot default", string(go_.Slots[0].Default.JSON()), `"fast"`},
		{"root", s.Root.Val, "home"},
		{"text view", vals([]Str{home.View[0].Kind, home.View[0].Text}), "template,{{ world.n }}"},
		{"actions in order", vals(home.OnEnter[0].Actions) + " " + home.OnEnter[0].When.Val, "set,say true"},
		{"one arc without a list", spaced(len(home.On[0].Arcs), vals([]Str{home.On[0].Arcs[0].Target, home.On[0].Arcs[0].When, home.On[0].Arcs[0].Outcome})), `1 done,slots.how == "fast",completed`},
		{"precondition", vals([]Str{arcs[0].Preconditions[0].Invoke, arcs[0].Preconditions[0].Require, arcs[0].Preconditions[0].Hint, arcs[0].Preconditions[0].With[0].Key}), "host.git,result.clean,no,op"},
		{"default arc", fmt.Sprint(arcs[0].Default, arcs[1].Default), "false true"},
		{"call", spaced(vals([]Str{call.Invoke, call.With[0].Key, call.Bind[0].Key, call.OnError}), call.Once), "host.run,cmd,n,. true"},
		{"compound", vals([]Str{done.Initial, done.States[0].Name, done.States[0].Outcome}), "in,in,completed"},
		{"state", spaced(done.Terminal, done.Postcondition.Invoke.Val, done.Abort[0].Say.Val), "true host.git back"},
		{"prose", vals([]Str{done.View[0].Kind, done.View[0].Text, done.View[0].When}), "prose,one,world.n > 1"},
		{"list", lines(done.View[1].Items), "a,,, b,c,,x"},
		{"kv", lines(done.View[2].Items), "K,v,,"},
		{"choice", done.View[3].Text.Val + " " + lines(done.View[3].Items), "P Go,h,go,"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.what, tt.got, tt.want)
		}
	}
}

func TestDecodedPlaces(t *testing.T) {
	t.Parallel()
	s := decoded(t)
	home := s.States[0]
	tests := []struct {
		what string
		got  diag.Pos
		want string
	}{
		{"app", s.App.Pos, "1:1"},
		{"world key", s.World[1].Name.Pos, "11:3"},
		{"default", s.World[1].Default.Pos, "11:50"},
		{"phrase", s.Intents[0].Examples[0].List[1].Pos, "15:19"},
		{"effect", home.OnEnter[0].Pos, "29:9"},
		{"second action", home.OnEnter[0].Actions[1].Pos, "29:35"},
		{"arc", home.On[1].Arcs[0].Pos, "33:11"},
		{"postcondition", s.States[1].Postcondition.Pos, "41:5"},
		{"inside an expression", home.On[0].Arcs[0].When.At(6), "31:38"},
	}
	for _, tt := range tests {
		if got := fmt.Sprintf("%d:%d", tt.got.Line, tt.got.Col); got != tt.want || tt.got.File != "app.yaml" {
			t.Errorf("%s: at %s, want %s", tt.what, got, tt.want)
		}
	}
}

func TestNodeJSON(t *testing.T) {
	t.Parallel()
	tests := []struct{ yaml, want string }{
		{"0x1F", "31"},
		{"1_000", "1000"},
		{"+7", "7"},
		{"-7", "-7"},
		{"123456789012345678901234567890", "1.2345678901234568e+29"}, // beyond 64 bits YAML has floats
		{"18446744073709551615", "18446744073709551615"},
		{"1.50", "1.5"},
		{".5", "0.5"},
		{"1e3", "1000"},
		{"TRUE", "true"},
		{"no", `"no"`},
		{"2001-01-01", `"2001-01-01"`},
		{"'a <b> & \"c\"'", `"a <b> & \"c\""`},
		{"!!str 5", `"5"`},
		{"[1, a, ~, {}]", `[1,"a",null,{}]`},
		{"{type: object, default: {z: 1, a: [x]}}", `{"z":1,"a":["x"]}`},
	}
	for _, tt := range tests {
		s, ds := load(map[string]string{"app.yaml": head + "world: {v: " + tt.yaml + "}\n"})
		if len(ds) > 0 {
			t.Errorf("%s: %s", tt.yaml, printed(t, ds))
			continue
		}
		if got := string(s.World[0].Default.JSON()); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.yaml, got, tt.want)
		}
	}
}
