package compiler

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

func compileText(text string) (*Output, diag.List) {
	return Compile(fstest.MapFS{"app.yaml": {Data: []byte(text)}}, "app.yaml", Options{Tool: "test"})
}

func TestResolve(t *testing.T) {
	t.Parallel()
	tree := stateTree{byPath: map[string]room{}}
	for _, p := range []string{"a", "a.x", "a.b", "a.b.x", "a.b.c", "z", "z.q"} {
		tree.byPath[p] = room{path: p, parent: parentOf(p)}
	}
	for _, tc := range []struct{ from, name, want string }{
		{"", "a", "a"},
		{"a", "a", "a"},
		{"a", "z", "z"},
		{"a", "x", ""},
		{"a", "a.x", "a.x"},
		{"a.b.c", "x", "a.b.x"},
		{"a.b.c", "c", "a.b.c"},
		{"a.b.c", "b.x", "a.b.x"},
		{"a.b.c", "z.q", "z.q"},
		{"a.b.c", "../x", "a.x"},
		{"a.b.c", "../../z", "z"},
		{"a.b.c", "../../../z", ""},
		{"a.b.c", "../z", ""},
		{"a.b", "../z", "z"},
		{"a", "../z", ""},
		{"a.b.c", "q", ""},
	} {
		if got, ok := tree.resolve(tc.from, tc.name); got != tc.want || ok != (tc.want != "") {
			t.Errorf("from %s, %s: got %q %v, want %q", tc.from, tc.name, got, ok, tc.want)
		}
	}
}

func TestPathSteps(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"stdout": "stdout@0", "a.b": "a@0 b@2", "a[0].b": "a@0 []@1 b@5", "a[0][12]": "a@0 []@1 []@4", "a-b.c": "a-b@0 c@4",
	} {
		steps, bad := pathSteps(path)
		var got []string
		for _, s := range steps {
			if s.index {
				s.name = "[]"
			}
			got = append(got, s.name+"@"+string(rune('0'+s.offset)))
		}
		if bad != -1 || strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, bad at %d", path, got, bad)
		}
	}
	for path, want := range map[string]int{"": 0, ".a": 0, "a..b": 1, "a.": 1, "a[x]": 1, "a[0": 1, "[0]": 0, "a b": 0, "a[0]b": 4, "a[]": 1} {
		if _, bad := pathSteps(path); bad != want {
			t.Errorf("%q: bad at %d, want %d", path, bad, want)
		}
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"15s": 15000, "2m": 120000, "1m30s": 90000, "1.5s": 1500, "15m": 900000, "500ms": 500} {
		var ds diag.List
		l := &lowerer{ds: &ds}
		if got := l.timeout(source.Str{Val: text}); got != want || len(ds) > 0 {
			t.Errorf("%s: got %d %v", text, got, ds)
		}
	}
	for _, text := range []string{"15", "soon", "-1s", "0s", "15m1s", "1h", "1us"} {
		var ds diag.List
		l := &lowerer{ds: &ds}
		if got := l.timeout(source.Str{Val: text}); got != 0 || len(ds) != 1 || ds[0].Code != diag.BadDuration {
			t.Errorf("%s: got %d %v", text, got, ds)
		}
	}
}

func TestIntentSet(t *testing.T) {
	t.Parallel()
	arcs := []artifact.Arc{{}}
	p := &artifact.Program{
		Intents: []artifact.Intent{{Name: "a"}, {Name: "b"}, {Name: "c", Hidden: true}, {Name: "d"}},
		States: []artifact.State{
			{Path: "top", On: []artifact.Handler{{Intent: "b", Arcs: arcs}, {Intent: "c", Arcs: arcs}, {Intent: "gone", Arcs: arcs}}},
			{Path: "top.in", Parent: "top", On: []artifact.Handler{{Intent: "a", Arcs: arcs}, {Intent: "d"}}},
			{Path: "topper", On: []artifact.Handler{{Intent: "d", Arcs: arcs}}},
		},
	}
	for room, want := range map[string][]string{"top": {"b"}, "top.in": {"a", "b"}, "topper": {"d"}, "none": {}} {
		if got := intentSet(p, room); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", room, got, want)
		}
	}
}

