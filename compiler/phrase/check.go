package phrase

import (
	"cmp"
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/pattern"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// check refuses what a single phrase does wrong, and phrases that stand in
// two intents.
func (l *lowerer) check() {
	fillersOnly := l.fillersOnly()
	for i, d := range l.decls {
		if d.story {
			l.checkWords(d)
		}
		switch {
		case i < l.fillers:
			continue
		case d.plain:
			l.checkPlain(d, fillersOnly)
		case d.prog != nil:
			l.checkSlots(d)
			l.checkPattern(i, d, fillersOnly)
		}
	}
	l.checkFillers()
	l.checkGroups(fillersOnly)
	l.checkSame()
	l.checkSilent()
}

// checkWords reports every forbidden word of a phrase, in its own text or in
// a rule it uses.
func (l *lowerer) checkWords(d *decl) {
	var allow map[string]bool
	if d.intent != artifact.NoIntent {
		allow = l.intents[d.intent].allow
	}
	s := spotter{l: l, d: d, allow: allow}
	s.spot(d.node, d.src, nil)
}

// checkPlain refuses a phrase of fillers alone.
func (l *lowerer) checkPlain(d *decl, fillersOnly *pattern.DFA) {
	state, ok := uint32(0), true
	for _, id := range l.words.idsOf(d.key) {
		if state, ok = fillersOnly.Step(state, id); !ok {
			return
		}
	}
	if fillersOnly.Accepting(state) {
		l.fillerOnly(d, d.src.Val)
	}
}

func (l *lowerer) fillerOnly(d *decl, witness string) {
	l.ds.Addf(diag.FillerOnly, d.src.Pos, "the phrase %q accepts %q, which is said around every command", d.src.Written(), witness).
		Hintf("add the words that name the command")
}

// checkPattern refuses a pattern that accepts nothing or fillers alone.
func (l *lowerer) checkPattern(i int, d *decl, fillersOnly *pattern.DFA) {
	n := pattern.NewNFA()
	l.addPattern(n, i)
	dfa, ok := n.Determine(l.words.builder(), pattern.MaxStates)
	if !ok {
		l.tooManyStates(patternSet{decls: []int{i}})
		return
	}
	if dfa.Accepting(0) {
		l.ds.Addf(diag.EmptyPattern, d.src.Pos, "the phrase %q also accepts nothing at all", d.src.Written()).
			Hintf("leave one word outside of brackets")
		return
	}
	steps := pattern.Together(dfa, fillersOnly, pattern.Pair{}, pattern.MaxStates)
	for at, s := range steps {
		if dfa.Accepting(s.A) && fillersOnly.Accepting(s.B) {
			l.fillerOnly(d, l.say(pattern.Way(steps, at)))
			return
		}
	}
}

// fillersOnly accepts leads and then trails with nothing between.
func (l *lowerer) fillersOnly() *pattern.DFA {
	n := pattern.NewNFA()
	tail := n.Node()
	n.Link(0, tail)
	n.Accept(tail, 0)
	for _, d := range l.decls[:l.fillers] {
		if d.prog == nil {
			continue
		}
		at := 0
		if isTrail(d) {
			at = tail
		}
		n.Program(at, d.prog, func(end int, _ bool) { n.Link(end, at) })
	}
	dfa, ok := n.Determine(l.words.builder(), pattern.MaxStates)
	if !ok {
		return &pattern.DFA{States: make([]pattern.State, 1)}
	}
	return dfa
}

// say writes symbols as a prompt a person could type.
func (l *lowerer) say(way []pattern.Symbol) string {
	list := make([]string, len(way))
	for i, s := range way {
		list[i] = l.words.sample[s.On]
		if !s.Class {
			list[i] = l.words.list[s.On]
		}
	}
	return spelled(list)
}

// checkFillers refuses a filler of the story that holds the first word of a
// command: it would swallow the command's name.
func (l *lowerer) checkFillers() {
	verbs := map[string]*decl{}
	for _, d := range l.decls[l.fillers:] {
		if w := words(d.node); len(w) > 0 && verbs[w[0]] == nil {
			verbs[w[0]] = d
		}
	}
	for _, d := range l.decls[:l.fillers] {
		if !d.story {
			continue
		}
		d.node.Walk(func(k *pattern.Node) {
			if v := verbs[k.Text]; k.Kind == pattern.Word && v != nil {
				l.ds.Addf(diag.FillerVerb, d.src.At(k.Offset), "the filler %q holds %q, which names a command", d.src.Written(), k.Text).
					Hintf("leave the word out of the filler").Also(v.src.Pos, "the command")
			}
		})
	}
}

// checkSame reports one phrase declared for two intents of one room.
func (l *lowerer) checkSame() {
	seen := map[string][]*decl{}
	for _, d := range l.decls[l.fillers:] {
		if !d.plain {
			continue
		}
		key := joined(d.key)
		for _, other := range seen[key] {
			if other.intent != d.intent && l.share(other.intent, d.intent) {
				l.same(other, d)
				break
			}
		}
		seen[key] = append(seen[key], d)
	}
}

// same reports at the place that comes later in the source.
func (l *lowerer) same(a, b *decl) {
	a, b = inOrder(a, b)
	l.ds.Addf(diag.SamePhrase, b.src.Pos, "%q is a phrase of two intents of one room: %s and %s", spelled(b.key), l.name(a), l.name(b)).
		Hintf("keep it in one of them").Also(a.src.Pos, "also declared here, for %s", l.name(a))
}

func (l *lowerer) name(d *decl) string { return l.intents[d.intent].row.Name }

// inOrder puts the phrase that stands earlier in its file first.
func inOrder(a, b *decl) (first, second *decl) {
	if a.src.Pos.File == b.src.Pos.File && cmp.Or(cmp.Compare(a.src.Pos.Line, b.src.Pos.Line), cmp.Compare(a.src.Pos.Col, b.src.Pos.Col)) > 0 {
		return b, a
	}
	return a, b
}

// share tells whether two intents can be intercepted in one room.
func (l *lowerer) share(a, b uint32) bool {
	for _, r := range l.rooms {
		_, okA := slices.BinarySearch(r.intents, a)
		_, okB := slices.BinarySearch(r.intents, b)
		if okA && okB {
			return true
		}
	}
	return false
}

// checkSilent warns about an intent that a room offers and nobody can say.
func (l *lowerer) checkSilent() {
	for i, in := range l.intents {
		if !in.said && !in.row.Hidden && l.offered(uint32(i)) {
			l.ds.Addf(diag.NoPhrases, in.row.Pos, "nothing a person types means the intent %s", in.row.Name).
				Hintf("add examples, or hidden: true when only other intents emit it")
		}
	}
}

func (l *lowerer) offered(i uint32) bool { return l.share(i, i) }

// Sayable tells whether a plain phrase could be declared at all: it has
// words, no brackets, and none of the words that must reach the model, in
// whichever language it is.
func Sayable(src string) bool {
	list := text.Words(src)
	if len(list) == 0 || !pattern.Plain(src) || strings.ContainsAny(src, "\"'`\\") {
		return false
	}
	for _, language := range packs.Languages() {
		pack, err := packs.Load(language)
		if err != nil || slices.ContainsFunc(terms(pack.Forbidden), func(t term) bool { return t.standsIn(list) }) {
			return false
		}
	}
	return true
}
