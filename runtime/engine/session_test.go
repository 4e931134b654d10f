package engine

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
)

// TestOnErrorIsForDomainErrors: what is no host.Error is our fault, and no
// story can go on after it.
func TestOnErrorIsForDomainErrors(t *testing.T) {
	t.Parallel()
	call := runs("x", "read")
	call.Invoke.OnError = "later"
	p := story(arcs(artifact.Arc{Effects: list(call)}), artifact.State{Path: "later", Completed: true})
	o, _ := ran(t, p, map[string]any{"x": &host.Error{Call: "host.run", Msg: "no"}})
	if o.State != "later" || o.Kind != Transitioned {
		t.Errorf("a domain error: %+v", o)
	}
	o, _ = ran(t, p, map[string]any{"x": errors.New("broken")})
	if o.State != "home" || o.Kind != Errored || o.Code != HostError {
		t.Errorf("another error: %+v", o)
	}
}

func TestMissingSlotsAreNamed(t *testing.T) {
	t.Parallel()
	p := story(arcs(artifact.Arc{}))
	p.States[0].On = append(p.States[0].On, artifact.Handler{Intent: "needs", Arcs: arcs(artifact.Arc{})})
	o := Run(context.Background(), Request{Program: p, Room: "home", Intent: "needs"})
	if !reflect.DeepEqual(o.MissingSlots, []string{"who"}) {
		t.Errorf("observed %+v", o)
	}
}

// TestIntentTaken: it tells the slots as the story sees them.
func TestIntentTaken(t *testing.T) {
	t.Parallel()
	var got []Event
	Run(context.Background(), Request{
		Program: story(arcs(artifact.Arc{})), Room: "home", Intent: "go", Slots: map[string]any{"who": 7},
		Observe: func(e Event) { got = append(got, e) },
	})
	if len(got) != 1 || got[0].Intent != "go" || !reflect.DeepEqual(got[0].Slots, map[string]any{"who": "7", "count": 2}) {
		t.Errorf("observed %+v", got)
	}
}

// TestACauseMaySayThatTimeIsOver, without any deadline having passed.
func TestACauseMaySayThatTimeIsOver(t *testing.T) {
	t.Parallel()
	for cause, want := range map[error]Kind{context.DeadlineExceeded: TimedOut, nil: Failed} {
		ctx, cancel := context.WithCancelCause(context.Background())
		f := &fake{t: t, answers: map[string]any{"x": errors.New("cut")}, before: func(context.Context) { cancel(cause) }}
		p := story(arcs(artifact.Arc{Effects: list(runs("x", "write"))}))
		if o := Run(ctx, Request{Program: p, Room: "home", Intent: "go", Host: f}); o.Kind != want || o.Code != HostError {
			t.Errorf("%v: %+v", cause, o)
		}
	}
}

// idOf is a host that notes the id of the call it is asked for.
type idOf struct{ id string }

func (h *idOf) Call(_ context.Context, _ string, _ map[string]any, env host.Env) (map[string]any, error) {
	h.id = env.ID
	return exited(0, ""), nil
}

func TestTheHostIsToldTheCallsID(t *testing.T) {
	t.Parallel()
	call := runs("x", "read")
	call.Invoke.ID = "first"
	h := &idOf{}
	Run(context.Background(), Request{Program: story(arcs(artifact.Arc{Effects: list(call)})), Room: "home", Intent: "go", Host: h})
	if h.id != "first" {
		t.Errorf("observed %q", h.id)
	}
}

func TestView(t *testing.T) {
	t.Parallel()
	p := story(nil, artifact.State{Path: "shop", View: []artifact.View{
		{Kind: "heading", Text: text("Shop of {{ world.name }}\n")},
		{Kind: "prose", When: when("world.ok"), Text: text("never")},
		{Kind: "prose", Text: text("{{ world.name|nofilter }}")},
		{Kind: "list", Items: []artifact.Choice{{Label: *text("bread")}, {Label: *text("salt"), When: when("world.ok")}}},
		{Kind: "kv", Items: []artifact.Choice{{Label: *text("sum"), Value: text("{{ world.n }}")}}},
		{Kind: "choice", Text: text("What now?"), Items: []artifact.Choice{{Label: *text("pay"), Value: text("in cash"), Intent: "go"}}},
	}})
	w, err := World(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "Shop of you\n- bread\nsum: 1\nWhat now?\n- pay — in cash"
	if got := View(p, "shop", w); got != want {
		t.Errorf("expected %q, observed %q", want, got)
	}
	if got := View(p, "nowhere", w); got != "" {
		t.Errorf("observed %q", got)
	}
}
