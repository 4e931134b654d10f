package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kitsoki/runtime/host/spec"
)

func TestEveryRowHasItsCallAndBack(t *testing.T) {
	t.Parallel()
	for _, row := range spec.Calls() {
		if lookup(row.Name) == nil && !row.Drives {
			t.Errorf("%s has a row but no call", row.Name)
		}
	}
	for _, name := range []string{runName, gitName, projectName} {
		if _, ok := spec.Lookup(name); !ok {
			t.Errorf("%s has a call but no row", name)
		}
	}
	_, err := Local{}.Call(context.Background(), "host.nope", nil, Env{})
	var he *Error
	if !errors.As(err, &he) {
		t.Errorf("an unknown call: %v", err)
	}
}

func vars0(extra ...string) []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent"}, extra...)
}

func callRun(t *testing.T, args map[string]any) (map[string]any, error) {
	t.Helper()
	return Local{}.Call(context.Background(), "host.run", args, Env{Dir: t.TempDir(), Vars: vars0("BASH_ENV=/nope"), Session: "s1"})
}

func TestRunResults(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args map[string]any
		want map[string]any
	}{
		"argv": {
			map[string]any{"cmd": "printf", "args": []any{"%s|", "a b", 3, true, 1.0, "$HOME"}},
			map[string]any{"stdout": "a b|3|true|1|$HOME|", "exit_code": 0, "ok": true},
		},
		"script":   {map[string]any{"cmd": "echo a; echo b >&2; exit 4"}, map[string]any{"exit_code": 4, "ok": false, "stderr": "b\n"}},
		"bash":     {map[string]any{"cmd": "[[ x == x ]] && echo $BASH_ENV."}, map[string]any{"stdout": ".\n"}},
		"env":      {map[string]any{"cmd": "echo $A $KITSOKI_ACTIVE $GIT_TERMINAL_PROMPT", "env": map[string]any{"A": 1, "KITSOKI_ACTIVE": "x"}}, map[string]any{"stdout": "1 s1 0\n"}},
		"stdin":    {map[string]any{"cmd": "cat", "args": []any{}, "stdin": "hi"}, map[string]any{"stdout": "hi"}},
		"json":     {map[string]any{"cmd": `echo log; echo '{"a": 1, "b": [2.5]}'`}, map[string]any{"stdout_json": map[string]any{"a": 1, "b": []any{2.5}}}},
		"time-out": {map[string]any{"cmd": "sleep", "args": []any{"600"}, "timeout": "50ms"}, map[string]any{"timed_out": true, "ok": false, "exit_code": -1}},
		"read":     {map[string]any{"cmd": "echo $GIT_OPTIONAL_LOCKS", "effect": "read"}, map[string]any{"stdout": "0\n"}},
		"write":    {map[string]any{"cmd": "echo $GIT_OPTIONAL_LOCKS."}, map[string]any{"stdout": ".\n"}},
		"cwd":      {map[string]any{"cmd": "pwd", "cwd": "/"}, map[string]any{"stdout": "/\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := callRun(t, tc.args)
			if err != nil {
				t.Fatal(err)
			}
			for k, want := range tc.want {
				if !reflect.DeepEqual(got[k], want) {
					t.Errorf("%s: got %#v, want %#v", k, got[k], want)
				}
			}
			sameKeys(t, "host.run", "", got)
		})
	}
}

// sameKeys compares a result with the row's results for an op.
func sameKeys(t *testing.T, call, op string, got map[string]any) {
	t.Helper()
	row, _ := spec.Lookup(call)
	declared := row.ResultsOf(op)
	for _, r := range declared {
		if _, ok := got[r.Name]; !ok {
			t.Errorf("%s %s: %s is missing", call, op, r.Name)
		}
	}
	if len(declared) != len(got) {
		t.Errorf("%s %s: %d results, %d declared", call, op, len(got), len(declared))
	}
}

func TestRunFails(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args map[string]any
		msg  string
	}{
		"not there":     {map[string]any{"cmd": "no-such-program", "args": []any{}}, "no such program"},
		"fail_on_error": {map[string]any{"cmd": "exit 3", "fail_on_error": true}, "exit status 3"},
		"strict limit":  {map[string]any{"cmd": "sleep 600", "fail_on_error": true, "timeout": "50ms"}, "timed out"},
		"NUL":           {map[string]any{"cmd": "echo", "args": []any{"a\x00b"}}, "NUL"},
		"too long":      {map[string]any{"cmd": "echo", "args": []any{strings.Repeat("x", MaxValue+1)}}, "122880"},
		"long variable": {map[string]any{"cmd": "echo", "env": map[string]any{"A": strings.Repeat("x", MaxValue+1)}}, "122880"},
		"odd variable":  {map[string]any{"cmd": "echo", "env": map[string]any{"A=B": "x"}}, "no name"},
		"nested":        {map[string]any{"cmd": "echo", "args": []any{[]any{"x"}}}, "args[0]"},
		"cwd leaves":    {map[string]any{"cmd": "pwd", "cwd": "../x"}, "leaves"},
		"cwd missing":   {map[string]any{"cmd": "pwd", "cwd": "gone"}, "gone"},
		"bad time":      {map[string]any{"cmd": "pwd", "timeout": "soon"}, "no duration"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := callRun(t, tc.args)
			var he *Error
			if !errors.As(err, &he) || !strings.Contains(he.Msg, tc.msg) {
				t.Errorf("got %v", err)
			}
		})
	}
	_, err := callRun(t, map[string]any{"cmd": "echo said; exit 3", "fail_on_error": true})
	var he *Error
	if !errors.As(err, &he) || he.Result["stdout"] != "said\n" {
		t.Errorf("the result is lost: %v", err)
	}
}

func TestRunInASubdirectory(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Local{}.Call(context.Background(), "host.run", map[string]any{"cmd": "pwd", "cwd": "sub"}, Env{Dir: dir, Vars: vars0()})
	if err != nil || got["stdout"] != filepath.Join(dir, "sub")+"\n" {
		t.Errorf("got %v %v", got, err)
	}
}

func TestLastJSON(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]any{
		"":                                 nil,
		"plain":                            nil,
		"3":                                3,
		"\"s\"\n":                          "s",
		"[INFO] x\n{\"a\":1}\nbye\n":       map[string]any{"a": 1},
		"{\"a\":1}\n{\"a\":2}\n":           map[string]any{"a": 2},
		"log\n{\n \"a\":\n {\"b\":1}\n}\n": map[string]any{"a": map[string]any{"b": 1}},
		"{broken\n[1,2]":                   []any{1, 2},
		"x {\"a\":1}":                      nil,
		"[1\n[2":                           nil,
	} {
		if got := LastJSON([]byte(out)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %#v", out, got)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]any{
		"3": 3, "3.5": 3.5, "3.0": 3.0, "null": nil, "1e3": 1000.0,
		"9007199254740993": 9007199254740993, "92233720368547758080": 92233720368547758080.0,
	} {
		if got, err := Decode([]byte(in)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v %v", in, got, err)
		}
	}
	for _, in := range []string{"", "{", "1 2"} {
		if _, err := Decode([]byte(in)); err == nil {
			t.Errorf("%q is decoded", in)
		}
	}
}
