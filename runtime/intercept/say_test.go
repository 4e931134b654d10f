package intercept_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/intercept"
)

const spoken = `
app: {id: desk}
hosts: [host.run]
root: home
world: {open: false}
routing: {rules: {thing: "(note|memo)"}}
intents:
  note:
    synonyms: ["[please] take [a] <thing> : {text}", "jot this down [now]", "JOT this down", "(write|put) (it|that) (down|on paper)"]
    slots: {text: {type: string}}
  tint:
    synonyms: ["make it {colour}"]
    slots: {colour: {type: enum, required: true, values: [red], synonyms: {red: [crimson]}}}
  post:
    examples: ["post it"]
  shut:
    examples: ["shut it"]
states:
  home:
    on:
      note: {target: ., effects: [{say: "Noted."}]}
      tint: {target: ., effects: [{say: "Tinted."}]}
      post: {target: ., effects: [{invoke: host.run, with: {cmd: post, effect: network}}]}
      shut: [{when: world.open, target: .}]
`

func desk(t *testing.T, b intercept.Binding) *intercept.Gate {
	t.Helper()
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(spoken)}}, "app.yaml", compiler.Options{})
	if out.Image == nil {
		t.Fatal(ds)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("desk", data)
	if err != nil {
		t.Fatal(err)
	}
	b.Room = "home"
	g, err := intercept.Open(f, b)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestExamples(t *testing.T) {
	t.Parallel()
	g := desk(t, intercept.Binding{})
	tests := []struct {
		intent string
		limit  int
		want   []string
	}{
		{"note", 9, []string{"jot this down", "write it down", "take note: <text>"}},
		{"note", 1, []string{"jot this down"}},
		{"tint", 9, []string{"make it red"}},
		{"shut", 9, nil}, // the world keeps it out
		{"gone", 9, nil},
	}
	for _, tt := range tests {
		if got := g.Examples(tt.intent, tt.limit); !slices.Equal(got, tt.want) {
			t.Errorf("%s, %d: expected %q, observed %q", tt.intent, tt.limit, tt.want, got)
		}
	}
}

func TestOffers(t *testing.T) {
	t.Parallel()
	for intent, want := range map[string]bool{"note": true, "post": false, "shut": false, "gone": false} {
		if got := desk(t, intercept.Binding{MaxEffect: spec.Write}).Offers(intent); got != want {
			t.Errorf("%s: observed %v", intent, got)
		}
	}
	if !desk(t, intercept.Binding{}).Offers("post") {
		t.Error("without a limit post is not offered")
	}
}
