package phrase

import (
	"cmp"
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
)

// maxSpoken caps the automaton of everything that may be said in a room. It
// holds fillers too, and is only used to check.
const maxSpoken = 4 * pattern.MaxStates

// ambiguous refuses every utterance that two intents of one room accept. As
// in matching, the intent that needs fewer slots wins; only a draw is a
// mistake.
func (l *lowerer) ambiguous(docs []doc) {
	reported := map[[2]uint32]bool{}
	l.overlaps(reported)
	l.exchanged(docs, reported)
	for i := range l.patterns {
		if c := l.spokenIn(i); c != nil {
			c.patterns(reported)
			c.plain(reported)
		}
	}
}

// spokenRoom is the automaton of leads, one of the patterns of a set of
// intents, trails. A state's accepts index readings.
type spokenRoom struct {
	l        *lowerer
	intents  []uint32
	dfa      *pattern.DFA
	readings []reading
	leads    []pattern.Step // what can be read with leads alone
	tails    map[uint32][]ending
}

// reading is what an accept stands for: an intent through a phrase.
type reading struct {
	decl, slots int
}

// ending is a reading reached from a state by trails alone.
type ending struct {
	reading uint32
	way     []pattern.Symbol
}

// spokenIn builds the automaton of pattern set i, nil when it has no
// patterns or is too large (which is reported).
func (l *lowerer) spokenIn(i int) *spokenRoom {
	set := l.patterns[i]
	if len(set.decls) == 0 {
		return nil
	}
	c := &spokenRoom{l: l, intents: set.intents, tails: map[uint32][]ending{}}
	n := pattern.NewNFA()
	l.loop(n, 0, false)
	body := n.Node()
	n.Link(0, body)
	ends := map[[2]int]int{}
	for _, at := range set.decls {
		d := l.decls[at]
		r := c.reading(at)
		n.Program(body, d.prog, func(end int, endOnly bool) {
			if endOnly {
				n.Accept(end, r)
				return
			}
			key := [2]int{int(d.intent), d.slots}
			if _, ok := ends[key]; !ok {
				ends[key] = n.Node()
				n.Accept(ends[key], r)
				l.loop(n, ends[key], true)
			}
			n.Link(end, ends[key])
		})
	}
	dfa, ok := n.Determine(l.words.builder(), maxSpoken)
	if !ok {
		l.tooManyStates(set)
		return nil
	}
	c.dfa = dfa
	c.leads = pattern.Together(l.lead.dfa, dfa, pattern.Pair{}, maxSpoken)
	return c
}

// loop adds the leads or trails at a node, each leading back to it.
func (l *lowerer) loop(n *pattern.NFA, at int, trail bool) {
	for _, d := range l.decls[:l.fillers] {
		if isTrail(d) == trail && d.prog != nil {
			n.Program(at, d.prog, func(end int, _ bool) { n.Link(end, at) })
		}
	}
}

func (c *spokenRoom) reading(at int) uint32 {
	c.readings = append(c.readings, reading{decl: at, slots: c.l.decls[at].slots})
	return uint32(len(c.readings) - 1)
}

// patterns reports the shortest utterance that patterns of two intents
// accept with equally few slots.
func (c *spokenRoom) patterns(reported map[[2]uint32]bool) {
	steps := pattern.Alone(c.dfa)
	for at, s := range steps {
		best := c.best(c.dfa.States[s.A].Accepts)
		for _, r := range best[min(1, len(best)):] {
			c.l.tie(reported, c.decl(best[0]), c.decl(r), c.l.say(pattern.Way(steps, at)))
		}
	}
}

func (c *spokenRoom) decl(r uint32) *decl { return c.l.decls[c.readings[r].decl] }

// best gives one reading for each intent that needs the fewest slots.
func (c *spokenRoom) best(accepts []uint32) []uint32 {
	if len(accepts) == 0 {
		return nil
	}
	sorted := slices.Clone(accepts)
	slices.SortStableFunc(sorted, func(a, b uint32) int { return cmp.Compare(c.readings[a].slots, c.readings[b].slots) })
	least := c.readings[sorted[0]].slots
	seen := map[uint32]bool{}
	var out []uint32
	for _, r := range sorted {
		if in := c.decl(r).intent; c.readings[r].slots == least && !seen[in] {
			seen[in] = true
			out = append(out, r)
		}
	}
	return out
}

// plain reports plain phrases that a pattern of another intent accepts too,
// with any fillers around either.
func (c *spokenRoom) plain(reported map[[2]uint32]bool) {
	for _, d := range c.l.decls[c.l.fillers:] {
		if !d.plain {
			continue
		}
		if _, ok := slices.BinarySearch(c.intents, d.intent); ok {
			c.plainOne(d, reported)
		}
	}
}

func (c *spokenRoom) plainOne(d *decl, reported map[[2]uint32]bool) {
	ids := c.l.words.idsOf(d.key)
	for at, s := range c.leads {
		if !c.l.lead.dfa.Accepting(s.A) {
			continue
		}
		state, ok := s.B, true
		for _, id := range ids {
			if state, ok = c.dfa.Step(state, id); !ok {
				break
			}
		}
		if ok {
			c.plainEnds(d, state, pattern.Way(c.leads, at), reported)
		}
	}
}

// plainEnds looks at what a plain phrase has led to, with trails behind.
func (c *spokenRoom) plainEnds(d *decl, state uint32, lead []pattern.Symbol, reported map[[2]uint32]bool) {
	for _, e := range c.endings(state) {
		other := c.decl(e.reading)
		if c.readings[e.reading].slots > 0 || other.intent == d.intent {
			continue
		}
		way := slices.Clone(lead)
		for _, id := range c.l.words.idsOf(d.key) {
			way = append(way, pattern.Symbol{On: id})
		}
		c.l.tie(reported, other, d, c.l.say(append(way, e.way...)))
	}
}

// endings gives the readings that a state reaches by trails alone.
func (c *spokenRoom) endings(state uint32) []ending {
	if out, ok := c.tails[state]; ok {
		return out
	}
	trails := c.l.forwardTrails()
	steps := pattern.Together(trails, c.dfa, pattern.Pair{B: state}, pattern.MaxStates)
	var out []ending
	for at, s := range steps {
		if trails.Accepting(s.A) {
			for _, r := range c.dfa.States[s.B].Accepts {
				out = append(out, ending{r, pattern.Way(steps, at)})
			}
		}
	}
	c.tails[state] = out
	return out
}

// forwardTrails accepts any sequence of trails, read forwards.
func (l *lowerer) forwardTrails() *pattern.DFA {
	if l.trailForward == nil {
		n := pattern.NewNFA()
		n.Accept(0, 0)
		l.loop(n, 0, true)
		dfa, ok := n.Determine(l.words.builder(), pattern.MaxStates)
		if !ok {
			dfa = &pattern.DFA{States: make([]pattern.State, 1)}
		}
		l.trailForward = dfa
	}
	return l.trailForward
}

// tie reports one utterance of two intents, once for each two intents.
func (l *lowerer) tie(reported map[[2]uint32]bool, a, b *decl, witness string) {
	pair := [2]uint32{min(a.intent, b.intent), max(a.intent, b.intent)}
	if reported[pair] {
		return
	}
	reported[pair] = true
	a, b = inOrder(a, b)
	l.ds.Addf(diag.Ambiguous, b.src.Pos, "%q would match two intents of one room: %s and %s", witness, l.name(a), l.name(b)).
		Hintf("make one of the two phrases more particular, or move the wording to one intent").
		Also(a.src.Pos, "the phrase of %s", l.name(a))
}
