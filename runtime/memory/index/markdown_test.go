package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// shown is a section as the tests write it: line, trail, body.
func shown(src string) []string {
	var out []string
	for _, s := range sections([]byte(src)) {
		out = append(out, fmt.Sprintf("%d %s: %s", s.line, strings.Join(s.trail, ">"), strings.ReplaceAll(s.body, "\n", "|")))
	}
	return out
}

func TestSectionsByHeading(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src string
		want      []string
	}{
		{"nothing", "", nil},
		{"no heading", "some\ntext\n", []string{"1 : some|text"}},
		{"ATX", "# One #\n\na\n\n## Two\nb\n### Three\nc\n## Four\nd\n", []string{"1 One: a", "5 One>Two: b", "7 One>Two>Three: c", "9 One>Four: d"}},
		{"Setext", "One\n===\na\n\nTwo\nlines\n---\nb\n", []string{"1 One: a", "5 One>Two lines: b"}},
		{"before the first", "intro\n\n# One\na\n", []string{"1 : intro", "3 One: a"}},
		{"without text of its own", "# One\n## Two\nb\n", []string{"2 One>Two: b"}},
		{"inside a fence", "# One\n```sh\n# no\n```\n~~~\n## no\n~~~\n", []string{"1 One: ```sh|# no|```|~~~|## no|~~~"}},
		{"inside other blocks", "# One\n> # no\n\n- x\n\n  # no\n\n    # no\n\n<div>\n# no\n</div>\n", []string{"1 One: > # no||- x||  # no||    # no||<div>|# no|</div>"}},
		{"no heading at all", "#nope\n####### nope\n", []string{"1 : #nope|####### nope"}},
		{"front matter", "---\ntitle: x\n# comment\n---\n# One\na\n", []string{"5 One: a"}},
		{"TOML front matter", "+++\ntitle = 'x'\n+++\ntext\n", []string{"4 : text"}},
		{"a rule is no front matter", "---\n\ntext\n", []string{"1 : ---||text"}},
		{"Windows", "# One\r\n\r\na\r\n## Two\r\nb\r\n", []string{"1 One: a", "4 One>Two: b"}},
		{"empty heading", "#\na\n", []string{"1 : a"}},
		{"a link's definition", "# One\n[x]: y\n", []string{"1 One: [x]: y"}},
		{"invalid bytes", "# O\nb\xffc\n", []string{"1 O: b\uFFFDc"}},
	}
	for _, tt := range tests {
		if got := shown(tt.src); !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestLongSectionsAreSplitAtBlocks(t *testing.T) {
	t.Parallel()
	para := strings.TrimSpace(strings.Repeat("word ", 140)) // 699
	item := "- " + strings.TrimSpace(strings.Repeat("item ", 120))
	tests := []struct {
		name, src string
		want      []string // line and length of each part
	}{
		{"paragraphs", "# A\n\n" + para + "\n\n" + para + "\n\n" + para + "\n", []string{"1 1400", "7 699"}},
		{"items", "# A\n" + item + "\n" + item + "\n" + item + "\n", []string{"1 1203", "4 601"}},
		{"lines", "# A\n" + strings.Repeat(strings.Repeat("x", 99)+"\n", 20), []string{"1 1499", "17 499"}},
		{"blanks", "# A\n" + strings.Repeat("wort ", 400) + "\n", []string{"1 1499", "2 499"}},
		{"nowhere", "# A\n" + strings.Repeat("é", 1600) + "\n", []string{"1 1500", "2 100"}},
		{"short", "# A\n" + strings.Repeat("é", 1500) + "\n", []string{"1 1500"}},
	}
	for _, tt := range tests {
		var got []string
		for i, s := range sections([]byte(tt.src)) {
			got = append(got, fmt.Sprintf("%d %d", s.line, utf8.RuneCountInString(s.body)))
			if s.part != i+1 {
				t.Errorf("%s: part %d is %d", tt.name, i+1, s.part)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestKeysNameSections(t *testing.T) {
	t.Parallel()
	keys := func(src string) (out []string) {
		for _, s := range sections([]byte(src)) {
			out = append(out, s.record("d/x.md").Key)
		}
		return out
	}
	long := strings.Repeat(strings.Repeat("x", 99)+"\n", 20)
	want := []string{"d/x.md#", "d/x.md#A", "d/x.md#A > B", "d/x.md#A > B~2", "d/x.md#A > C", "d/x.md#A > C/2"}
	src := "i\n# A\na\n## B\nb\n## B\nb\n## C\n" + long
	if got := keys(src); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := keys("new\nlines\n\n" + src); !slices.Equal(got, want) {
		t.Errorf("with lines put in above: got %q, want %q", got, want)
	}
}

func FuzzSections(f *testing.F) {
	for _, s := range []string{"# A\n\nb\n===\n", "---\n", "---\n---", "- a\n  - b\n\n  c", "```\n# x", "#\n##\n", "\x00\xff", "| a |\n|---|\n", "[a]: b\n# c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		lines := 1 + strings.Count(src, "\n")
		last := 0
		for _, s := range sections([]byte(src)) {
			if s.line < max(1, last) || s.line > lines {
				t.Errorf("line %d after %d of %d", s.line, last, lines)
			}
			last = s.line
			if n := utf8.RuneCountInString(strings.TrimSpace(s.body)); n == 0 || n > maxPart {
				t.Errorf("a part of %d characters", n)
			}
		}
	})
}