func TestDriveFlags(t *testing.T) {
	t.Parallel()
	out, ds := compileText(`
app: {id: d}
root: hub
intents:
  direct: {examples: [go directly]}
  by_emit: {examples: [go by emit]}
  by_enter: {examples: [go by enter]}
  into: {examples: [go into it]}
  declared: {examples: [go as declared], drive: true}
  never: {examples: [stay right here]}
states:
  hub:
    on:
      direct: [{target: work}]
      by_emit: [{target: ., effects: [{emit_intent: direct}]}]
      by_enter: [{target: hall}]
      into: [{target: box}]
      declared: [{target: .}]
      never: [{target: hub}]
  hall:
    on_enter: [{emit_intent: direct}]
    on: {direct: [{target: work}]}
  box:
    initial: in
    states: {in: {intercept_drive: rest, abort: [{say: undone}]}}
  work: {intercept_drive: rest, on: {abort: [{target: hub}]}, intents: {abort: {examples: [abort it now]}}}
`)
	if ds.HasErrors() {
		t.Fatalf("%s", printed(t, ds))
	}
	var got []string
	for _, in := range out.Program.Intents {
		if in.Drive {
			got = append(got, in.Name)
		}
	}
	if want := []string{"by_emit", "by_enter", "declared", "direct", "into"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNoHostsIsAWarning(t *testing.T) {
	t.Parallel()
	out, ds := compileText(`
app: {id: w}
root: hub
intents: {go: {examples: [go there]}}
states:
  hub:
    on:
      go: [{target: ., effects: [{invoke: host.run, with: {cmd: ls, args: []}}]}]
`)
	if out.Image == nil || len(ds) != 1 || ds[0].Code != diag.NoHosts || ds[0].Severity != diag.Warning || ds[0].Pos.Line != 2 {
		t.Errorf("image %v, %s", out.Image != nil, printed(t, ds))
	}
}

// TestUnreadableFile: a name may stand in the file that
// can't be read, a wrong type may not.
func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	_, ds := Compile(fstest.MapFS{
		"app.yaml": {Data: []byte(`
app: {id: i}
include: [rooms/*.yaml]
root: elsewhere
world: {count: 0}
intents: {go: {examples: [go there]}}
states:
  hub:
    on:
      go: [{target: elsewhere, effects: [{set: {count: "{{ world.there }}", other: 1}}, {set: {count: x}}]}]
`)},
		"rooms/a.yaml": {Data: []byte("states: [")},
	}, "app.yaml", Options{})
	var codes []string
	for _, d := range ds {
		codes = append(codes, string(d.Code))
	}
	if want := []string{string(diag.WrongType), string(diag.BadYAML)}; !slices.Equal(codes, want) {
		t.Errorf("got %s", printed(t, ds))
	}
}

func TestNothingToRead(t *testing.T) {
	t.Parallel()
	out, ds := Compile(fstest.MapFS{}, "app.yaml", Options{})
	if out == nil || out.Program != nil || out.Image != nil || !ds.HasErrors() {
		t.Errorf("got %+v %s", out, printed(t, ds))
	}
}

func TestCompilingTwiceGivesTheSame(t *testing.T) {
	t.Parallel()
	var first []byte
	for range 5 {
		out, _ := compileDir("testdata/good/demo")
		data, err := artifact.Encode(out.Image)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Fatal("two compiles differ")
		}
	}
}

// TestScriptValues shows what a host.run with values in its script becomes.
func TestScriptValues(t *testing.T) {
	t.Parallel()
	for with, want := range map[string]string{
		`{cmd: "echo {{ world.a }}"}`:                                       `echo ${KITSOKI_V0:+"${KITSOKI_V0}"} KITSOKI_V0=world.a`,
		`{cmd: "echo {{ world.a }} {{ world.b }}", env: {Z: "1", A: "2"}}`:  `echo ${KITSOKI_V0:+"${KITSOKI_V0}"} ${KITSOKI_V1:+"${KITSOKI_V1}"} A=2 Z=1 KITSOKI_V0=world.a KITSOKI_V1=world.b`,
		`{cmd: "echo {{ world.a }}", env: {Z: "{{ world.b }}"}}`:            `echo ${KITSOKI_V0:+"${KITSOKI_V0}"} Z=world.b KITSOKI_V0=world.a`,
		`{cmd: bash, args: [-c, "echo \"{{ world.a }}\""]}`:                 `bash -c echo "${KITSOKI_V0}" KITSOKI_V0=world.a`,
		`{cmd: timeout, args: ["5", sh, -ec, "echo {{ world.a }}", x]}`:     `timeout 5 sh -ec echo ${KITSOKI_V0:+"${KITSOKI_V0}"} x KITSOKI_V0=world.a`,
		`{cmd: bash, args: [-c, "echo $1", x, "{{ world.a }}"]}`:            `bash -c echo $1 x world.a`,
		`{cmd: git, args: [commit, -m, "{{ world.a }}", "x{{ world.b }}"]}`: `git commit -m world.a x+world.b`,
		`{cmd: "echo $HOME"}`: `echo $HOME`,
	} {
		out, ds := compileText(`
app: {id: s}
hosts: [host.run]
root: hub
world: {a: "", b: ""}
intents: {go: {examples: [go there]}}
states: {hub: {on: {go: [{target: ., effects: [{invoke: host.run, with: ` + with + `}]}]}}}
`)
		if ds.HasErrors() {
			t.Errorf("%s\n%s", with, printed(t, ds))
			continue
		}
		call := out.Program.States[0].On[0].Arcs[0].Effects[0].Invoke
		if got := spelled(call.With); got != want {
			t.Errorf("%s\n got %s\nwant %s", with, got, want)
		}
	}
}

// spelled is a call's arguments in one line.
func spelled(with []artifact.Field) string {
	var out []string
	for _, f := range with {
		for _, o := range f.Value.Object {
			out = append(out, o.Name+"="+spell(o.Value))
		}
		if f.Value.Object == nil {
			out = append(out, spell(f.Value))
		}
	}
	return strings.Join(out, " ")
}

func spell(v artifact.Value) string {
	switch {
	case v.Expr != nil:
		return v.Expr.Src
	case v.List != nil:
		items := make([]string, len(v.List))
		for i, item := range v.List {
			items[i] = spell(item)
		}
		return strings.Join(items, " ")
	case v.Parts != nil:
		return v.Parts[0].Text + "+" + v.Parts[1].Expr.Src
	}
	return literalText(v)
}
