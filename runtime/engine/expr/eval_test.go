package expr

import (
	"reflect"
	"strings"
	"testing"
)

func TestEval(t *testing.T) {
	t.Parallel()
	env := map[string]any{
		"world":  map[string]any{"branch": "main", "count": 3, "files": []any{"a", "b"}, "plan": map[string]any{"x": 1.5}},
		"result": map[string]any{"staged": []any{"f"}, "ok": true},
	}
	for src, want := range map[string]any{
		`world.count + 1`:            4,
		`world.count / 2`:            1.5,
		`len(result.staged) > 0`:     true,
		`world.plan.x`:               1.5,
		`world.missing`:              nil,
		`world.plan?.y?.z`:           nil,
		`split("a,b", ",")`:          []any{"a", "b"},
		`1..3`:                       []any{1, 2, 3},
		`{"a": world.count}`:         map[string]any{"a": 3},
		`groupBy([1,2], # > 1)`:      map[string]any{"true": []any{2}, "false": []any{1}},
		`"b" in world.files`:         true,
		`world.branch matches "^ma"`: true,
	} {
		got, err := Eval(src, env)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v %v", src, got, err)
		}
	}
}

func TestEvalRefuses(t *testing.T) {
	t.Parallel()
	env := map[string]any{"world": map[string]any{"n": nil}}
	for src, want := range map[string]string{
		`world.n.x.y`:      "evaluate world.n.x.y",
		`1 +`:              "read expression",
		`now()`:            "now",
		`keys({"a":1})`:    "keys",
		`1..100000000`:     "memory budget",
		`repeat("x", 1e9)`: "repeat",
		`world.n > 3`:      "evaluate",
	} {
		_, err := Eval(src, env)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v", src, err)
		}
	}
}
