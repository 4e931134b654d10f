package trust

import (
	"encoding/json"
	"slices"
	"testing"

	"kitsoki/runtime/artifact"
)

func TestScripts(t *testing.T) {
	t.Parallel()
	literal := func(v any) artifact.Value {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return artifact.Value{Literal: raw}
	}
	call := func(fields ...artifact.Field) artifact.Effect {
		return artifact.Effect{Invoke: &artifact.Call{Name: "host.run", With: fields}}
	}
	p := &artifact.Program{
		States: []artifact.State{{
			OnEnter: []artifact.Effect{
				call(artifact.Field{Name: "cmd", Value: literal("cd x && ./enter.sh; make test | bash inner")}),
				call(artifact.Field{Name: "cmd", Value: literal("./run")}, artifact.Field{Name: "cwd", Value: literal("deep")}),
			},
			Abort:         []artifact.Effect{call(artifact.Field{Name: "cmd", Value: literal("tools/abort")})},
			Postcondition: &artifact.Precondition{Call: artifact.Call{With: []artifact.Field{{Name: "cmd", Value: literal("post.py")}}}},
			On: []artifact.Handler{{Arcs: []artifact.Arc{{
				Preconditions: []artifact.Precondition{{Call: artifact.Call{With: []artifact.Field{{Name: "args", Value: literal([]string{"pre.sh"})}}}}},
				Effects: []artifact.Effect{call(
					artifact.Field{Name: "cmd", Value: literal("python3")},
					artifact.Field{Name: "args", Value: artifact.Value{List: []artifact.Value{literal("scripts/x"), {Expr: &artifact.Expr{Src: "world.a"}}}}},
					artifact.Field{Name: "env", Value: artifact.Value{Object: []artifact.Field{{Name: "HOOK", Value: literal("env/hook")}}}},
					artifact.Field{Name: "stdin", Value: artifact.Value{Parts: []artifact.Part{{Text: "source part.sh "}, {Expr: &artifact.Expr{}}}}},
				)},
			}}}},
		}},
		Agents: []artifact.Agent{{Command: []string{"/usr/bin/agent", "agents/it", "https://example.com/x.sh", "--a/b"}}},
	}
	want := []string{
		"agents/it", "deep/run", "enter.sh", "env/hook", "inner", "part.sh", "post.py", "pre.sh", "run", "scripts/x", "tools/abort",
	}
	if got := Scripts(p); !slices.Equal(got, want) {
		t.Errorf("expected %q\nobserved %q", want, got)
	}
}
