package intercept_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/match"
)

const story = `
app: {id: house}
hosts: [host.run]
root: hall
world: {bell: false, count: 0}
intents:
  ring: {examples: ["ring the bell"]}
  knock: {examples: ["knock at the door"], timeout: 2m}
  send: {examples: ["send the letter"]}
states:
  hall:
    on:
      ring: [{when: world.bell, target: .}]
      knock: [{target: ., effects: [{increment: {count: 1}}, {say: "Knocked."}]}]
      send:
        - target: .
          effects:
            - invoke: host.run
              with: {cmd: post, effect: network}
  cellar:
    on: {}
`

func open(t *testing.T, b intercept.Binding) (*intercept.Gate, error) {
	t.Helper()
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(story)}}, "app.yaml", compiler.Options{})
	if out.Image == nil {
		t.Fatal(ds)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("house", data)
	if err != nil {
		t.Fatal(err)
	}
	return intercept.Open(f, b)
}

func gate(t *testing.T, b intercept.Binding) *intercept.Gate {
	t.Helper()
	g, err := open(t, b)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTheWorldNarrowsTheRoom(t *testing.T) {
	t.Parallel()
	g := gate(t, intercept.Binding{Room: "hall"})
	if got := g.Intents(); !slices.Equal(got, []string{"knock", "send"}) || !slices.Equal(g.Blocked(), []string{"ring"}) {
		t.Errorf("observed %v, blocked %v", got, g.Blocked())
	}
	g = gate(t, intercept.Binding{Room: "hall", World: map[string]any{"bell": true}})
	if d := g.Decide("ring the bell", match.Facts{}); !d.Intercept {
		t.Errorf("observed %+v", d)
	}
}

func TestWhatCannotBeBound(t *testing.T) {
	t.Parallel()
	var re *intercept.RoomError
	if _, err := open(t, intercept.Binding{Room: "attic"}); !errors.As(err, &re) || !strings.Contains(err.Error(), "there are: hall") {
		t.Errorf("observed %v", err)
	}
	for _, world := range []map[string]any{{"bel": true}, {"bell": "maybe"}, {"count": "x"}} {
		if _, err := open(t, intercept.Binding{Room: "hall", World: world}); err == nil {
			t.Errorf("%v was accepted", world)
		}
	}
}

func TestTheUsersLimits(t *testing.T) {
	t.Parallel()
	g := gate(t, intercept.Binding{Room: "hall", MaxEffect: spec.Write, MaxTimeout: time.Minute})
	if d := g.Decide("send the letter", match.Facts{}); d.Intercept || d.Reason != match.ReasonUntrusted {
		t.Errorf("observed %+v", d)
	}
	if d := g.Decide("knock at the door", match.Facts{}); !d.Intercept || g.Budget("knock") != time.Minute {
		t.Errorf("observed %+v, budget %v", d, g.Budget("knock"))
	}
}

func TestRunAndDescribe(t *testing.T) {
	t.Parallel()
	g := gate(t, intercept.Binding{Room: "hall"})
	d := g.Decide("knock at the door", match.Facts{})
	doc := intercept.Describe(d)
	doc.Ran(g.Run(context.Background(), d, intercept.Surroundings{Host: host.Local{}, Dir: t.TempDir()}))
	if doc.Exit != 0 || doc.Outcome != "transitioned" || doc.Result.Say != "Knocked." || doc.Result.WorldChanges["count"] == nil {
		t.Errorf("observed %+v %+v", doc, doc.Result)
	}
	if pass := intercept.Describe(g.Decide("who knocks", match.Facts{})); pass.Exit != intercept.ExitPass || pass.Matched {
		t.Errorf("observed %+v", pass)
	}
	if none := intercept.Describe(match.Decision{Reason: match.ReasonNotBound}); none.Exit != intercept.ExitUsage {
		t.Errorf("observed %+v", none)
	}
}

func TestPathFactsStayInside(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	for path, data := range map[string]string{filepath.Join(dir, "in.txt"): "x", filepath.Join(outside, "out.txt"): "x"} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, "out.txt"), filepath.Join(dir, "link.txt")); err != nil {
		t.Skip("no symbolic links here")
	}
	facts := intercept.Facts(context.Background(), intercept.Surroundings{Host: host.Local{}, Dir: dir})
	for name, want := range map[string][2]bool{"in.txt": {true, true}, "none.txt": {false, true}, "link.txt": {false, false}} {
		if exists, known := facts.Path(name); [2]bool{exists, known} != want {
			t.Errorf("%s: expected %v, observed %v %v", name, want, exists, known)
		}
	}
}

// TestCommandsAreShown: a person sees all that a room can run, also behind
// guards, on the way into other rooms and on the way back.
func TestCommandsAreShown(t *testing.T) {
	t.Parallel()
	const story = `
app: {id: shown}
hosts: [host.run, host.git]
root: hall
world: {who: Ada}
intents:
  go: {title: Go there, examples: ["go there"], synonyms: ["walk [over] there"]}
  rest: {examples: ["take a rest"]}
states:
  hall:
    on:
      go:
        - when: 'world.who == "Bob"'
          target: .
          effects: [{invoke: host.run, with: {cmd: printf, args: ["%s", "{{ world.who }}", "a b"], cwd: sub, effect: network}}]
        - target: there
          precondition: [{invoke: host.git, with: {op: status}, require: result.clean}]
      rest: {target: .}
  there:
    on_enter: [{invoke: host.run, with: {project: test, args: [-v], effect: destructive}}]
`
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(story)}}, "app.yaml", compiler.Options{})
	if out.Image == nil {
		t.Fatal(ds)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("shown", data)
	if err != nil {
		t.Fatal(err)
	}
	g, err := intercept.Open(f, intercept.Binding{Room: "hall", MaxEffect: spec.Network})
	if err != nil {
		t.Fatal(err)
	}
	list := g.Commands()
	if len(list) != 2 || !g.Beyond("go") || g.Beyond("rest") {
		t.Fatalf("observed %+v", list)
	}
	want := []intercept.Call{
		{Text: `in sub: printf %s {{ world.who }} "a b"`, Effect: spec.Network},
		{Text: "host.git op=status", Effect: spec.Read},
		{Text: "the project's own command to test, whatever its files say it is -v", Effect: spec.Destructive},
	}
	c := list[0]
	if c.Intent != "go" || c.Title != "Go there" || c.Effect != spec.Destructive || !slices.Equal(c.Calls, want) ||
		!slices.Equal(c.Phrases, []string{"go there", "walk [over] there"}) {
		t.Errorf("observed %+v", c)
	}
	if len(list[1].Calls) != 0 || list[1].Effect != spec.Read {
		t.Errorf("observed %+v", list[1])
	}
}
