package source

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"kitsoki/runtime/text"

	"kitsoki/compiler/diag"
)

// reporter turns the validator's failures in one file into diagnostics.
type reporter struct {
	check *checker
	root  *Node
	ds    *diag.List
	meant map[*Node]string // the keys that a map's unknown keys were meant to be
}

// judge validates one file and reports each mistake once.
func (c *checker) judge(root *Node, included bool, ds *diag.List) {
	found, err := c.failures(root, included)
	if err != nil {
		ds.Addf(diag.BadSchema, root.Pos, "%s", err)
		return
	}
	r := &reporter{check: c, root: root, ds: ds, meant: map[*Node]string{}}
	seen := map[string]bool{}
	for _, f := range found {
		if key := f.order(); !seen[key] {
			seen[key] = true
			r.report(f)
		}
	}
}

// spot is the place of a failure: the value, and the key or index it stands
// under.
type spot struct {
	node *Node
	root bool
	key  Str    // zero for a list's item and the root
	name string // for messages: `examples`, item 2 of `examples`, the file
}

func (r *reporter) spot(path []string) spot {
	s := spot{node: r.root, root: true, name: "the file"}
	parent := ""
	for _, p := range path {
		switch s.node.Kind {
		case KindMap:
			key, v := s.node.pair(p)
			s = spot{node: v, key: key, name: "`" + p + "`"}
			parent = p
		case KindList:
			i, _ := strconv.Atoi(p)
			s = spot{node: s.node.Items[i], name: fmt.Sprintf("item %d of `%s`", i+1, parent)}
		}
	}
	return s
}

// place is the key's position when there is one: what an author looks for.
func (s spot) place() diag.Pos {
	if s.key.Val != "" {
		return s.key.Pos
	}
	return s.node.Pos
}

func (r *reporter) report(f failure) {
	s := r.spot(f.instance)
	switch f.keyword {
	case "additionalProperties":
		r.unknownKeys(s, f.owner)
	case "required":
		r.missing(s, f.owner)
	case "not", kwUnused:
		r.refused(s, f)
	case "type":
		r.wrongKind(s, f.owner)
	case "enum":
		r.notListed(s, f.owner)
	default:
		r.badValue(s, f)
	}
}

func (r *reporter) unknownKeys(s spot, owner map[string]any) {
	known := supported(owner)
	s.node.refused = true
	for _, p := range s.node.Pairs {
		if r.allows(owner, p.Key.Val) {
			continue
		}
		d := r.ds.Addf(diag.UnknownKey, p.Key.Pos, "unknown key %q%s", p.Key.Val, in(s))
		if near := text.Nearest(p.Key.Val, known); near != "" {
			d.Hintf("did you mean %q?", near)
			r.meant[s.node] += " " + near
		} else if len(known) > 0 {
			d.Hintf("the keys here are %s", strings.Join(known, ", "))
		}
	}
}

func in(s spot) string {
	if s.root {
		return ""
	}
	return " in " + s.name
}

// allows repeats the rule of additionalProperties, which names no key.
func (r *reporter) allows(owner map[string]any, key string) bool {
	if props, _ := owner["properties"].(map[string]any); props[key] != nil {
		return true
	}
	patterns, _ := owner["patternProperties"].(map[string]any)
	for p := range patterns {
		if ok, err := regexp.MatchString(p, key); ok && err == nil {
			return true
		}
	}
	return false
}

