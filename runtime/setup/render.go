package setup

import (
	"bytes"
	"encoding/json"
	"strings"
)

// field is one member of an object that is written in its order.
type field struct {
	name  string
	value any // text, int, []string, object or list
}

type (
	object []field
	list   []any
)

// style is how a text is laid out: on one line, or in lines that begin with
// indent and go in by unit.
type style struct {
	inline       bool
	nl           string // the line end
	indent, unit string
}

func (s style) deeper() style {
	s.indent += s.unit
	return s
}

// render writes a value; its first line carries no indentation.
func render(v any, s style) string {
	switch v := v.(type) {
	case object:
		parts := make([]string, len(v))
		for i, f := range v {
			parts[i] = member(f, s.deeper())
		}
		return enclosed("{", parts, "}", s)
	case list:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = render(e, s.deeper())
		}
		return enclosed("[", parts, "]", s)
	case []string:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = literal(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return literal(v)
}

func member(f field, s style) string { return literal(f.name) + ": " + render(f.value, s) }

func enclosed(left string, parts []string, right string, s style) string {
	if s.inline {
		return left + strings.Join(parts, ", ") + right
	}
	inner := s.nl + s.indent + s.unit
	return left + inner + strings.Join(parts, ","+inner) + s.nl + s.indent + right
}

// literal leaves < > & as they are: people read these files.
func literal(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "null" // a text or a number can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}
