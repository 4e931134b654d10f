package engine

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
)

func TestConvert(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		t    artifact.Type
		in   any
		want any // nil: refused
	}{
		{artifact.TypeInt, 3.0, 3},
		{artifact.TypeInt, " 12\n", 12},
		{artifact.TypeInt, 3.5, nil},
		{artifact.TypeInt, math.Inf(1), nil},
		{artifact.TypeInt, 1e300, nil},
		{artifact.TypeInt, true, nil},
		{artifact.TypeInt, "", nil},
		{artifact.TypeFloat, 3, 3.0},
		{artifact.TypeFloat, "2.5", 2.5},
		{artifact.TypeFloat, "NaN", nil},
		{artifact.TypeString, 3.0, "3"},
		{artifact.TypeString, true, "true"},
		{artifact.TypeString, []any{}, nil},
		{artifact.TypeBool, "true\n", true},
		{artifact.TypeBool, "yes", nil},
		{artifact.TypeBool, 1, nil},
		{artifact.TypeEnum, "fast", "fast"},
		{artifact.TypeEnum, "quick", nil},
		{artifact.TypeEnum, 1, nil},
		{artifact.TypeList, []any{1}, []any{1}},
		{artifact.TypeList, "a", nil},
		{artifact.TypeObject, map[string]any{"a": 1}, map[string]any{"a": 1}},
		{artifact.TypeObject, []any{}, nil},
	} {
		got, err := convert(artifact.WorldKey{Name: "k", Type: tc.t, Values: []string{"fast", "slow"}}, tc.in)
		if (err != nil) != (tc.want == nil) || (err == nil && !reflect.DeepEqual(got, tc.want)) {
			t.Errorf("%v as %s: got %#v %v", tc.in, tc.t, got, err)
		}
	}
}

// What is written holds a value of the declared type that stays the same
// when it is written again, also through JSON.
func TestWritesKeepTheType(t *testing.T) {
	t.Parallel()
	p := story(nil)
	check := func(i int, f float64, s string, b bool, items []string) bool {
		l := make([]any, len(items))
		for n := range items {
			l[n] = items[n]
		}
		for _, v := range []any{i, f, float64(i), s, b, l, map[string]any{"a": s}, nil, "fast", spell(i), spell(f)} {
			for _, k := range p.World {
				if !keepsType(t, p, k, v) {
					return false
				}
			}
		}
		return true
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

func keepsType(t *testing.T, p *artifact.Program, k artifact.WorldKey, v any) bool {
	t.Helper()
	w, err := World(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := w[k.Name]
	if write(p, w, k.Name, v) != nil {
		return reflect.DeepEqual(w[k.Name], before)
	}
	got := w[k.Name]
	if reflect.TypeOf(got) != reflect.TypeOf(before) {
		t.Logf("%s: %#v became %#v", k.Name, v, got)
		return false
	}
	raw, err := json.Marshal(got)
	if err != nil {
		return false
	}
	back, err := host.Decode(raw)
	if err != nil || write(p, w, k.Name, back) != nil {
		t.Logf("%s: %s can't be written back", k.Name, raw)
		return false
	}
	again, err := json.Marshal(w[k.Name])
	return err == nil && string(again) == string(raw)
}

func TestWorld(t *testing.T) {
	t.Parallel()
	p := story(nil)
	w, err := World(p, map[string]any{"n": 4.0, "name": nil})
	if err != nil || w["n"] != 4 || w["name"] != "you" || w["x"] != 0.5 {
		t.Errorf("got %v %v", w, err)
	}
	_, err = World(p, map[string]any{"zz": 1, "n": "x", "mode": "quick"})
	want := []string{"world.mode is one of fast, slow", `world.n is declared as int, and "x" is none`, "world.zz is not declared"}
	for _, s := range want {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("%q is not in %v", s, err)
		}
	}
}

func TestAt(t *testing.T) {
	t.Parallel()
	v := map[string]any{"a": map[string]any{"b": []any{10, map[string]any{"c": "x"}}}, "l": []any{[]any{1, 2}}}
	for path, want := range map[string]any{
		"a.b[0]": 10, "a.b[1].c": "x", "a.b[9]": nil, "a.b[-1]": nil, "a.x.y": nil, "l[0][1]": 2, "a.b.c": nil, "a[0]": nil,
	} {
		if got := at(v, path); got != want {
			t.Errorf("%s: got %#v", path, got)
		}
	}
}