// supported lists the keys worth suggesting.
func supported(owner map[string]any) []string {
	var out []string
	props, _ := owner["properties"].(map[string]any)
	for name, s := range props {
		m, _ := s.(map[string]any)
		if m[kwUnsupported] == nil && m[kwUnused] == nil {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

func (r *reporter) missing(s spot, owner map[string]any) {
	if s.node.torn {
		return
	}
	names, _ := owner["required"].([]any)
	for _, n := range names {
		name, _ := n.(string)
		if s.node.Get(name) != nil || slices.Contains(strings.Fields(r.meant[s.node]), name) {
			continue
		}
		d := r.ds.Addf(diag.MissingKey, s.place(), "%s has no %q", s.name, name)
		if what := r.check.describe(r.check.properties(owner)[name]); what != "" {
			d.Hintf("add %s: %s", name, what)
		}
	}
}

// refused reports a key, or one value of a key, that the schema's own
// keywords speak about.
func (r *reporter) refused(s spot, f failure) {
	switch {
	case f.keyword == kwUnused:
		r.ds.Addf(diag.Unused, s.place(), "%s is not used by the compiled gate", s.name).
			Hintf("it does no harm; remove it when no other program reads it")
	case f.conditional:
		r.ds.Addf(diag.Unsupported, s.node.Pos, "%s can't be %s: it is not supported", s.name, s.node.show()).
			Hintf("%s", f.reason())
	default:
		r.ds.Addf(diag.Unsupported, s.place(), "%s is not supported", s.name).Hintf("%s", f.reason())
	}
}

func (r *reporter) wrongKind(s spot, owner map[string]any) {
	want := kinds(owner["type"])
	d := r.ds.Addf(diag.WrongKind, s.node.Pos, "%s must be %s, not %s", s.name, want, s.node.kindName())
	switch {
	case s.node.Kind == KindNull:
		d.Hintf("give it a value, or leave the key out")
	case want == "text" && len(s.node.Text) > 0:
		d.Hintf("put it in quotes: %q", s.node.Text)
	case want == "a list" && s.node.Kind == KindString:
		d.Hintf("write it as a list: [%s]", quoted(s.node.Text))
	}
}

func (r *reporter) notListed(s spot, owner map[string]any) {
	var allowed []string
	list, _ := owner["enum"].([]any)
	for _, v := range list {
		allowed = append(allowed, fmt.Sprint(v))
	}
	d := r.ds.Addf(diag.BadValue, s.node.Pos, "%s can't be %s", s.name, s.node.show())
	if near := text.Nearest(s.node.Text, allowed); near != "" {
		d.Hintf("did you mean %q?", near)
		return
	}
	d.Hintf("use %s", strings.Join(allowed, ", "))
}

func (r *reporter) badValue(s spot, f failure) {
	says, _ := f.owner[kwSays].(string)
	switch {
	case f.keyword == "oneOf" && s.node.refused:
	case f.keyword == "oneOf":
		s.node.refused = true
		r.ds.Addf(diag.BadValue, s.node.Pos, "%s must have %s", s.name, says)
	case says != "" && f.ofName:
		r.ds.Addf(diag.BadValue, s.place(), "the key %q must be %s", s.key.Val, says)
	case says != "":
		r.ds.Addf(diag.BadValue, s.place(), "%s must be %s, not %s", s.name, says, s.node.show())
	case strings.HasPrefix(f.keyword, "min"):
		r.ds.Addf(diag.BadValue, s.node.Pos, "%s is empty", s.name).
			Hintf("give it a value, or leave the key out")
	default:
		r.ds.Addf(diag.BadValue, s.node.Pos, "%s can't be %s (rule %s of the story schema)", s.name, s.node.show(), f.keyword)
	}
}

// describe is a key's description in the schema, references followed.
func (c *checker) describe(s any) string {
	m := c.resolve(s)
	text, _ := m["description"].(string)
	text, _, _ = strings.Cut(text, ". ")
	if text == "" {
		return ""
	}
	return strings.ToLower(text[:1]) + strings.TrimSuffix(text[1:], ".")
}

// properties is the keys of a map by the schema, references followed.
func (c *checker) properties(owner map[string]any) map[string]any {
	for range maxRefs {
		if props, ok := owner["properties"].(map[string]any); ok {
			return props
		}
		owner = c.target(owner)
	}
	return nil
}
