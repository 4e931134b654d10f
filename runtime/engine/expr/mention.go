package expr

import (
	"sort"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// Mention is one place that names a key below a root. Offset is the byte in
// the source where the key's name begins, behind a quotation mark.
type Mention struct {
	Key    string
	Offset int
}

// Roots are the roots an expression names, sorted; nil when it can't be
// read.
func Roots(src string) []string {
	found := map[string]bool{}
	walk(src, func(n ast.Node) {
		id, ok := n.(*ast.IdentifierNode)
		if ok && isRoot(id.Value) {
			found[id.Value] = true
		}
	})
	return sorted(found)
}

// Keys are the keys below a root an expression names, sorted.
func Keys(src, root string) []string {
	keys, _ := Mentions(src, root)
	return names(keys)
}

// TextKeys are the keys below a root a text template names, sorted.
func TextKeys(src, root string) []string {
	keys, _ := TextMentions(src, root)
	return names(keys)
}

func names(list []Mention) []string {
	found := map[string]bool{}
	for _, m := range list {
		found[m.Key] = true
	}
	return sorted(found)
}

// Mentions are the places where an expression names a key below a root, in
// order. bare are the bytes at which the root stands without a key that can
// be read off: as a value of its own, or with a computed key.
func Mentions(src, root string) (keys []Mention, bare []int) {
	at, keyed := map[int]bool{}, map[int]bool{}
	walk(src, func(n ast.Node) {
		r, key := path(n)
		switch id, ok := n.(*ast.IdentifierNode); {
		case ok && id.Value == root:
			at[byteOffset(src, id.Location().From)] = true
		case r == root:
			m := n.(*ast.MemberNode)
			keyed[byteOffset(src, m.Node.Location().From)] = true
			keys = append(keys, Mention{key, nameStart(src, byteOffset(src, m.Property.Location().From))})
		}
	})
	for off := range at {
		if !keyed[off] {
			bare = append(bare, off)
		}
	}
	sort.Ints(bare)
	return ordered(keys), bare
}

// TextMentions does for a text template what Mentions does for an
// expression. Names that the template declares itself are none.
func TextMentions(src, root string) (keys []Mention, bare []int) {
	segs, _ := segments(src)
	walkNames(segs, func(toks []token, i int) {
		if toks[i].text != root {
			return
		}
		if key, ok := keyAfter(toks, i); ok {
			keys = append(keys, Mention{key.name, nameStart(src, key.offset)})
		} else {
			bare = append(bare, toks[i].offset)
		}
	})
	return ordered(keys), bare
}

// nameStart is where a key's name begins: behind the quotation mark of one
// in brackets.
func nameStart(src string, at int) int {
	if at < len(src) && kindAt(src[at]) == tokString || at < len(src) && src[at] == '`' {
		return at + 1
	}
	return at
}

// ordered sorts by place and drops what was met twice.
func ordered(list []Mention) []Mention {
	sort.Slice(list, func(i, j int) bool { return list[i].Offset < list[j].Offset })
	var out []Mention
	for _, m := range list {
		if n := len(out); n == 0 || out[n-1] != m {
			out = append(out, m)
		}
	}
	return out
}

func walk(src string, f func(ast.Node)) {
	defer func() { _ = recover() }() // unreadable: nothing is named
	if tooLong(src) != nil {
		return
	}
	tree, err := parser.ParseWithConfig(src, config())
	if err == nil {
		inspect(tree.Node, f)
	}
}

func isRoot(name string) bool {
	switch name {
	case "world", "slots", "event", "args", "item", "result":
		return true
	}
	return false
}

func sorted(set map[string]bool) []string {
	var out []string
	for k := range set {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
