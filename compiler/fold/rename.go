package fold

import (
	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/engine/expr"
)

// renamer puts a prefix before the names of one story. It finds them with
// the parsers of the languages they stand in, so that the same letters in a
// text stay; what a parser can't read stays as it is and is reported later.
type renamer struct {
	alias  string
	prefix string
	kept   map[string]bool // intents that keep their names
	ds     *diag.List
}

// name prefixes a name that is there.
func (r *renamer) name(s source.Str) source.Str {
	if s.Val == "" {
		return s
	}
	return s.Insert(r.prefix, 0)
}

// key prefixes a world key that is not the engine's.
func (r *renamer) key(s source.Str) source.Str {
	if engineKey(s.Val) {
		return s
	}
	return r.name(s)
}

func (r *renamer) intent(s source.Str) source.Str {
	if r.kept[s.Val] {
		return s
	}
	return r.name(s)
}

func (r *renamer) keys(list []source.Str) []source.Str {
	out := make([]source.Str, len(list))
	for i, s := range list {
		out[i] = r.key(s)
	}
	return out
}

// keyed prefixes the keys of a map that are world keys, and its values.
func (r *renamer) keyed(pairs []source.Pair) []source.Pair {
	out := r.values(pairs)
	for i := range out {
		out[i].Key = r.key(out[i].Key)
	}
	return out
}

// values rewrites what stands on the right of keys.
func (r *renamer) values(pairs []source.Pair) []source.Pair {
	out := make([]source.Pair, len(pairs))
	for i, p := range pairs {
		out[i] = source.Pair{Key: p.Key, Value: p.Value.Map(r.value)}
	}
	return out
}

// value rewrites the expressions in a value.
func (r *renamer) value(s source.Str) source.Str {
	pieces, err := expr.Split(s.Val)
	if err != nil {
		return s
	}
	var offsets []int
	for _, p := range pieces {
		if p.IsExpr {
			keys, bare := expr.Mentions(p.Expr, "world")
			offsets = append(offsets, r.mentioned(s, p.Offset, keys, bare)...)
		}
	}
	return s.Insert(r.prefix, offsets...)
}

// guard rewrites an expression.
func (r *renamer) guard(s source.Str) source.Str {
	keys, bare := expr.Mentions(s.Val, "world")
	return s.Insert(r.prefix, r.mentioned(s, 0, keys, bare)...)
}

// text rewrites a text template.
func (r *renamer) text(s source.Str) source.Str {
	keys, bare := expr.TextMentions(s.Val, "world")
	return s.Insert(r.prefix, r.mentioned(s, 0, keys, bare)...)
}

// mentioned gives the places of world keys in a scalar whose part begins at
// a byte offset. The world as a whole would hold the keys of other stories.
func (r *renamer) mentioned(s source.Str, base int, keys []expr.Mention, bare []int) []int {
	for _, at := range bare {
		r.ds.Addf(diag.WholeWorld, s.At(base+at), "an imported story can't use the world as a whole").
			Hintf("name the key: world.key")
	}
	var out []int
	for _, m := range keys {
		if !engineKey(m.Key) {
			out = append(out, base+m.Offset)
		}
	}
	return out
}

// phrase rewrites the rules that a pattern names.
func (r *renamer) phrase(s source.Str) source.Str {
	n, err := pattern.Parse(s.Val)
	if err != nil {
		return s
	}
	var offsets []int
	n.Walk(func(n *pattern.Node) {
		if n.Kind == pattern.Rule {
			offsets = append(offsets, n.Offset+len("<"))
		}
	})
	return s.Insert(r.prefix, offsets...)
}

func (r *renamer) phrases(list []source.Str) []source.Str {
	out := make([]source.Str, len(list))
	for i, s := range list {
		out[i] = r.phrase(s)
	}
	return out
}
