package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
	"kitsoki/runtime/host"
)

// fake answers host calls from a table keyed by the call's line, and
// records what it was asked.
type fake struct {
	t       *testing.T
	answers map[string]any // map[string]any: a result; error: as it is
	asked   []string
	before  func(context.Context) // runs before the answer
}

// Call answers as host.run and host.git would.
func (f *fake) Call(ctx context.Context, name string, args map[string]any, _ host.Env) (map[string]any, error) {
	line := HostCall{Call: name, Args: args}.line()
	f.asked = append(f.asked, line)
	if f.before != nil {
		f.before(ctx)
	}
	switch a := f.answers[line].(type) {
	case error:
		return nil, a
	case map[string]any:
		return a, nil
	case nil:
		f.t.Errorf("unexpected call %s", line)
	}
	return nil, &host.Error{Call: name, Msg: "unexpected"}
}

func exited(code int, out string) map[string]any {
	return map[string]any{
		"stdout": out, "stderr": "", "exit_code": code, "ok": code == 0, "timed_out": false,
		"duration_ms": 800, "stdout_json": nil,
	}
}

func lit(v any) artifact.Value {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return artifact.Value{Literal: b}
}

// val is a value as the compiler lowers it.
func val(s string) artifact.Value {
	pieces, err := expr.Split(s)
	if err != nil {
		panic(err)
	}
	if len(pieces) == 1 && pieces[0].IsExpr {
		return artifact.Value{Expr: &artifact.Expr{Src: pieces[0].Expr}}
	}
	if !strings.Contains(s, "{{") {
		return lit(s)
	}
	var v artifact.Value
	for _, p := range pieces {
		part := artifact.Part{Text: p.Text}
		if p.IsExpr {
			part.Expr = &artifact.Expr{Src: p.Expr}
		}
		v.Parts = append(v.Parts, part)
	}
	return v
}

func when(src string) *artifact.Expr { return &artifact.Expr{Src: src} }

func text(src string) *artifact.Text { return &artifact.Text{Src: src} }

func say(src string) artifact.Effect { return artifact.Effect{Say: text(src)} }

func set(pairs ...string) artifact.Effect { return artifact.Effect{Set: fieldsOf(pairs)} }

func fieldsOf(pairs []string) []artifact.Field {
	var out []artifact.Field
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, artifact.Field{Name: pairs[i], Value: val(pairs[i+1])})
	}
	return out
}

func emit(intent string, slots ...string) artifact.Effect {
	return artifact.Effect{Emit: &artifact.Emit{Intent: intent, Slots: fieldsOf(slots)}}
}

// runs is a host.run of one word with that effect.
func runs(word, effect string, binds ...artifact.Bind) artifact.Effect {
	return artifact.Effect{Invoke: &artifact.Call{
		Name: "host.run", Bind: binds,
		With: []artifact.Field{{Name: "cmd", Value: val(word)}, {Name: "args", Value: artifact.Value{List: []artifact.Value{}}}, {Name: "effect", Value: lit(effect)}},
	}}
}

func bind(key, path string) artifact.Bind { return artifact.Bind{Key: key, Path: path} }

func key(name string, t artifact.Type, def any, values ...string) artifact.WorldKey {
	return artifact.WorldKey{Name: name, Type: t, Default: lit(def).Literal, Values: values}
}

// story is a program with one room "home" whose intent "go" has these arcs,
// and the rooms given. Rooms must come sorted.
func story(arcs []artifact.Arc, more ...artifact.State) *artifact.Program {
	home := artifact.State{
		Path: "home", View: []artifact.View{{Kind: "template", Text: text("Welcome {{ world.name }}\nsecond line")}},
		On: []artifact.Handler{{Intent: "go", Arcs: arcs}},
	}
	return &artifact.Program{
		World: []artifact.WorldKey{
			key("code", artifact.TypeInt, 0), key("last_error", artifact.TypeString, ""), key("list", artifact.TypeList, []any{}),
			key("mode", artifact.TypeEnum, "fast", "fast", "slow"), key("n", artifact.TypeInt, 1), key("name", artifact.TypeString, "you"),
			key("ok", artifact.TypeBool, false), key("out", artifact.TypeString, ""), key("x", artifact.TypeFloat, 0.5),
		},
		Intents: []artifact.Intent{
			{Name: "go", Title: "Go there", Slots: []artifact.Slot{
				{Name: "who", Type: artifact.SlotString}, {Name: "count", Type: artifact.SlotInt, Default: lit(2).Literal},
			}},
			{Name: "next"},
			{Name: "needs", Slots: []artifact.Slot{{Name: "who", Type: artifact.SlotEnum, Required: true, Values: []string{"a", "b"}}}},
			{Name: "secret", Hidden: true},
		},
		States: append([]artifact.State{home}, more...),
	}
}

// ran runs "go" in "home" against the answers.
func ran(t *testing.T, p *artifact.Program, answers map[string]any) (Outcome, []string) {
	t.Helper()
	f := &fake{t: t, answers: answers}
	o := Run(context.Background(), Request{Program: p, Room: "home", Intent: "go", Host: f})
	return o, f.asked
}

func world(o Outcome) string {
	var out []string
	for _, c := range o.WorldChanges {
		out = append(out, fmt.Sprintf("%s=%s", c.Key, spell(c.New)))
	}
	return strings.Join(out, " ")
}
