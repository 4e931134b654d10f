package phrase

import (
	"cmp"
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/runtime/text"
)

// vocabulary is the interned words, sorted, with their classes.
type vocabulary struct {
	list  []string
	ids   map[string]uint32
	class []uint32
	// sample gives, for a class an unknown word can have, a word of it.
	sample map[uint32]string
}

// intern gives every word that a phrase, rule, enum value or filler names
// its id. Only then can programs be compiled.
func (l *lowerer) intern() {
	seen := map[string]bool{"\"": true, "'": true}
	for _, w := range slices.Concat(l.pack.Joins, l.pack.Stops, l.pack.NotFirst) {
		seen[w] = false
	}
	for _, m := range l.members {
		for _, w := range m.words {
			seen[w] = true
		}
	}
	note := func(n *pattern.Node) {
		n.Walk(func(k *pattern.Node) {
			if k.Kind == pattern.Word {
				seen[k.Text] = true
			}
		})
	}
	for _, r := range l.rules {
		note(r.node)
	}
	for _, d := range l.decls {
		note(d.node)
	}
	for _, in := range l.intents {
		for _, s := range in.slots {
			for _, v := range s.Values {
				for _, n := range v {
					note(n)
				}
			}
		}
	}
	l.words = newVocabulary(seen, l.sentence())
}

// newVocabulary makes the table of the words seen. Those that are false are no
// words of a phrase: they only shape free text.
func newVocabulary(seen map[string]bool, part func(string, uint32) uint32) vocabulary {
	v := vocabulary{ids: make(map[string]uint32, len(seen)), sample: map[uint32]string{}}
	for w := range seen {
		v.list = append(v.list, w)
	}
	slices.Sort(v.list)
	for i, w := range v.list {
		v.ids[w] = uint32(i)
		class := part(w, classOf(w))
		if seen[w] {
			class |= match.ClassSpoken
		}
		v.class = append(v.class, class)
	}
	for _, s := range match.Samples() {
		if _, interned := seen[s]; !interned { // an interned word may have a class of its own
			v.note(classOf(s), s)
		}
	}
	for i, w := range v.list {
		v.note(v.class[i], w)
	}
	return v
}

// note keeps the first word seen of a class.
func (v vocabulary) note(class uint32, word string) {
	if v.sample[class] == "" {
		v.sample[class] = word
	}
}

func classOf(word string) uint32 {
	var t text.Text
	t.Parse(word)
	if len(t.Tokens) == 0 {
		return 0
	}
	return match.ClassOf(t.Tokens[0].Kind, []byte(word))
}

func (v vocabulary) tokens() []artifact.Token {
	out := make([]artifact.Token, len(v.list))
	for i, w := range v.list {
		out[i] = artifact.Token{Word: w, Class: v.class[i]}
	}
	return out
}

// builder gives what an automaton is built over.
func (v vocabulary) builder() pattern.Words {
	w := pattern.Words{Class: v.class}
	for c := range v.sample {
		w.Unknown = append(w.Unknown, c)
	}
	slices.Sort(w.Unknown)
	return w
}

func (v vocabulary) idsOf(key []string) []uint32 {
	out := make([]uint32, len(key))
	for i, w := range key {
		out[i] = v.ids[w]
	}
	return out
}

// scope gives the names that the phrases of an intent may use; nil for a
// filler.
func (l *lowerer) scope(in *intent) pattern.Scope {
	return pattern.Scope{
		Token: func(w string) uint32 { return l.words.ids[w] },
		Rule: func(name string) (*pattern.Node, bool) {
			r, ok := l.rules[name]
			if !ok {
				return nil, false
			}
			return r.node, true
		},
		Slot: func(name string) (pattern.SlotInfo, bool) {
			if in == nil {
				return pattern.SlotInfo{}, false
			}
			return in.slot(name)
		},
	}
}

// compile makes the programs of everything that has brackets, then the
// filler automata.
func (l *lowerer) compile() {
	for _, d := range l.decls {
		if d.plain && d.intent != artifact.NoIntent {
			continue
		}
		var in *intent
		if d.intent != artifact.NoIntent {
			in = l.intents[d.intent]
		}
		prog, err := pattern.Compile(d.node, l.scope(in))
		if err != nil {
			l.badNames(d, err)
			continue
		}
		d.prog = prog
		d.slots = slotCount(prog)
	}
	l.buildFillers()
}

