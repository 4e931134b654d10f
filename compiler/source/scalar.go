package source

import (
	"math/big"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"kitsoki/compiler/diag"
)

// scalar is where a Str stands in its file: what At needs.
type scalar struct {
	text  *sourceText
	start int // byte offset of the value, behind anchor and tag
	style yaml.Style
	whole bool // it is the whole file
}

func (c *converter) scalar(n *yaml.Node) *Node {
	c.checkTag(n)
	out := &Node{Text: n.Value, Pos: c.pos(n), raw: c.raw(n)}
	switch n.ShortTag() {
	case "!!null":
		out.Kind = KindNull
	case "!!bool":
		out.Kind = KindBool
	case "!!int":
		out.Kind = KindInt
	case "!!float":
		out.Kind = KindFloat
	default:
		out.Kind = KindString
	}
	c.checkNumber(out)
	return out
}

// checkNumber refuses numbers that have no JSON form.
func (c *converter) checkNumber(n *Node) {
	ok := true
	switch n.Kind {
	case KindInt:
		_, ok = intJSON(n.Text)
	case KindFloat:
		_, ok = floatJSON(n.Text)
	}
	if !ok {
		n.Kind = KindString
		c.ds.Addf(diag.BadValue, n.Pos, "%s is not a number a story can hold", n.Text).
			Hintf("write a finite number, or put it in quotes")
	}
}

func intJSON(s string) (string, bool) {
	v, ok := new(big.Int).SetString(strings.ReplaceAll(strings.TrimPrefix(s, "+"), "_", ""), 0)
	if !ok {
		return "", false
	}
	return v.String(), true
}

func floatJSON(s string) (string, bool) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil || v != v || v > maxFloat || v < -maxFloat {
		return "", false
	}
	return strconv.FormatFloat(v, 'g', -1, 64), true
}

const maxFloat = 1.79769313486231570814527423731704356798070e+308

func (c *converter) str(n *yaml.Node) Str { return Str{Val: n.Value, Pos: c.pos(n), raw: c.raw(n)} }

func (c *converter) raw(n *yaml.Node) *scalar {
	return &scalar{text: c.text, start: c.skipProperties(n), style: n.Style &^ yaml.TaggedStyle}
}

// skipProperties is the offset of a scalar's own text: the parser's position
// is that of an anchor or tag before it.
func (c *converter) skipProperties(n *yaml.Node) int {
	at := c.text.offset(n.Line, n.Column)
	if n.Anchor == "" && n.Style&yaml.TaggedStyle == 0 {
		return at
	}
	s := c.text.data
	for at < len(s) && (s[at] == '&' || s[at] == '!') {
		at += wordLen(s[at:])
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\r\n"))
	}
	return at
}

func wordLen(s string) int {
	if i := strings.IndexAny(s, " \t\r\n"); i >= 0 {
		return i
	}
	return len(s)
}
