package engine

import (
	"strings"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

func TestIntentSet(t *testing.T) {
	t.Parallel()
	on := func(intent string, a ...artifact.Arc) artifact.Handler {
		return artifact.Handler{Intent: intent, Arcs: a}
	}
	p := story(nil,
		artifact.State{Path: "up", On: []artifact.Handler{on("go", artifact.Arc{}), on("secret", artifact.Arc{}), on("next", artifact.Arc{})}},
		artifact.State{Path: "up.in", Parent: "up", On: []artifact.Handler{
			on("next", artifact.Arc{When: when("world.n > 5")}),
			on("needs", artifact.Arc{When: when("world.n > 5")}, artifact.Arc{When: when("slots.who == \"a\" && world.n > 5")}),
		}},
	)
	for _, tc := range []struct {
		room  string
		world map[string]any
		want  string
	}{
		{"up", nil, "go next"},
		{"up.in", nil, "go needs"},
		{"up.in", map[string]any{"n": 6}, "go needs next"},
		{"up.in", map[string]any{"n": "x"}, ""},
		{"nowhere", nil, ""},
	} {
		if got := strings.Join(IntentSet(p, tc.room, tc.world), " "); got != tc.want {
			t.Errorf("%s %v: %q, want %q", tc.room, tc.world, got, tc.want)
		}
	}
}

func TestEffects(t *testing.T) {
	t.Parallel()
	onError := runs("x", "read")
	onError.Invoke.OnError = "other"
	for name, tc := range map[string]struct {
		arc  artifact.Arc
		want spec.Effect
	}{
		"nothing":    {artifact.Arc{}, spec.Read},
		"own call":   {artifact.Arc{Effects: list(runs("x", "read"), runs("y", "network"), runs("z", "write"))}, spec.Network},
		"on_enter":   {artifact.Arc{Target: "other"}, spec.Write},
		"on_error":   {artifact.Arc{Effects: list(onError)}, spec.Write},
		"emitted":    {artifact.Arc{Effects: list(emit("next"))}, spec.Destructive},
		"emitted in": {artifact.Arc{Target: "other", Effects: list(emit("go"))}, spec.Write},
	} {
		p := story(arcs(tc.arc), artifact.State{Path: "other", OnEnter: list(runs("w", "write"))})
		p.States[0].On = append(p.States[0].On, artifact.Handler{Intent: "next", Arcs: arcs(artifact.Arc{Effects: list(runs("rm", "destructive"), emit("go"))})})
		if got := Effects(p, "home", "go"); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}