// badNames reports a name that a phrase uses and nothing declares.
func (l *lowerer) badNames(d *decl, err *pattern.Error) {
	code, hint := diag.BadPattern, err.Hint
	if d.intent != artifact.NoIntent && err.Offset < len(d.src.Val) && d.src.Val[err.Offset] == '{' {
		code = diag.UndeclaredSlot
		hint = l.slotHint(d, err)
	}
	l.ds.Addf(code, d.src.At(err.Offset), "%s, in the phrase %q", err.Msg, d.src.Written()).Hintf("%s", hint)
}

// slotHint names the declared slot that was probably meant.
func (l *lowerer) slotHint(d *decl, err *pattern.Error) string {
	name, _, _ := strings.Cut(d.src.Val[err.Offset+1:], "}")
	var names []string
	for _, s := range l.intents[d.intent].row.Slots {
		names = append(names, s.Name)
	}
	if near := text.Nearest(name, names); near != "" {
		return "did you mean {" + near + "}?"
	}
	return err.Hint
}

// slotCount is the number of slots a program can fill.
func slotCount(prog []artifact.Inst) int {
	seen := map[uint32]bool{}
	for _, in := range prog {
		if in.Op == artifact.OpBegin {
			seen[in.A] = true
		}
	}
	return len(seen)
}

// exact gives the exact table: every plain phrase, sorted.
func (l *lowerer) exact() []artifact.Exact {
	var out []artifact.Exact
	for i, d := range l.decls {
		if i >= l.fillers && d.plain {
			out = append(out, artifact.Exact{Key: joined(d.key), Phrase: uint32(i)})
		}
	}
	slices.SortFunc(out, func(a, b artifact.Exact) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Phrase, b.Phrase))
	})
	return out
}

// patternSet is the automaton over the patterns of a set of intents.
type patternSet struct {
	intents []uint32
	decls   []int // indexes of the patterns
}

// patternSet gives the index of the automaton of the patterns of intents.
func (l *lowerer) patternSet(intents []uint32) uint32 {
	for i, s := range l.patterns {
		if slices.Equal(s.intents, intents) {
			return uint32(i)
		}
	}
	set := patternSet{intents: intents}
	n := pattern.NewNFA()
	for i, d := range l.decls {
		if i < l.fillers || d.plain || d.prog == nil {
			continue
		}
		if _, ok := slices.BinarySearch(intents, d.intent); ok {
			set.decls = append(set.decls, i)
			l.addPattern(n, i)
		}
	}
	dfa, ok := n.Determine(l.words.builder(), pattern.MaxStates)
	if !ok {
		l.tooManyStates(set)
		dfa = &pattern.DFA{States: make([]pattern.State, 1)}
	}
	dfa.Minimise()
	l.patterns = append(l.patterns, set)
	l.automata = append(l.automata, dfa.Flat())
	return uint32(len(l.patterns) - 1)
}

func (l *lowerer) addPattern(n *pattern.NFA, i int) {
	n.Program(0, l.decls[i].prog, func(at int, endOnly bool) {
		v := uint32(i)
		if endOnly {
			v |= artifact.EndOnly
		}
		n.Accept(at, v)
	})
}

// tooManyStates names the phrase whose program is the largest.
func (l *lowerer) tooManyStates(set patternSet) {
	worst := slices.MaxFunc(set.decls, func(a, b int) int {
		return cmp.Compare(len(l.decls[a].prog), len(l.decls[b].prog))
	})
	d := l.decls[worst]
	hint := "split the phrase, or drop optional words"
	d.node.Walk(func(n *pattern.Node) {
		if n.Kind == pattern.Rule {
			hint = "the rule <" + n.Text + "> makes it large: drop alternatives or optional words there"
		}
	})
	l.ds.Addf(diag.TooManyStates, d.src.Pos, "the patterns of this room make an automaton of more than %d states; the largest phrase is %q",
		pattern.MaxStates, d.src.Written()).Hintf("%s", hint)
}
