package pattern

import (
	"encoding/binary"

	"kitsoki/runtime/artifact"
)

// Minimise merges the states that accept the same and lead to the same, by
// refining a partition until it stands still (Moore). The start stays state
// 0, and the states keep the order of their first members.
func (d *DFA) Minimise() {
	block := make([]uint32, len(d.States))
	count := 0
	for {
		next, n := d.refine(block)
		if n == count {
			break
		}
		block, count = next, n
	}
	d.merge(block, count)
}

// refine splits the blocks by what their states accept and where they lead.
func (d *DFA) refine(block []uint32) ([]uint32, int) {
	ids := map[string]uint32{}
	out := make([]uint32, len(block))
	var key []byte
	for i := range d.States {
		key = d.signature(key[:0], &d.States[i], block)
		id, ok := ids[string(key)]
		if !ok {
			id = uint32(len(ids))
			ids[string(key)] = id
		}
		out[i] = id
	}
	return out, len(ids)
}

func (d *DFA) signature(key []byte, st *State, block []uint32) []byte {
	le := binary.LittleEndian
	key = le.AppendUint32(key, uint32(len(st.Accepts)))
	for _, a := range st.Accepts {
		key = le.AppendUint32(key, a)
	}
	key = le.AppendUint32(key, uint32(len(st.Words)))
	for _, edges := range [][]artifact.Edge{st.Words, st.Classes} {
		for _, e := range edges {
			key = le.AppendUint32(le.AppendUint32(key, e.On), block[e.Next])
		}
	}
	return key
}

func (d *DFA) merge(block []uint32, count int) {
	states := make([]State, count)
	done := make([]bool, count)
	for i, st := range d.States {
		if b := block[i]; !done[b] {
			done[b] = true
			for _, edges := range [][]artifact.Edge{st.Words, st.Classes} {
				for k := range edges {
					edges[k].Next = block[edges[k].Next]
				}
			}
			states[b] = st
		}
	}
	d.States = states
}
