package source

import (
	"slices"
	"strings"
)

// original is what a rewritten scalar says in its file, and what was put
// into it since: byte ranges of the rewritten value, ascending.
type original struct {
	val   string
	added []added
}

type added struct{ at, n int }

// Written is the scalar as its file has it, whatever was put into Val since.
func (s Str) Written() string {
	if s.was != nil {
		return s.was.val
	}
	return s.Val
}

// Insert puts text into the value at byte offsets, which ascend. At then
// still tells the places of what the file holds.
func (s Str) Insert(text string, offsets ...int) Str {
	if len(offsets) == 0 {
		return s
	}
	next := &original{val: s.Written(), added: s.was.shifted(len(text), offsets)}
	var b strings.Builder
	from := 0
	for _, at := range offsets {
		b.WriteString(s.Val[from:at])
		next.added = append(next.added, added{b.Len(), len(text)})
		b.WriteString(text)
		from = at
	}
	b.WriteString(s.Val[from:])
	slices.SortFunc(next.added, func(a, b added) int { return a.at - b.at })
	s.Val, s.was = b.String(), next
	return s
}

// shifted is what was put in so far, moved by n bytes for each offset at or
// before it.
func (o *original) shifted(n int, offsets []int) []added {
	if o == nil {
		return nil
	}
	var out []added
	for _, a := range o.added {
		before, here := slices.BinarySearch(offsets, a.at)
		if here {
			before++
		}
		out = append(out, added{a.at + before*n, a.n})
	}
	return out
}

// offset turns a byte offset in the rewritten value into one in the value as
// written; what was put in stands where it was put.
func (o *original) offset(at int) int {
	if o == nil {
		return at
	}
	less := 0
	for _, a := range o.added {
		if a.at >= at {
			break
		}
		less += min(a.n, at-a.at)
	}
	return at - less
}

// Map gives a copy of the node in which every text is what f makes of it.
// Keys and other scalars stay. It gives nil for nil.
func (n *Node) Map(f func(Str) Str) *Node {
	if n == nil {
		return nil
	}
	out := *n
	switch n.Kind {
	case KindString:
		s := f(n.Str())
		out.Text, out.was = s.Val, s.was
	case KindList:
		out.Items = make([]*Node, len(n.Items))
		for i, item := range n.Items {
			out.Items[i] = item.Map(f)
		}
	case KindMap:
		out.Pairs = make([]Pair, len(n.Pairs))
		for i, p := range n.Pairs {
			out.Pairs[i] = Pair{p.Key, p.Value.Map(f)}
		}
	}
	return &out
}
