package setup

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// gap is what stands before an item.
func (s style) gap() string {
	if s.inline {
		return " "
	}
	return s.nl + s.indent
}

// styleOf is how the items of a container are laid out; indent is theirs.
func (d *document) styleOf(c *hujson.Value) style {
	outer := d.indentAt(c.StartOffset)
	s := style{nl: d.lineEnd(), unit: d.unit(), indent: outer + d.unit()}
	spans := d.spans(c)
	if len(spans) == 0 {
		s.inline = d.flat(&d.root)
		return s
	}
	s.inline = d.flat(c)
	if !s.inline {
		s.indent = d.indentAt(spans[0].start)
		if deeper, ok := bytes.CutPrefix([]byte(s.indent), []byte(outer)); ok && len(deeper) > 0 {
			s.unit = string(deeper)
		}
	}
	return s
}

// flat says whether a container has items, the first on the line where the
// container begins.
func (d *document) flat(c *hujson.Value) bool {
	spans := d.spans(c)
	return len(spans) > 0 && !bytes.Contains(d.text[c.StartOffset:spans[0].start], []byte("\n"))
}

// unit is by how much the root's items are indented, two blanks when that
// cannot be seen.
func (d *document) unit() string {
	if spans := d.spans(&d.root); len(spans) > 0 && !d.flat(&d.root) {
		if in := d.indentAt(spans[0].start); in != "" {
			return in
		}
	}
	return "  "
}

// indentAt is the white space at the beginning of the line of an offset.
func (d *document) indentAt(offset int) string {
	line := d.text[bytes.LastIndexByte(d.text[:offset], '\n')+1 : offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// lineEnd is the one of the first line.
func (d *document) lineEnd() string {
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// first puts an item into an empty container.
func (d *document) first(c *hujson.Value, s style, text string) splice {
	open, last := c.StartOffset+1, c.EndOffset-1
	if s.inline {
		return splice{offset: open, text: text}
	}
	text = s.nl + s.indent + text
	if !bytes.Contains(d.text[open:last], []byte("\n")) {
		text += s.nl + d.indentAt(c.StartOffset)
	}
	return splice{offset: open, text: text}
}

// renew makes the splice that puts an entry in the place of another one.
func (d *document) renew(old Entry, entry object) splice {
	at, to := old.value.StartOffset, old.value.EndOffset
	s := style{
		inline: !bytes.Contains(d.text[at:to], []byte("\n")),
		nl:     d.lineEnd(), indent: d.indentAt(at), unit: d.unit(),
	}
	return splice{offset: at, cut: to - at, text: render(entry, s)}
}

// without takes an entry out by its structure: the containers that hold
// nothing else go with it, and one comma. Comments around it stay.
func (d *document) without(e Entry) []byte {
	path := e.path
	last := path[len(path)-1]
	for len(path) > 1 && (len(d.spans(last.container)) == 1 || isGroup(path)) {
		path = path[:len(path)-1]
		last = path[len(path)-1]
	}
	spans := d.spans(last.container)
	at := spans[last.index]
	from, to := at.start, at.end
	if at.comma >= 0 {
		to = at.comma + 1
	}
	from = len(bytes.TrimRight(d.text[:from], " \t\r\n"))
	out := splice{offset: from, cut: to - from}.apply(d.text)
	if at.comma < 0 && last.index > 0 {
		out = splice{offset: spans[last.index-1].comma, cut: 1}.apply(out)
	}
	return out
}

// isGroup says whether the innermost step is the list of hooks of a group,
// whose other keys mean nothing without it.
func isGroup(path []step) bool {
	_, object := path[len(path)-1].container.Value.(*hujson.Object)
	return object && len(path) > 3
}
