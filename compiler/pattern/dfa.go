package pattern

import (
	"cmp"
	"encoding/binary"
	"slices"

	"kitsoki/runtime/artifact"
)

// MaxStates is the cap of a deterministic automaton.
const MaxStates = 50_000

// DFA is a deterministic automaton with the accepts of each state as sets.
type DFA struct {
	States []State
	words  Words
}

// State is one state: moves by interned word and by class, both ascending,
// and what it accepts, ascending.
type State struct {
	Words, Classes []artifact.Edge
	Accepts        []uint32
}

// Determine makes n deterministic, false when it would need more than limit
// states.
func (n *NFA) Determine(w Words, limit int) (*DFA, bool) {
	b := &builder{nfa: n, words: w, ids: map[string]uint32{}, dfa: &DFA{words: w}}
	b.state([]int{0})
	for i := 0; i < len(b.sets); i++ {
		if len(b.sets) > limit {
			return nil, false
		}
		b.expand(uint32(i))
	}
	return b.dfa, true
}

type builder struct {
	nfa   *NFA
	words Words
	ids   map[string]uint32
	sets  [][]int
	dfa   *DFA
	mark  []int // node → generation it was last seen in
	gen   int
}

// state gives the state of the closure of nodes.
func (b *builder) state(nodes []int) uint32 {
	set := b.closure(nodes)
	key := make([]byte, 0, 4*len(set))
	for _, s := range set {
		key = binary.LittleEndian.AppendUint32(key, uint32(s))
	}
	if id, ok := b.ids[string(key)]; ok {
		return id
	}
	id := uint32(len(b.sets))
	b.ids[string(key)] = id
	b.sets = append(b.sets, set)
	b.dfa.States = append(b.dfa.States, State{Accepts: b.accepts(set)})
	return id
}

// closure follows the empty moves and keeps the nodes that read or accept.
func (b *builder) closure(nodes []int) []int {
	if len(b.mark) < len(b.nfa.nodes) {
		b.mark = make([]int, len(b.nfa.nodes))
	}
	b.gen++
	var out []int
	work := slices.Clone(nodes)
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if b.mark[at] == b.gen {
			continue
		}
		b.mark[at] = b.gen
		nd := &b.nfa.nodes[at]
		if len(nd.words)+len(nd.class)+len(nd.accept) > 0 {
			out = append(out, at)
		}
		work = append(work, nd.eps...)
	}
	slices.Sort(out)
	return out
}

func (b *builder) accepts(set []int) []uint32 {
	var out []uint32
	for _, at := range set {
		out = append(out, b.nfa.nodes[at].accept...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// expand fills the moves of a state: by class first, then by each word that
// some node names, which also has the moves of its class.
func (b *builder) expand(id uint32) {
	set := b.sets[id]
	byWord := map[uint32][]int{}
	var classes []move
	for _, at := range set {
		for _, m := range b.nfa.nodes[at].words {
			byWord[m.on] = append(byWord[m.on], m.to)
		}
		classes = append(classes, b.nfa.nodes[at].class...)
	}
	var st State
	for _, class := range b.words.Unknown {
		if to := having(classes, class); len(to) > 0 {
			st.Classes = append(st.Classes, artifact.Edge{On: class, Next: b.state(to)})
		}
	}
	words := make([]uint32, 0, len(byWord))
	for w := range byWord {
		words = append(words, w)
	}
	slices.Sort(words)
	for _, w := range words {
		to := append(byWord[w], having(classes, b.words.Class[w])...)
		st.Words = append(st.Words, artifact.Edge{On: w, Next: b.state(to)})
	}
	st.Accepts = b.dfa.States[id].Accepts
	b.dfa.States[id] = st
}

func having(moves []move, class uint32) []int {
	var out []int
	for _, m := range moves {
		if m.on&class != 0 {
			out = append(out, m.to)
		}
	}
	return out
}

// Step moves from a state by an interned word.
func (d *DFA) Step(state, token uint32) (uint32, bool) {
	st := &d.States[state]
	if i, ok := slices.BinarySearchFunc(st.Words, token, byOn); ok {
		return st.Words[i].Next, true
	}
	if i, ok := slices.BinarySearchFunc(st.Classes, d.words.Class[token], byOn); ok {
		return st.Classes[i].Next, true
	}
	return 0, false
}

func byOn(e artifact.Edge, on uint32) int { return cmp.Compare(e.On, on) }

// Flat gives the automaton in the artifact's form.
func (d *DFA) Flat() artifact.Automaton {
	var a artifact.Automaton
	mark := func() {
		a.States = append(a.States, artifact.AutomatonState{
			Word: uint32(len(a.Words)), Class: uint32(len(a.Classes)), Accept: uint32(len(a.Accepts)),
		})
	}
	for _, st := range d.States {
		mark()
		a.Words = append(a.Words, st.Words...)
		a.Classes = append(a.Classes, st.Classes...)
		a.Accepts = append(a.Accepts, st.Accepts...)
	}
	mark()
	return a
}
