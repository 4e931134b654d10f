package engine

import (
	"testing"

	"kitsoki/runtime/artifact"
)

func TestWhoDealsWithABadExit(t *testing.T) {
	t.Parallel()
	guarded := func(src string) artifact.Effect { return artifact.Effect{When: when(src), Say: text("said")} }
	push := func(b ...artifact.Bind) artifact.Effect { return runs("push", "network", b...) }
	codes := bind("code", "exit_code")
	for name, tc := range map[string]struct {
		effects []artifact.Effect
		want    Kind
	}{
		"nobody":                          {list(push()), Failed},
		"bound and forgotten":             {list(push(codes), say("Pushed.")), Failed},
		"a guard that holds":              {list(push(codes), guarded("world.code != 0")), Transitioned},
		"a guard that does not hold":      {list(push(codes), guarded("world.code == 0")), Failed},
		"a guard about something else":    {list(push(codes), guarded("world.n == 1")), Failed},
		"a guard before the call":         {list(guarded("world.code == 0"), push(codes)), Failed},
		"a say that tells how it ended":   {list(push(codes), say("status {{ world.code }}")), Transitioned},
		"a say of the output":             {list(push(bind("out", "stdout")), say("Pushed: {{ world.out }}")), Failed},
		"a say of a value made from ok":   {list(push(artifact.Bind{Key: "ok", Value: ptr(val("{{ not result.ok }}"))}), say("{{ world.ok }}")), Transitioned},
		"an arc chosen after looking":     {list(push(codes), emit("next")), Transitioned},
		"a later call that reads":         {list(push(), runs("look", "read")), Failed},
		"a later call that reaches":       {list(push(), runs("tag", "write")), Transitioned},
		"a read that nobody dealt with":   {list(runs("bad", "read")), Errored},
		"a read before a write":           {list(runs("bad", "read"), runs("tag", "write")), Transitioned},
		"a read that failed after a good": {list(runs("tag", "write"), runs("bad", "read")), Failed},
	} {
		p := story(arcs(artifact.Arc{Effects: tc.effects}))
		p.States[0].On = append(p.States[0].On, artifact.Handler{Intent: "next", Arcs: arcs(
			artifact.Arc{When: when("world.code == 0"), Effects: list(say("fine"))},
			artifact.Arc{Effects: list(say("sorry"))},
		)})
		o, _ := ran(t, p, map[string]any{"push": exited(1, "no"), "bad": exited(1, ""), "look": exited(0, ""), "tag": exited(0, "")})
		if o.Kind != tc.want {
			t.Errorf("%s: %+v", name, o)
		}
		if (o.Kind == Failed || o.Kind == Errored) && (o.Code != HostError || o.Detail == "") {
			t.Errorf("%s: code %q detail %q", name, o.Code, o.Detail)
		}
	}
}
