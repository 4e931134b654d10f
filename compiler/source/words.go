package source

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// kindName is the node's kind as a message says it.
func (n *Node) kindName() string {
	switch n.Kind {
	case KindNull:
		return "nothing"
	case KindBool:
		return "true or false"
	case KindInt, KindFloat:
		return "a number"
	case KindList:
		return "a list"
	case KindMap:
		return "a map"
	}
	return "text"
}

// kinds says a schema's type keyword.
func kinds(t any) string {
	list, ok := t.([]any)
	if !ok {
		list = []any{t}
	}
	var out []string
	for _, k := range list {
		out = append(out, kindWord(k))
	}
	return joinOr(out)
}

func kindWord(k any) string {
	switch k {
	case "object":
		return "a map"
	case "array":
		return "a list"
	case "string":
		return "text"
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	}
	return "nothing"
}

func joinOr(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// show is a node in a message: a short scalar as it is, else its kind.
func (n *Node) show() string {
	const longest = 40
	if n.Kind == KindList || n.Kind == KindMap || n.Kind == KindNull {
		return n.kindName()
	}
	if utf8.RuneCountInString(n.Text) > longest {
		return strconv.Quote(string([]rune(n.Text)[:longest]) + "…")
	}
	return strconv.Quote(n.Text)
}
