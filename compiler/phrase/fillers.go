package phrase

import (
	"cmp"
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

// parseFillers puts the pack's fillers and the story's in front of the
// phrases.
func (l *lowerer) parseFillers() {
	r := l.story.Routing
	phrases := l.decls
	l.decls = nil
	l.filler(artifact.PhraseLead, 0, l.pack.Lead, r.Lead)
	l.filler(artifact.PhraseLead, artifact.FlagRemark, l.pack.Remark, nil)
	l.filler(artifact.PhraseLead, artifact.FlagPlease, l.pack.Please, nil)
	l.filler(artifact.PhraseLead, artifact.FlagHedge, l.pack.Hedge, nil)
	l.filler(artifact.PhraseLead, artifact.FlagWe, l.pack.We, nil)
	l.filler(artifact.PhraseRequest, artifact.FlagRequest, l.pack.Request, r.Request)
	l.filler(artifact.PhraseRequest, artifact.FlagRequest|artifact.FlagAsk, l.pack.Ask, nil)
	l.filler(artifact.PhraseRequest, artifact.FlagRequest|artifact.FlagWe, l.pack.Plan, nil)
	l.filler(artifact.PhraseTrail, 0, l.pack.Trail, r.Trail)
	l.filler(artifact.PhraseTrail, artifact.FlagPlease, l.pack.TrailPlease, nil)
	l.filler(artifact.PhraseTrail, artifact.FlagRequest, l.pack.TrailRequest, nil)
	l.filler(artifact.PhraseTrail, artifact.FlagRequest|artifact.FlagAsk, l.pack.TrailAsk, nil)
	l.filler(artifact.PhraseTrail, artifact.FlagAsk, l.pack.TrailParticle, nil)
	l.fillers = len(l.decls)
	l.decls = append(l.decls, phrases...)
}

func (l *lowerer) filler(kind artifact.PhraseKind, flags uint16, pack, story []source.Str) {
	for _, s := range pack {
		s.Pos.File = "" // a pack is no file of the story
		l.addFiller(kind, flags, s, false)
	}
	for _, s := range story {
		l.addFiller(kind, flags, s, true)
	}
}

func (l *lowerer) addFiller(kind artifact.PhraseKind, flags uint16, s source.Str, story bool) {
	n := l.parse(s)
	if n == nil {
		return
	}
	if story && len(trimMark(words(n))) == 0 {
		l.ds.Addf(diag.EmptyPattern, s.Pos, "an empty filler").Hintf("write the words, or remove it")
		return
	}
	l.decls = append(l.decls, &decl{intent: artifact.NoIntent, kind: kind, flags: flags, src: s, node: n, story: story})
}

// dfaPair is the automaton of a filler position: flagged by what was read,
// and the programs to use it in the checks.
type dfaPair struct{ dfa *pattern.DFA }

// buildFillers makes the automata of leads (read forwards) and trails (read
// backwards). Both accept any sequence of their items; a state's accept is
// the flags of what was read.
func (l *lowerer) buildFillers() {
	l.lead.dfa = l.fillerDFA(false)
	l.trail.dfa = l.fillerDFA(true)
}

func isTrail(d *decl) bool { return d.kind == artifact.PhraseTrail }

// fillerDFA builds one node for every set of flags that a sequence can have
// collected, and from each a copy of the items of each kind.
func (l *lowerer) fillerDFA(trail bool) *pattern.DFA {
	n := pattern.NewNFA()
	kinds := l.fillerKinds(trail)
	start := map[uint16]int{0: 0}
	for work := []uint16{0}; len(work) > 0; {
		flags := work[0]
		work = work[1:]
		for _, k := range kinds {
			next := collect(flags, k.flags)
			if _, ok := start[next]; !ok {
				start[next] = n.Node()
				work = append(work, next)
			}
			n.Graft(start[flags], k.dfa, func(at int) { n.Link(at, start[next]) })
		}
		n.Accept(start[flags], uint32(flags))
	}
	dfa, ok := n.Determine(l.words.builder(), pattern.MaxStates)
	if !ok {
		l.ds.Addf(diag.TooManyStates, l.story.Routing.Locale.Pos, "the fillers make an automaton of more than %d states", pattern.MaxStates).
			Hintf("declare fewer or simpler routing.fillers")
		return &pattern.DFA{States: make([]pattern.State, 1)}
	}
	for i := range dfa.States {
		dfa.States[i].Accepts = bestReading(dfa.States[i].Accepts)
	}
	dfa.Minimise()
	return dfa
}

// fillerKind is the automaton of all fillers with the same flags.
type fillerKind struct {
	flags uint16
	dfa   *pattern.DFA
}

// fillerKinds makes the automata of single fillers, one for each set of
// flags, ascending: small ones, so that what is built of their copies stays
// small.
func (l *lowerer) fillerKinds(trail bool) []fillerKind {
	byFlags := map[uint16]*pattern.NFA{}
	var order []uint16
	for _, d := range l.decls[:l.fillers] {
		if isTrail(d) != trail || d.prog == nil {
			continue
		}
		n := byFlags[d.flags]
		if n == nil {
			n = pattern.NewNFA()
			byFlags[d.flags] = n
			order = append(order, d.flags)
		}
		n.Program(0, l.fillerProg(d, trail), func(at int, _ bool) { n.Accept(at, 0) })
	}
	slices.Sort(order)
	var out []fillerKind
	for _, flags := range order {
		if dfa, ok := byFlags[flags].Determine(l.words.builder(), pattern.MaxStates); ok {
			dfa.Minimise()
			out = append(out, fillerKind{flags, dfa})
		}
	}
	return out
}

// fillerProg gives a filler's program, for trails that of its reverse.
func (l *lowerer) fillerProg(d *decl, trail bool) []artifact.Inst {
	if !trail {
		return d.prog
	}
	prog, err := pattern.Compile(d.node.Reverse(), l.scope(nil))
	if err != nil {
		return nil // reported when the forward program was made
	}
	return prog
}

// collect adds an item's flags to a sequence's. A hedged sequence is never
// taken, whatever else it holds.
func collect(flags, item uint16) uint16 {
	if (flags|item)&artifact.FlagHedge != 0 {
		return artifact.FlagHedge
	}
	return flags | item
}

// bestReading keeps the reading of a state that stands least in the way:
// "go ahead and" is one filler, though "and" alone would hedge.
func bestReading(readings []uint32) []uint32 {
	if len(readings) == 0 {
		return nil
	}
	return []uint32{slices.MinFunc(readings, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(harm(a), harm(b)), cmp.Compare(a, b))
	})}
}

func harm(flags uint32) int {
	f := uint16(flags)
	switch {
	case f&artifact.FlagHedge != 0:
		return 2
	case f&(artifact.FlagWe|artifact.FlagAsk) != 0 && f&artifact.FlagPlease == 0:
		return 1
	}
	return 0
}
