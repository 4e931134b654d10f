package pattern

import (
	"slices"
)

// Symbol is one token an automaton can read: an interned word, or any
// unknown word of a class.
type Symbol struct {
	On    uint32
	Class bool
}

// Read moves from a state by a symbol.
func (d *DFA) Read(state uint32, s Symbol) (uint32, bool) {
	if !s.Class {
		return d.Step(state, s.On)
	}
	st := &d.States[state]
	if i, ok := slices.BinarySearchFunc(st.Classes, s.On, byOn); ok {
		return st.Classes[i].Next, true
	}
	return 0, false
}

// Accepting tells whether a state accepts.
func (d *DFA) Accepting(state uint32) bool { return len(d.States[state].Accepts) > 0 }

// Pair is a place in two automata that read the same tokens.
type Pair struct{ A, B uint32 }

// Step is one pair reached, with the way to it: the index of the step before
// (-1 at the start) and the symbol read.
type Step struct {
	Pair
	From int
	By   Symbol
}

// Together reads two automata side by side from a pair and gives every pair
// reached, each by a shortest way, the start first. At most limit pairs.
func Together(a, b *DFA, start Pair, limit int) []Step {
	seen := map[Pair]bool{start: true}
	out := []Step{{Pair: start, From: -1}}
	for i := 0; i < len(out) && len(out) < limit; i++ {
		at := out[i].Pair
		for _, s := range symbols(a, b, at) {
			x, okA := a.Read(at.A, s)
			y, okB := b.Read(at.B, s)
			if next := (Pair{x, y}); okA && okB && !seen[next] {
				seen[next] = true
				out = append(out, Step{next, i, s})
			}
		}
	}
	return out
}

// symbols gives what both automata could read: every word one of them names
// and every class of the first.
func symbols(a, b *DFA, at Pair) []Symbol {
	var words []uint32
	for _, e := range a.States[at.A].Words {
		words = append(words, e.On)
	}
	for _, e := range b.States[at.B].Words {
		words = append(words, e.On)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	out := make([]Symbol, 0, len(words))
	for _, w := range words {
		out = append(out, Symbol{On: w})
	}
	for _, e := range a.States[at.A].Classes {
		out = append(out, Symbol{On: e.On, Class: true})
	}
	return out
}

// Way gives the symbols read up to step i.
func Way(steps []Step, i int) []Symbol {
	var out []Symbol
	for ; steps[i].From >= 0; i = steps[i].From {
		out = append(out, steps[i].By)
	}
	slices.Reverse(out)
	return out
}

// Alone reads one automaton and gives every state reached, each by a
// shortest way.
func Alone(a *DFA) []Step {
	return Together(a, a, Pair{}, len(a.States)+1)
}
