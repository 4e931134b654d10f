package source

import (
	"strings"

	"gopkg.in/yaml.v3"

	"kitsoki/compiler/diag"
)

// converter turns the YAML parser's nodes into ours: positions resolved,
// aliases followed, keys checked. An alias shares the node it names.
type converter struct {
	text     *sourceText
	ds       *diag.List
	done     map[*yaml.Node]*converted
	expanded int
	stopped  bool
}

// converted is a finished node and the number of nodes in its tree; node is
// nil while the node is being converted, which is how a cycle shows.
type converted struct {
	node *Node
	size int
}

func (c *converter) document(n *yaml.Node) *Node {
	out, _ := c.node(n, 0)
	if c.stopped {
		return nil
	}
	if out.Kind == KindNull {
		emptyFile(c.text, c.ds)
		return nil
	}
	return out
}

func (c *converter) node(n *yaml.Node, depth int) (*Node, int) {
	if c.stopped {
		return nullAt(c.pos(n)), 1
	}
	if depth > maxDepth {
		c.stopped = true
		c.ds.Addf(diag.TooLarge, c.pos(n), "more than %d levels of nesting", maxDepth)
		return nullAt(c.pos(n)), 1
	}
	if n.Kind == yaml.AliasNode {
		return c.alias(n)
	}
	entry := &converted{}
	if n.Anchor != "" {
		c.done[n] = entry
	}
	entry.node, entry.size = c.build(n, depth)
	return entry.node, entry.size
}

func (c *converter) alias(n *yaml.Node) (*Node, int) {
	entry := c.done[n.Alias]
	if entry == nil || entry.node == nil {
		c.ds.Addf(diag.BadAlias, c.pos(n), "the alias *%s stands inside the part it names", n.Value)
		c.stopped = true
		return nullAt(c.pos(n)), 1
	}
	c.expanded += entry.size
	if c.expanded > maxExpanded {
		c.ds.Addf(diag.TooLarge, c.pos(n), "aliases repeat more than %d values", maxExpanded).
			Hintf("write the parts out, or repeat less")
		c.stopped = true
	}
	return entry.node, entry.size
}

func (c *converter) build(n *yaml.Node, depth int) (*Node, int) {
	switch n.Kind {
	case yaml.MappingNode:
		return c.mapping(n, depth)
	case yaml.SequenceNode:
		return c.sequence(n, depth)
	}
	return c.scalar(n), 1
}

func (c *converter) sequence(n *yaml.Node, depth int) (*Node, int) {
	c.checkTag(n)
	out, size := &Node{Kind: KindList, Pos: c.pos(n)}, 1
	for _, item := range n.Content {
		v, k := c.node(item, depth+1)
		out.Items = append(out.Items, v)
		size += k
	}
	return out, size
}

func (c *converter) mapping(n *yaml.Node, depth int) (*Node, int) {
	c.checkTag(n)
	out, size := &Node{Kind: KindMap, Pos: c.pos(n)}, 1
	seen := map[string]diag.Pos{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, ok := c.key(n.Content[i], n)
		value, k := c.node(n.Content[i+1], depth+1)
		size += k + 1
		if !ok {
			out.refused, out.torn = true, true
		}
		if !ok || c.duplicate(seen, key) {
			continue
		}
		seen[key.Val] = key.Pos
		out.Pairs = append(out.Pairs, Pair{Key: key, Value: value})
	}
	return out, size
}

func (c *converter) duplicate(seen map[string]diag.Pos, key Str) bool {
	first, ok := seen[key.Val]
	if ok {
		c.ds.Addf(diag.DuplicateKey, key.Pos, "the key %q stands twice in this map", key.Val).
			Hintf("remove one of the two, or merge them").
			Also(first, "%q stands here first", key.Val)
	}
	return ok
}

// key reads a map's key: a scalar, as written. Numbers and booleans are
// names too.
func (c *converter) key(n, in *yaml.Node) (Str, bool) {
	if n.Kind == yaml.AliasNode && n.Alias.Kind == yaml.ScalarNode {
		return Str{Val: n.Alias.Value, Pos: c.pos(n)}, true
	}
	if n.Kind != yaml.ScalarNode {
		c.badKey(n, in)
		return Str{}, false
	}
	if n.ShortTag() == "!!merge" {
		c.ds.Addf(diag.MergeKey, c.pos(n), "the merge key << is not part of the story language").
			Hintf("write the keys out; an alias can stand for a whole value: key: *name")
		return Str{}, false
	}
	return c.str(n), true
}

func (c *converter) badKey(n, in *yaml.Node) {
	d := c.ds.Addf(diag.BadYAML, c.pos(n), "a key must be text, not a list or a map")
	if c.at(in, "{{") || c.at(n, "{{") {
		d.Hintf(`put the template in quotes: "{{ … }}"`)
	}
}

func (c *converter) at(n *yaml.Node, prefix string) bool {
	return strings.HasPrefix(c.text.data[c.text.offset(n.Line, n.Column):], prefix)
}

func (c *converter) pos(n *yaml.Node) diag.Pos { return c.text.pos(c.text.offset(n.Line, n.Column)) }

func nullAt(p diag.Pos) *Node { return &Node{Kind: KindNull, Pos: p} }

// checkTag refuses the tags of other languages, which would change what a
// value is. The plain tags (!!str, !!int …) are the parser's own.
func (c *converter) checkTag(n *yaml.Node) {
	switch n.ShortTag() {
	case "!!map", "!!seq", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!merge":
		return
	}
	c.ds.Addf(diag.BadYAML, c.pos(n), "the tag %s has no meaning in a story", n.Tag).
		Hintf("remove the tag; quote text that begins with !")
}
