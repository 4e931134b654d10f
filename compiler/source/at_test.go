package source

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler/diag"
)

// view loads a story whose first state has the given lines as its view, and
// returns that text. The value begins at line 5.
func view(t *testing.T, yaml string) (Str, string) {
	t.Helper()
	src := "app: {id: demo}\nroot: home\nstates:\n  home:\n" + yaml
	story, ds := Load(fstest.MapFS{"app.yaml": {Data: []byte(src)}}, "app.yaml", Options{})
	if len(ds) > 0 {
		t.Fatal(printed(t, ds))
	}
	return story.States[0].View[0].Text, src
}

func TestAt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, yaml string
		of         string // the part of the value whose place is asked
		want       string // line:col
	}{
		{"plain", "    view: hello world\n", "world", "5:17"},
		{"plain, wide characters", "    view: grüße 日本 x\n", "x", "5:20"},
		{"plain, over lines", "    view: one two\n      three\n\n      four\n", "four", "8:7"},
		{"plain, over lines, first", "    view: one two\n      three\n", "two", "5:15"},
		{"plain with comment", "    view: one two # no\n", "two", "5:15"},
		{"single quotes", "    view: 'it''s {{ x }}'\n", "x }}", "5:21"},
		{"single quotes, over lines", "    view: 'one\n\n      two'\n", "two", "7:7"},
		{"double quotes", "    view: \"say {{ x }}\"\n", "x }}", "5:19"},
		{"double quotes, plain escapes", `    view: "a \"b\" \\ c"` + "\n", "c", "5:23"},
		{"double quotes, other escapes", `    view: "a \u0041 c"` + "\n", "c", "5:11"},
		{"double quotes before them", `    view: "a c \u0041"` + "\n", "c", "5:14"},
		{"double quotes, line joined", "    view: \"a \\\n      b\"\n", "b", "5:11"},
		{"literal", "    view: |\n      one\n      two {{ x }}\n", "x }}", "7:14"},
		{"literal, indented more", "    view: |\n      one\n        two\n", "two", "7:9"},
		{"literal, first line indented more", "    view: |2\n        one\n      two\n", "one", "6:9"},
		{"literal, blank lines", "    view: |-\n\n      one\n\n\n      two\n", "two", "10:7"},
		{"literal, stripped", "    view: |-\n      one\n", "ne", "6:8"},
		{"literal, comment on the head", "    view: | # note\n      one\n", "one", "6:7"},
		{"folded", "    view: >\n      one\n      two\n", "two", "5:11"},
		{"anchor", "    view: &v one two\n", "two", "5:18"},
		{"anchor and tag", "    view: &v !!str 'one two'\n", "two", "5:25"},
	}
	for _, tt := range tests {
		for _, eol := range []string{"\n", "\r\n"} {
			t.Run(fmt.Sprintf("%s %q", tt.name, eol), func(t *testing.T) {
				t.Parallel()
				s, _ := view(t, strings.ReplaceAll(tt.yaml, "\n", eol))
				off := strings.Index(s.Val, tt.of)
				if off < 0 {
					t.Fatalf("%q is not in %q", tt.of, s.Val)
				}
				p := s.At(off)
				if got := fmt.Sprintf("%d:%d", p.Line, p.Col); got != tt.want || p.File != "app.yaml" {
					t.Errorf("At(%d) = %s in %s, want %s", off, got, p.File, tt.want)
				}
			})
		}
	}
}

// TestAtNamesTheSameCharacter checks every offset of some values: the source
// at the place named must be the value's character.
func TestAtNamesTheSameCharacter(t *testing.T) {
	t.Parallel()
	for _, yaml := range []string{
		"    view: hello wörld, {{ x }}\n",
		"    view: 'hello wörld, {{ x }}'\n",
		"    view: \"hello wörld, {{ x }}\"\n",
		"    view: |\n      hello\n\n        wörld\n      {{ x }}\n",
	} {
		s, src := view(t, yaml)
		lines := strings.Split(src, "\n")
		for off, r := range s.Val {
			p := s.At(off)
			if r == '\n' {
				continue
			}
			if got := []rune(lines[p.Line-1])[p.Col-1]; got != r {
				t.Errorf("%q: offset %d is %q, the place %d:%d holds %q", s.Val, off, r, p.Line, p.Col, got)
			}
		}
	}
}

func TestAtOutside(t *testing.T) {
	t.Parallel()
	s, _ := view(t, "    view: one\n")
	for _, off := range []int{-1, 4, 100} {
		if got := s.At(off); got != s.Pos {
			t.Errorf("At(%d) = %v, want the start %v", off, got, s.Pos)
		}
	}
	if got := s.At(3); got != (diag.Pos{File: "app.yaml", Line: 5, Col: 14}) {
		t.Errorf("the end is %v", got)
	}
	if got := (Str{Val: "x"}).At(1); got != (diag.Pos{}) {
		t.Errorf("a Str without source is at %v", got)
	}
}
