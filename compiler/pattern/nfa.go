package pattern

import "kitsoki/runtime/artifact"

// Words tells the builder what it reads: the class of each interned word,
// and every class an unknown word can have.
type Words struct {
	Class   []uint32 // by token id
	Unknown []uint32 // ascending, without repeats
}

// NFA is a nondeterministic automaton over tokens under construction. Node 0
// exists from the start.
type NFA struct{ nodes []node }

type node struct {
	eps    []int
	words  []move // on an interned word
	class  []move // on any token that has one of the class bits
	accept []uint32
}

type move struct {
	on uint32
	to int
}

// NewNFA gives an automaton that accepts nothing.
func NewNFA() *NFA { return &NFA{nodes: make([]node, 1)} }

// Node adds a node.
func (n *NFA) Node() int {
	n.nodes = append(n.nodes, node{})
	return len(n.nodes) - 1
}

// Accept makes a node accept with value v.
func (n *NFA) Accept(at int, v uint32) { n.nodes[at].accept = append(n.nodes[at].accept, v) }

// Link lets the automaton go from one node to another without reading.
func (n *NFA) Link(from, to int) { n.nodes[from].eps = append(n.nodes[from].eps, to) }

// Program adds a program that begins at node from. At each match it calls
// match with the node and whether only the end of the prompt may follow.
func (n *NFA) Program(from int, prog []artifact.Inst, match func(at int, endOnly bool)) {
	base := len(n.nodes)
	n.nodes = append(n.nodes, make([]node, len(prog)+1)...)
	n.Link(from, base)
	for pc, in := range prog {
		at := &n.nodes[base+pc]
		switch in.Op {
		case artifact.OpWord:
			at.words = append(at.words, move{in.A, base + pc + 1})
		case artifact.OpClass:
			at.class = append(at.class, move{in.A, base + pc + 1})
		case artifact.OpSplit:
			at.eps = append(at.eps, base+int(in.A), base+int(in.B))
		case artifact.OpJump:
			at.eps = append(at.eps, base+int(in.A))
		case artifact.OpBegin, artifact.OpEnd:
			at.eps = append(at.eps, base+pc+1)
		}
	}
	for pc, in := range prog {
		if in.Op == artifact.OpMatch {
			match(base+pc, in.A == 1)
		}
	}
}

// Graft adds a copy of a deterministic automaton of words (it has no class
// edges) that begins at node from, and calls accept with each node that
// accepts.
func (n *NFA) Graft(from int, d *DFA, accept func(at int)) {
	base := len(n.nodes)
	n.nodes = append(n.nodes, make([]node, len(d.States))...)
	n.Link(from, base)
	for i, st := range d.States {
		for _, e := range st.Words {
			n.nodes[base+i].words = append(n.nodes[base+i].words, move{e.On, base + int(e.Next)})
		}
	}
	for i := range d.States {
		if d.Accepting(uint32(i)) {
			accept(base + i)
		}
	}
}
