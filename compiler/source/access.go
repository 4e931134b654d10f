package source

import "strconv"

// The accessors are forgiving: what is missing or of the wrong kind has been
// reported by the schema and is absent here.

// str is a scalar under a key, as written; absent when it is none, or null.
func (n *Node) str(key string) Str {
	v := n.Get(key)
	if v == nil || v.Kind == KindNull || v.Kind == KindList || v.Kind == KindMap {
		return Str{}
	}
	return v.Str()
}

func (n *Node) flag(key string) bool {
	v := n.Get(key)
	return v != nil && v.isTrue()
}

func (n *Node) number(key string) int {
	i, err := strconv.Atoi(n.str(key).Val)
	if err != nil {
		return 0
	}
	return i
}

// list is the items of a list under a key.
func (n *Node) list(key string) []*Node {
	if v := n.Get(key); v != nil && v.Kind == KindList {
		return v.Items
	}
	return nil
}

// pairs is the pairs of a map under a key.
func (n *Node) pairs(key string) []Pair {
	if v := n.Get(key); v != nil && v.Kind == KindMap {
		return v.Pairs
	}
	return nil
}

// strs is the scalars of a list under a key.
func (n *Node) strs(key string) []Str { return n.Get(key).scalars() }

// scalars is the scalars among a list's items.
func (n *Node) scalars() []Str {
	if n == nil {
		return nil
	}
	var out []Str
	for _, item := range n.Items {
		if item.Kind != KindNull && item.Kind != KindList && item.Kind != KindMap {
			out = append(out, item.Str())
		}
	}
	return out
}
