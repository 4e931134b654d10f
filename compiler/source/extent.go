package source

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// decodeAllow reads lint: {allow: {CODE: reason}}.
func decodeAllow(n *Node) []Allow {
	var out []Allow
	for _, p := range n.Get("lint").pairs("allow") {
		out = append(out, Allow{Word: p.Key, Reason: p.Value.Str()})
	}
	return out
}

func decodeExempt(n *Node) Exempt { return Exempt{Allow: decodeAllow(n), Last: n.lastLine()} }

// lastLine is the last line that a node reaches.
func (n *Node) lastLine() int {
	last := n.Pos.Line
	for _, p := range n.Pairs {
		last = max(last, p.Key.Pos.Line, p.Value.lastLine())
	}
	for _, item := range n.Items {
		last = max(last, item.lastLine())
	}
	if n.raw == nil {
		return last
	}
	if n.raw.style&yaml.FoldedStyle != 0 {
		return last + n.raw.foldedLines()
	}
	return max(last, n.Str().At(len(n.Text)).Line)
}

// foldedLines counts the lines below the indicator of a folded scalar, which
// no walk along its value can.
func (s *scalar) foldedLines() int {
	lines := strings.Split(s.text.data[s.start:], "\n")[1:]
	indent, count := 0, 0
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		if strings.TrimSpace(text) == "" {
			continue
		}
		if indent == 0 {
			indent = len(line) - len(text)
		}
		if len(line)-len(text) < indent || indent == 0 {
			break
		}
		count = i + 1
	}
	return count
}

// Plain tells whether the scalar is written without quotes on a line of its
// file, as is most text.
func (s Str) Plain() bool { return s.raw != nil && s.raw.style == 0 }

// Extent gives the bytes of the file that a plain or quoted scalar takes,
// without a byte order mark; ok is false for others, and where the text can't
// be followed.
func (s Str) Extent() (start, end int, ok bool) {
	if s.raw == nil || s.raw.style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return 0, 0, false
	}
	w := &walk{src: s.raw.text.data, at: s.raw.start, val: s.Val, want: len(s.Val)}
	end, ok = w.find(s.raw.style)
	if s.raw.style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		end++
	}
	return s.raw.start, end, ok
}
