package setup

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// splice is one text put in at one offset, in place of cut bytes.
type splice struct {
	offset, cut int
	text        string
}

func (s splice) apply(text []byte) []byte {
	out := append([]byte{}, text[:s.offset]...)
	out = append(out, s.text...)
	return append(out, text[s.offset+s.cut:]...)
}

// span is where an item of a container lies; comma is the offset of the comma
// behind it, -1 for none.
type span struct{ start, end, comma int }

// spans lists the items of an object or a list.
func (d *document) spans(c *hujson.Value) []span {
	var out []span
	add := func(start int, v *hujson.Value) {
		s := span{start, v.EndOffset, v.EndOffset + len(v.AfterExtra)}
		if s.comma >= len(d.text) || d.text[s.comma] != ',' {
			s.comma = -1
		}
		out = append(out, s)
	}
	switch c := c.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			add(c.Members[i].Name.StartOffset, &c.Members[i].Value)
		}
	case *hujson.Array:
		for i := range c.Elements {
			add(c.Elements[i].StartOffset, &c.Elements[i])
		}
	}
	return out
}

// add makes the splice that puts an entry into the document. The deepest
// container that is there takes what is missing.
func (d *document) add(r Row, entry object) splice {
	items := list{r.item(entry)}
	event := field{r.Event, items}
	hooks := field{"hooks", object{event}}
	switch {
	case d.blank:
		return d.whole(r, hooks)
	case d.event != nil:
		return d.into(d.event, func(s style) string { return render(items[0], s) })
	case d.hooks != nil:
		return d.into(d.hooks, func(s style) string { return member(event, s) })
	}
	return d.into(&d.root, func(s style) string {
		version := ""
		if r.Versioned && !d.says("version") {
			version = member(field{"version", 1}, s) + "," + s.gap()
		}
		return version + member(hooks, s)
	})
}

// whole writes a document where nothing stands.
func (d *document) whole(r Row, hooks field) splice {
	o := object{hooks}
	if r.Versioned {
		o = object{{"version", 1}, hooks}
	}
	s := style{nl: d.lineEnd(), unit: "  "}
	return splice{offset: len(d.text), text: render(o, s) + s.nl}
}

// says whether the root has a key.
func (d *document) says(key string) bool {
	o, _ := d.root.Value.(*hujson.Object)
	for i := range o.Members {
		if o.Members[i].Name.Value.(hujson.Literal).String() == key {
			return true
		}
	}
	return false
}

// into puts an item at the end of a container, unless a comment stands
// between its last item and where a comma would have to go: then at its
// beginning, since a splice has one place only.
func (d *document) into(c *hujson.Value, item func(style) string) splice {
	s := d.styleOf(c)
	open, last := c.StartOffset+1, c.EndOffset-1
	spans := d.spans(c)
	if len(spans) == 0 {
		return d.first(c, s, item(s))
	}
	end := spans[len(spans)-1]
	if end.comma >= 0 {
		rest := d.text[end.comma+1 : last]
		if bytes.Contains(rest, []byte("//")) {
			s.inline = false
		}
		return splice{offset: end.comma + 1 + len(bytes.TrimRight(rest, " \t\r\n")), text: s.gap() + item(s) + ","}
	}
	if len(bytes.TrimSpace(d.text[end.end:last])) == 0 {
		return splice{offset: end.end, text: "," + s.gap() + item(s)}
	}
	if s.inline {
		return splice{offset: open, text: item(s) + ","}
	}
	return splice{offset: open, text: s.nl + s.indent + item(s) + ","}
}
