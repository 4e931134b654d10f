package spec

import (
	"encoding/json"
	"sort"
	"testing"

	"kitsoki/runtime/artifact"
)

func TestRowsAreWellFormed(t *testing.T) {
	t.Parallel()
	rows := Calls()
	if !sort.SliceIsSorted(rows, func(i, j int) bool { return rows[i].Name < rows[j].Name }) {
		t.Error("calls are not sorted by name")
	}
	for _, c := range rows {
		if got, ok := Lookup(c.Name); !ok || got.Name != c.Name {
			t.Errorf("%s can't be looked up", c.Name)
		}
		checkRow(t, c)
	}
	if _, ok := Lookup("host.nope"); ok {
		t.Error("host.nope is found")
	}
}

func checkRow(t *testing.T, c Call) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range c.Results {
		if seen[r.Name] || r.Doc == "" || r.Type == "" {
			t.Errorf("%s result %s: twice, or without doc or type", c.Name, r.Name)
		}
		seen[r.Name] = true
		for _, op := range r.Ops {
			if p, _ := c.Param("op"); !contains(p.Enum, op) {
				t.Errorf("%s result %s: no op %s", c.Name, r.Name, op)
			}
		}
	}
	for _, p := range c.Params {
		if p.Doc == "" || p.Type == "" {
			t.Errorf("%s argument %s has no doc or type", c.Name, p.Name)
		}
	}
}

func TestResultsOf(t *testing.T) {
	t.Parallel()
	git, _ := Lookup("host.git")
	for op, want := range map[string]int{"in_progress": 3, "branches": 5, "status": 18, "branch": 16, "default": 16, "head": 7, "identity": 2, "draft": 3, "stash": 6, "worktrees": 6, "unmerged": 2, "compare": 9, "abort": 2, "add_resolved": 2, "discard": 2, "publish": 3, "replay": 3, "scratch": 4, "unpublish": 4, "": 68} {
		if got := len(git.ResultsOf(op)); got != want {
			t.Errorf("op %q: %d results, want %d", op, got, want)
		}
	}
}

func TestEffectOf(t *testing.T) {
	t.Parallel()
	lit := func(s string) artifact.Value { b, _ := json.Marshal(s); return artifact.Value{Literal: b} }
	expr := artifact.Value{Expr: &artifact.Expr{Src: "world.x"}}
	for _, tc := range []struct {
		name  string
		field string
		value artifact.Value
		want  Effect
	}{
		{"host.run", "cmd", lit("ls"), Write},
		{"host.run", "effect", lit("read"), Read},
		{"host.run", "effect", lit("network"), Network},
		{"host.run", "effect", expr, Destructive},
		{"host.git", "op", lit("status"), Read},
		{"host.git", "op", expr, Write},
		{"host.nope", "op", lit("x"), Destructive},
	} {
		call := artifact.Call{Name: tc.name, With: []artifact.Field{{Name: tc.field, Value: tc.value}}}
		if got := EffectOf(call); got != tc.want {
			t.Errorf("%s %s: got %s, want %s", tc.name, tc.field, got, tc.want)
		}
	}
}

func TestNeedsDrive(t *testing.T) {
	t.Parallel()
	lit := func(s string) artifact.Value { b, _ := json.Marshal(s); return artifact.Value{Literal: b} }
	for _, tc := range []struct {
		name string
		op   artifact.Value
		want bool
	}{
		{"host.agent.task", lit(""), true},
		{"host.agent.decide", lit(""), true},
		{"host.git", lit("abort"), true},
		{"host.git", lit("unmerged"), false},
		{"host.git", artifact.Value{Expr: &artifact.Expr{Src: "world.x"}}, true},
		{"host.run", lit("abort"), false},
		{"host.nope", lit("abort"), false},
	} {
		call := artifact.Call{Name: tc.name, With: []artifact.Field{{Name: "op", Value: tc.op}}}
		if got := NeedsDrive(call); got != tc.want {
			t.Errorf("%s %s: %v", tc.name, tc.op.Literal, got)
		}
	}
}

func TestAbove(t *testing.T) {
	t.Parallel()
	order := []Effect{Read, Write, Network, Destructive}
	for i, a := range order {
		for j, b := range order {
			if a.Above(b) != (i > j) {
				t.Errorf("%s above %s is %v", a, b, a.Above(b))
			}
		}
	}
	if !Effect("odd").Above(Network) {
		t.Error("an unknown effect is trusted")
	}
}
