package index

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxPart bounds a record, in code points: several have to fit into a prompt,
// and each whole.
const maxPart = 1500

// section is a part of a Markdown file under one heading.
type section struct {
	trail []string // the headings above it, outermost first, and its own
	part  int      // from 1: a long section has several
	again int      // how many sections with the same trail came before
	line  int      // from 1: the heading's; of a further part, its first
	body  string
}

// block is a stretch of a file that is not cut when it fits.
type block struct{ from, to int }

// sections cuts a Markdown file at its headings (ATX and Setext, as CommonMark
// has them), and what is longer than a part at its blocks, items and lines. A
// section without text of its own is none. Front matter is no text.
func sections(src []byte) []section {
	base := frontMatter(src)
	body := src[base:]
	c := cutter{src: src, base: base, text: base, seen: map[string]int{}}
	root := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	).Parse(text.NewReader(body))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Pos() >= 0 {
			c.heading(h)
		}
		c.block(n)
	}
	c.close(len(src))
	return c.out
}

// frontMatter is the length of a block between lines of three dashes, or of
// three plus signs, at the very beginning, 0 when there is none.
func frontMatter(src []byte) int {
	for _, fence := range []string{"---", "+++"} {
		if first, _, ok := bytes.Cut(src, []byte("\n")); !ok || strings.TrimRight(string(first), " \t\r") != fence {
			continue
		}
		for at := nextLine(src, 0); at < len(src); at = nextLine(src, at) {
			if string(bytes.TrimRight(lineAt(src, at), " \t\r\n")) == fence {
				return nextLine(src, at)
			}
		}
	}
	return 0
}

// cutter goes over the blocks of a file.
type cutter struct {
	src    []byte
	base   int // where what was parsed begins
	trail  []string
	levels []int
	start  int // where the heading at hand begins
	text   int // and where its text does
	blocks []int
	nodes  []ast.Node
	seen   map[string]int
	out    []section
}

// heading ends the section before, and opens one.
func (c *cutter) heading(h *ast.Heading) {
	at := lineStart(c.src, c.base+h.Pos())
	c.close(at)
	for len(c.levels) > 0 && c.levels[len(c.levels)-1] >= h.Level {
		c.levels, c.trail = c.levels[:len(c.levels)-1], c.trail[:len(c.trail)-1]
	}
	title, end := "", nextLine(c.src, at)
	if n := h.Lines().Len(); n > 0 {
		title = strings.TrimSpace(string(h.Lines().Value(c.src[c.base:])))
		end = nextLine(c.src, c.base+h.Lines().At(n-1).Start)
		if !atx(lineAt(c.src, at)) { // the line of dashes below
			end = nextLine(c.src, end)
		}
	}
	c.levels = append(c.levels, h.Level)
	c.trail = append(c.trail[:len(c.trail):len(c.trail)], strings.Join(strings.Fields(title), " "))
	c.start, c.text = at, end
}

// atx tells a heading that begins with its signs.
func atx(line []byte) bool {
	rest := bytes.TrimLeft(bytes.TrimRight(line, "\r\n"), " ")
	signs := len(rest) - len(bytes.TrimLeft(rest, "#"))
	return signs > 0 && (signs == len(rest) || rest[signs] == ' ' || rest[signs] == '\t')
}

// block notes a block of the section at hand.
func (c *cutter) block(n ast.Node) {
	if n.Kind() == ast.KindHeading || n.Pos() < 0 {
		return
	}
	c.blocks = append(c.blocks, lineStart(c.src, c.base+n.Pos()))
	c.nodes = append(c.nodes, n)
}

// close writes the section that ends at a byte.
func (c *cutter) close(end int) {
	if strings.TrimSpace(string(c.src[min(c.text, end):end])) != "" {
		key := strings.Join(c.trail, "\x00")
		for i, p := range c.parts(end) {
			body := strings.Trim(string(bytes.ToValidUTF8(c.src[p.from:p.to], []byte("\uFFFD"))), "\r\n")
			line := 1 + bytes.Count(c.src[:p.from], []byte("\n"))
			if i == 0 && len(c.trail) > 0 {
				line = 1 + bytes.Count(c.src[:c.start], []byte("\n"))
			}
			c.out = append(c.out, section{trail: c.trail, part: i + 1, again: c.seen[key], line: line, body: strings.TrimRight(body, " \t\r\n")})
		}
		c.seen[key]++
	}
	c.blocks, c.nodes = nil, nil
}

// parts puts the blocks of the section at hand together, as many as fit.
func (c *cutter) parts(end int) []block {
	from := c.text
	if c.fits(from, end) {
		return []block{{from, end}}
	}
	var out []block
	for _, b := range c.pieces(from, end) {
		if last := len(out) - 1; last >= 0 && c.fits(out[last].from, b.to) {
			out[last].to = b.to
			continue
		}
		out = append(out, b)
	}
	return out
}

// pieces are the blocks between two bytes, each small enough.
func (c *cutter) pieces(from, end int) []block {
	var cuts []int
	for i, at := range c.blocks {
		cuts = append(cuts, at)
		next := end
		if i+1 < len(c.blocks) {
			next = c.blocks[i+1]
		}
		if !c.fits(at, next) {
			cuts = append(cuts, c.within(c.nodes[i], at, next)...)
		}
	}
	var out []block
	for _, at := range append(cuts, end) {
		if at > from {
			out = append(out, block{from, at})
			from = at
		}
	}
	return out
}

// within finds places to cut a block that is too long: at the items of a
// list, else before a line, and inside a line when there is no other way.
func (c *cutter) within(n ast.Node, from, end int) []int {
	var cuts []int
	if n.Kind() == ast.KindList {
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			cuts = append(cuts, lineStart(c.src, c.base+item.Pos()))
		}
	}
	return c.lines(cuts, from, end)
}

// lines adds cuts where what lies between two of them is too long.
func (c *cutter) lines(cuts []int, from, end int) []int {
	var out []int
	for _, next := range append(cuts, end) {
		for !c.fits(from, next) {
			from = c.longest(from, next)
			out = append(out, from)
		}
		if next < end && next > from {
			out, from = append(out, next), next
		}
	}
	return out
}

// longest is where a part that begins at a byte has to end: behind its last
// whole line, or its last blank, or its last character.
func (c *cutter) longest(from, end int) int {
	limit := from
	for n := 0; n < maxPart && limit < end; n++ {
		_, size := utf8.DecodeRune(c.src[limit:])
		limit += size
	}
	for _, sep := range []string{"\n", " "} {
		if i := bytes.LastIndex(c.src[from:limit], []byte(sep)); i > 0 {
			return from + i + 1
		}
	}
	return limit
}

// fits tells whether what lies between two bytes makes one part.
func (c *cutter) fits(from, end int) bool {
	return utf8.RuneCount(bytes.TrimSpace(c.src[from:end])) <= maxPart
}

// lineStart is where the line begins that has byte i.
func lineStart(src []byte, i int) int { return bytes.LastIndexByte(src[:i], '\n') + 1 }

// nextLine is where the line after the one of byte i begins.
func nextLine(src []byte, i int) int {
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(src)
}

// lineAt is the line that begins at byte i, with its end.
func lineAt(src []byte, i int) []byte { return src[i:nextLine(src, i)] }
