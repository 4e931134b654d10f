package source

import (
	"strings"

	"gopkg.in/yaml.v3"

	"kitsoki/compiler/diag"
)

// At is the place of a byte offset within Val. It is exact in plain,
// single-quoted and literal scalars, and in double-quoted ones up to the
// first unusual escape; elsewhere it is the scalar's start, as it is for an
// offset outside Val.
func (s Str) At(offset int) diag.Pos {
	if s.raw == nil || offset < 0 || offset > len(s.Val) {
		return s.Pos
	}
	if s.raw.whole {
		return s.raw.text.pos(s.was.offset(offset))
	}
	w := &walk{src: s.raw.text.data, at: s.raw.start, val: s.Written(), want: s.was.offset(offset)}
	if at, ok := w.find(s.raw.style); ok {
		return s.raw.text.pos(at)
	}
	return s.Pos
}

// walk goes through a scalar's source and its value side by side, and gives
// up where they do not agree: a wrong place is worse than the scalar's start.
type walk struct {
	src  string
	at   int // in src
	val  string
	pos  int // in val
	want int // in val
}

func (w *walk) find(style yaml.Style) (int, bool) {
	switch {
	case style&yaml.LiteralStyle != 0:
		return w.literal()
	case style&yaml.FoldedStyle != 0:
		return 0, false
	case style&yaml.SingleQuotedStyle != 0:
		return w.flow('\'')
	case style&yaml.DoubleQuotedStyle != 0:
		return w.flow('"')
	}
	return w.flow(0)
}

// flow walks a plain (quote 0) or quoted scalar.
func (w *walk) flow(quote byte) (int, bool) {
	if quote != 0 {
		if w.at >= len(w.src) || w.src[w.at] != quote {
			return 0, false
		}
		w.at++
	}
	for w.pos < w.want {
		if !w.step(quote) {
			return 0, false
		}
	}
	return w.at, w.pos == w.want && !w.atUnusualEscape(quote)
}

// atUnusualEscape is true before an escape that may stand for no character
// at all, such as a line joined to the next.
func (w *walk) atUnusualEscape(quote byte) bool {
	if quote != '"' || w.at >= len(w.src) || w.src[w.at] != '\\' {
		return false
	}
	_, plain := plainEscape(w.src[w.at+1:])
	return !plain
}

func (w *walk) step(quote byte) bool {
	if n := w.foldLen(); n > 0 {
		return w.fold(n)
	}
	if w.at >= len(w.src) {
		return false
	}
	n, c := 1, w.src[w.at]
	switch {
	case quote == '\'' && strings.HasPrefix(w.src[w.at:], "''"):
		n = 2
	case quote == '"' && c == '\\':
		var ok bool
		if c, ok = plainEscape(w.src[w.at+1:]); !ok {
			return false
		}
		n = 2
	}
	return w.take(n, string([]byte{c}))
}

// plainEscape is the byte that a double-quoted escape of one letter stands
// for.
func plainEscape(s string) (byte, bool) {
	if s == "" {
		return 0, false
	}
	i := strings.IndexByte(`"\/nt`, s[0])
	if i < 0 {
		return 0, false
	}
	return "\"\\/\n\t"[i], true
}

// foldLen is the length of the blanks and line breaks at this place when
// they hold a line break, else 0.
func (w *walk) foldLen() int {
	rest := w.src[w.at:]
	n := len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	if strings.ContainsAny(rest[:n], "\r\n") {
		return n
	}
	return 0
}

// fold takes a folded line break: one break is a blank, each further one a
// new line.
func (w *walk) fold(n int) bool {
	breaks := strings.Count(strings.ReplaceAll(w.src[w.at:w.at+n], "\r\n", "\n"), "\n")
	if breaks == 1 {
		return w.take(n, " ")
	}
	return w.take(n, strings.Repeat("\n", breaks-1))
}

func (w *walk) take(n int, s string) bool {
	if !strings.HasPrefix(w.val[w.pos:], s) {
		return false
	}
	w.at += n
	w.pos += len(s)
	return true
}

// literal walks a | block line by line.
func (w *walk) literal() (int, bool) {
	w.nextLine()
	indent, ok := w.indent()
	for ok {
		line := w.line()
		text := strings.TrimPrefix(line, line[:min(indent, blanks(line))])
		w.at += len(line) - len(text)
		if w.want <= w.pos+len(text) {
			return w.at + w.want - w.pos, strings.HasPrefix(w.val[w.pos:], text)
		}
		ok = w.take(len(text), text) && w.take(0, "\n") && w.nextLine()
	}
	return 0, false
}

// indent compares the block's first line that is not blank with the value's:
// the difference is what YAML stripped.
func (w *walk) indent() (int, bool) {
	value := strings.TrimLeft(w.val, "\n")
	value, _, _ = strings.Cut(value, "\n")
	probe := *w
	for strings.TrimSpace(probe.line()) == "" {
		if !probe.nextLine() {
			return 0, false
		}
	}
	n := len(probe.line()) - len(value)
	return n, n >= 0
}

func blanks(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func (w *walk) line() string {
	rest := w.src[w.at:]
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		return rest[:i]
	}
	return rest
}

func (w *walk) nextLine() bool {
	w.at += len(w.line())
	n := breakLen(w.src[w.at:])
	w.at += n
	return n > 0
}
