package intercept_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/match"
)

const importing = `
app: {id: outer}
root: home
world: {who: Ada, list: {type: list, default: []}}
imports:
  in: {source: inner, entry: desk, world_in: {name: "{{ world.who }}", first: "{{ world.list[0] }}"}}
intents:
  greet: {examples: ["greet and enter"]}
states:
  home:
    include_arcs: [in.desk]
    on:
      greet: {target: in, effects: [{set: {who: Grace, in__count: 7, list: [a]}}]}
`

const imported = `
app: {id: inner}
root: desk
world: {name: nobody, count: 1, first: none}
intents:
  tell: {examples: ["tell me"]}
states:
  desk:
    outcome: completed
    view: "{{ world.name }} {{ world.count }} {{ world.first }}"
    on:
      tell: {target: ., effects: [{increment: {count: 1}}, {say: "{{ world.name }} {{ world.count }} {{ world.first }}"}]}
`

func importGate(t *testing.T, b intercept.Binding) *intercept.Gate {
	t.Helper()
	fsys := fstest.MapFS{"app.yaml": {Data: []byte(importing)}, "inner/app.yaml": {Data: []byte(imported)}}
	out, ds := compiler.Compile(fsys, "app.yaml", compiler.Options{})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("outer", data)
	if err != nil {
		t.Fatal(err)
	}
	g, err := intercept.Open(f, b)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestTheWorldOfAnImport: a run that starts inside of an imported story, or
// where its intents are offered, finds what entering it would have written;
// the binding has the last word; entering writes it anew.
func TestTheWorldOfAnImport(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		room, prompt, want string
		world              map[string]any
	}{
		{"in.desk", "tell me", "Ada 2 none", nil},
		{"home", "tell me", "Ada 2 none", nil},
		{"in.desk", "tell me", "Bob 2 none", map[string]any{"who": "Bob"}},
		{"in.desk", "tell me", "Eve 10", map[string]any{"who": "Bob", "in__name": "Eve", "in__count": 9}},
		{"home", "greet and enter", "Grace 1 a", nil},
	} {
		g := importGate(t, intercept.Binding{Room: tt.room, World: tt.world})
		d := g.Decide(tt.prompt, match.Facts{})
		if !d.Intercept {
			t.Fatalf("%s: %+v", tt.prompt, d)
		}
		o := g.Run(context.Background(), d, intercept.Surroundings{Host: host.Local{}, Dir: t.TempDir()})
		if got := o.Say + o.View; !strings.HasPrefix(got, tt.want) || !o.Kind.Done() && tt.prompt == "tell me" {
			t.Errorf("%s in %s: expected %q, observed %q %+v", tt.prompt, tt.room, tt.want, got, o)
		}
	}
}
