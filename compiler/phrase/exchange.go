package phrase

import (
	"slices"
	"strings"
)

// exchanged refuses phrases of two intents that one prompt would mean when
// words are exchanged: a prompt may exchange words of either phrase, one
// step each. Phrases are first brought to a common form, in which every word
// is replaced by what it could lead to at all; only phrases with a common
// form are compared word by word.
func (l *lowerer) exchanged(docs []doc, reported map[[2]uint32]bool) {
	if len(l.members) == 0 {
		return
	}
	x := &exchange{l: l, family: l.families(), forms: map[string][]doc{}}
	for _, d := range docs {
		for _, form := range x.formsOf(d.tokens) {
			for _, other := range x.forms[form] {
				x.compare(other, d, reported)
			}
			x.forms[form] = append(x.forms[form], d)
		}
	}
}

type exchange struct {
	l      *lowerer
	family map[string]string // member → the name of all it is joined with
	forms  map[string][]doc
}

// families joins the groups that share a member. The joined groups only
// preselect: words of two groups are never exchanged for each other.
func (l *lowerer) families() map[string]string {
	root := map[int]int{}
	var find func(int) int
	find = func(g int) int {
		if r, ok := root[g]; ok && r != g {
			return find(r)
		}
		return g
	}
	first := map[string]int{}
	for _, m := range l.members {
		key := joined(m.words)
		if g, ok := first[key]; ok {
			a, b := find(g), find(m.group)
			root[max(a, b)] = min(a, b)
			continue
		}
		first[key] = m.group
	}
	out := map[string]string{}
	for key, g := range first {
		out[key] = "\x00" + string(rune(find(g)+1))
	}
	return out
}

// maxForms bounds the ways one phrase can be cut into members.
const maxForms = 64

// formsOf gives the common forms of a phrase: each way of cutting it into
// members and other words.
func (x *exchange) formsOf(tokens []string) []string {
	var out []string
	var walk func(i int, form []string)
	walk = func(i int, form []string) {
		if len(out) >= maxForms {
			return
		}
		if i == len(tokens) {
			out = append(out, strings.Join(form, " "))
			return
		}
		cut := false
		for n := 1; i+n <= len(tokens); n++ {
			if f, ok := x.family[joined(tokens[i:i+n])]; ok {
				walk(i+n, append(slices.Clip(form), f))
				cut = cut || n == 1
			}
		}
		if !cut {
			walk(i+1, append(slices.Clip(form), tokens[i]))
		}
	}
	walk(0, nil)
	slices.Sort(out)
	return slices.Compact(out)
}

// compare reports two phrases that one prompt means.
func (x *exchange) compare(a, b doc, reported map[[2]uint32]bool) {
	da, db := x.l.decls[a.decl], x.l.decls[b.decl]
	if da.intent == db.intent || da.slots != db.slots || !x.l.share(da.intent, db.intent) {
		return
	}
	if witness, ok := x.witness(a.tokens, b.tokens); ok {
		x.l.tie(reported, da, db, spelled(witness))
	}
}

// witness finds a prompt that both phrases mean, word by word.
func (x *exchange) witness(a, b []string) ([]string, bool) {
	if len(a) == 0 && len(b) == 0 {
		return nil, true
	}
	if len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		if rest, ok := x.witness(a[1:], b[1:]); ok {
			return append([]string{a[0]}, rest...), true
		}
	}
	for _, p := range x.starting(a) {
		for _, q := range x.starting(b) {
			said, ok := x.both(p, q)
			if !ok {
				continue
			}
			if rest, ok := x.witness(a[len(p):], b[len(q):]); ok {
				return append(slices.Clone(said), rest...), true
			}
		}
	}
	return nil, false
}

// starting lists what a phrase can begin with: its first word, and each
// member there.
func (x *exchange) starting(tokens []string) [][]string {
	var out [][]string
	for n := 1; n <= len(tokens); n++ {
		if _, ok := x.family[joined(tokens[:n])]; ok || n == 1 {
			out = append(out, tokens[:n])
		}
	}
	return out
}

// both gives words that may stand for p in one phrase and for q in the other:
// the same, or in a group with it.
func (x *exchange) both(p, q []string) ([]string, bool) {
	if slices.Equal(p, q) {
		return p, true
	}
	for _, m := range x.l.members {
		if x.near(m.words, p) && x.near(m.words, q) {
			return m.words, true
		}
	}
	return nil, false
}

// near tells whether a word may be said for another: it is the same, or one
// group has both.
func (x *exchange) near(said, meant []string) bool {
	if slices.Equal(said, meant) {
		return true
	}
	for _, m := range x.l.members {
		if !slices.Equal(m.words, said) {
			continue
		}
		for _, o := range x.l.members {
			if o.group == m.group && slices.Equal(o.words, meant) {
				return true
			}
		}
	}
	return false
}
