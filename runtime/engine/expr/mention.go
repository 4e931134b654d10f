package expr

import (
	"sort"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

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
	found := map[string]bool{}
	walk(src, func(n ast.Node) {
		if r, key := path(n); r == root {
			found[key] = true
		}
	})
	return sorted(found)
}

// TextKeys are the keys below a root a text template names, sorted.
func TextKeys(src, root string) []string {
	segs, _ := segments(src)
	found := map[string]bool{}
	for _, s := range segs {
		for i, t := range s.tokens {
			if t.text != root || isField(s.tokens, i) {
				continue
			}
			if key, ok := keyAfter(s.tokens, i); ok {
				found[key.name] = true
			}
		}
	}
	return sorted(found)
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
