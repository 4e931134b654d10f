package source

import (
	"sort"
	"unicode/utf8"

	"kitsoki/compiler/diag"
)

// sourceText is one file's text, without a byte order mark, with the two
// ways to count its lines: YAML's, which ends a line at more characters than
// an editor does, and an editor's, in which positions are reported.
type sourceText struct {
	path        string
	data        string
	yamlLines   []int // byte offset of each line as the YAML parser counts
	editorLines []int
}

func newText(path, data string) *sourceText {
	t := &sourceText{path: path, data: data, yamlLines: []int{0}, editorLines: []int{0}}
	for i := 0; i < len(data); {
		n := breakLen(data[i:])
		if n == 0 {
			i++
			continue
		}
		ascii := data[i] < utf8.RuneSelf
		i += n
		t.yamlLines = append(t.yamlLines, i)
		if ascii {
			t.editorLines = append(t.editorLines, i)
		}
	}
	return t
}

// breakLen is the length of the line break s begins with, 0 for none.
func breakLen(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '\n':
		return 1
	case s[0] == '\r' && len(s) > 1 && s[1] == '\n':
		return 2
	case s[0] == '\r':
		return 1
	case len(s) > 1 && s[:2] == "\u0085":
		return 2
	case len(s) > 2 && (s[:3] == "\u2028" || s[:3] == "\u2029"):
		return 3
	}
	return 0
}

// offset turns a line and column of the YAML parser, both from 1, into a
// byte offset.
func (t *sourceText) offset(line, col int) int {
	if line < 1 || line > len(t.yamlLines) {
		return len(t.data)
	}
	at := t.yamlLines[line-1]
	for ; col > 1 && at < len(t.data); col-- {
		_, n := utf8.DecodeRuneInString(t.data[at:])
		at += n
	}
	return at
}

// pos is the place of a byte offset.
func (t *sourceText) pos(off int) diag.Pos {
	off = min(max(off, 0), len(t.data))
	line := sort.SearchInts(t.editorLines, off+1)
	start := t.editorLines[line-1]
	return diag.Pos{File: t.path, Line: line, Col: 1 + utf8.RuneCountInString(t.data[start:off])}
}

// start is the place to name when a file as a whole is meant.
func (t *sourceText) start() diag.Pos { return diag.Pos{File: t.path, Line: 1, Col: 1} }
