package phrase

import (
	"kitsoki/compiler/pattern"
	"kitsoki/runtime/match"
)

// sentence gives each word the class of its part in a sentence.
func (l *lowerer) sentence() func(word string, class uint32) uint32 {
	joins, stops, notFirst := set(l.pack.Joins), set(l.pack.Stops), set(l.pack.NotFirst)
	v := verbs{rules: l.rules, open: map[string]bool{}, words: map[string]bool{}}
	for _, d := range l.decls[l.fillers:] {
		v.add(d.node)
	}
	return func(word string, class uint32) uint32 {
		return match.Sentence(class, joins[word], stops[word], v.words[word], notFirst[word])
	}
}

// verbs collects the words that phrases can begin with.
type verbs struct {
	rules map[string]*rule
	open  map[string]bool // rules followed so far: whether they can be empty
	words map[string]bool
}

// add takes a phrase's first words, and tells whether it can also begin with
// what follows it.
func (v *verbs) add(n *pattern.Node) (open bool) {
	switch n.Kind {
	case pattern.Word:
		v.words[n.Text] = true
	case pattern.Opt:
		v.add(n.Kids[0])
		return true
	case pattern.Alt:
		for _, k := range n.Kids {
			open = v.add(k) || open
		}
		return open
	case pattern.Seq:
		for _, k := range n.Kids {
			if !v.add(k) {
				return false
			}
		}
		return true
	case pattern.Rule:
		return v.rule(n.Text)
	}
	return false
}

// rule follows a rule once.
func (v *verbs) rule(name string) bool {
	open, done := v.open[name]
	if r := v.rules[name]; r != nil && !done {
		v.open[name] = false // a rule that contains itself is refused elsewhere
		open = v.add(r.node)
		v.open[name] = open
	}
	return open
}
