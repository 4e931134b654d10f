package source

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Str is a scalar node as text, with what At needs. That of a list or map is
// empty, with its place.
func (n *Node) Str() Str {
	if n == nil {
		return Str{}
	}
	return Str{Val: n.Text, Pos: n.Pos, raw: n.raw, was: n.was}
}

// Get is the value of a map's key; nil when n is no map or lacks the key.
func (n *Node) Get(key string) *Node {
	if _, v := n.pair(key); v != nil {
		return v
	}
	return nil
}

func (n *Node) pair(key string) (Str, *Node) {
	if n == nil {
		return Str{}, nil
	}
	for _, p := range n.Pairs {
		if p.Key.Val == key {
			return p.Key, p.Value
		}
	}
	return Str{}, nil
}

func nodeJSON(n *Node) json.RawMessage {
	var b bytes.Buffer
	n.writeJSON(&b)
	return b.Bytes()
}

func (n *Node) writeJSON(b *bytes.Buffer) {
	switch n.Kind {
	case KindList:
		b.WriteByte('[')
		for i, item := range n.Items {
			comma(b, i)
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case KindMap:
		b.WriteByte('{')
		for i, p := range n.Pairs {
			comma(b, i)
			b.WriteString(quoted(p.Key.Val))
			b.WriteByte(':')
			p.Value.writeJSON(b)
		}
		b.WriteByte('}')
	default:
		b.WriteString(n.scalarJSON())
	}
}

func comma(b *bytes.Buffer, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

func (n *Node) scalarJSON() string {
	switch n.Kind {
	case KindNull:
		return "null"
	case KindBool:
		if n.isTrue() {
			return "true"
		}
		return "false"
	case KindInt:
		s, _ := intJSON(n.Text)
		return s
	case KindFloat:
		s, _ := floatJSON(n.Text)
		return s
	}
	return quoted(n.Text)
}

func (n *Node) isTrue() bool { return n.Kind == KindBool && strings.EqualFold(n.Text, "true") }

// quoted is s as a JSON string, with <, > and & as they are.
func quoted(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return string(bytes.TrimRight(b.Bytes(), "\n"))
}

// value is the node as encoding/json would decode it: what the JSON Schema
// validator takes.
func (n *Node) value() any {
	switch n.Kind {
	case KindNull:
		return nil
	case KindBool:
		return n.isTrue()
	case KindInt, KindFloat:
		return json.Number(n.scalarJSON())
	case KindList:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = item.value()
		}
		return out
	case KindMap:
		out := make(map[string]any, len(n.Pairs))
		for _, p := range n.Pairs {
			out[p.Key.Val] = p.Value.value()
		}
		return out
	}
	return n.Text
}
