package engine

import (
	"context"
	"os"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
)

// The executor with the real calls: what a person said reaches a program as
// one argument, and the program knows who started it.
func TestWithRealCalls(t *testing.T) {
	t.Parallel()
	call := artifact.Effect{Invoke: &artifact.Call{
		Name: "host.run", Bind: []artifact.Bind{bind("out", "stdout"), bind("code", "exit_code")},
		With: []artifact.Field{
			{Name: "cmd", Value: lit("bash")},
			{Name: "args", Value: artifact.Value{List: []artifact.Value{
				lit("-c"), lit(`printf '%s|%s|%s' "$1" "$KITSOKI_ACTIVE" "$GIT_OPTIONAL_LOCKS"; exit 3`), lit("x"), val("{{ slots.who }}"),
			}}},
			{Name: "effect", Value: lit("read")},
		},
	}}
	p := story(arcs(artifact.Arc{Effects: list(call, say("{{ world.code }}"))}))
	o := Run(context.Background(), Request{
		Program: p, Room: "home", Intent: "go", Slots: map[string]any{"who": `a "$(b)" 'c'`},
		Host: host.Local{}, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")}, Session: "s7",
	})
	if o.Kind != Transitioned || world(o) != `code=3 out=a "$(b)" 'c'|s7|0` {
		t.Errorf("world %q: %+v", world(o), o)
	}
}
