package match

import (
	"slices"

	"kitsoki/runtime/artifact"
)

// capture is the text of a slot: tokens from..to. Value is 1 + the index of
// an enum's value, 0 for other types. Slot is -1 for an exchange: the words
// of the phrase that the text stands for are in instead.
type capture struct {
	slot, value, from, to int
	instead               []uint32
}

// walker runs a phrase's instructions over the accepted tokens and finds the
// first reading: the automaton has decided whether, the walk says how. A
// failed place is never tried again, so that the work is bounded by
// instructions × tokens.
type walker struct {
	s         *Scratch
	prog      []artifact.Inst
	end       int
	last      bool           // end is the end of the prompt: free text may run to it
	groups    *artifact.File // set when words may be exchanged within their groups
	dead      map[[2]int]bool
	caps      []capture
	open      int // index of the capture being filled, -1 outside
	literals  int
	optionals int
	exchanged int
}

// walk gives the captures of the reading that covers tokens from..end.
func (w *walker) walk(from int) ([]capture, bool) {
	w.dead = map[[2]int]bool{}
	w.open = -1
	if !w.run(0, from) {
		return nil, false
	}
	return w.caps, true
}

// run tries to accept from instruction pc at token i.
func (w *walker) run(pc, i int) bool {
	if pc >= len(w.prog) || w.dead[[2]int{pc, i}] {
		return false
	}
	if w.try(pc, i) {
		return true
	}
	w.dead[[2]int{pc, i}] = true
	return false
}

func (w *walker) try(pc, i int) bool {
	switch in := w.prog[pc]; in.Op {
	case artifact.OpWord:
		return w.consume(in, pc, i) || w.exchange(in, pc, i)
	case artifact.OpClass:
		return w.consume(in, pc, i)
	case artifact.OpSplit:
		return w.run(int(in.A), i) || w.skipped(int(in.B), i)
	case artifact.OpJump:
		return w.run(int(in.A), i)
	case artifact.OpBegin:
		return w.begin(in, pc, i)
	case artifact.OpEnd:
		return w.close(pc, i)
	case artifact.OpMatch:
		return i == w.end && (in.A == 0 || w.last)
	}
	return false
}

func (w *walker) consume(in artifact.Inst, pc, i int) bool {
	if i >= w.end || !w.fits(in, i) {
		return false
	}
	literal := in.Op == artifact.OpWord && w.open < 0
	if !w.run(pc+1, i+1) {
		return false
	}
	if literal {
		w.literals++
	}
	return true
}

func (w *walker) fits(in artifact.Inst, i int) bool {
	t := w.s.tokens[i]
	if in.Op == artifact.OpWord {
		return t.known && t.id == in.A
	}
	return t.class&in.A != 0
}

// skipped goes the second way of a split and counts it: the reading left
// something optional out.
func (w *walker) skipped(pc, i int) bool {
	if !w.run(pc, i) {
		return false
	}
	w.optionals++
	return true
}

func (w *walker) begin(in artifact.Inst, pc, i int) bool {
	w.caps = append(w.caps, capture{slot: int(in.A), value: int(in.B), from: i})
	was := w.open
	w.open = len(w.caps) - 1
	if w.run(pc+1, i) {
		return true
	}
	w.caps, w.open = w.caps[:len(w.caps)-1], was
	return false
}

func (w *walker) close(pc, i int) bool {
	was := w.open
	if was < 0 {
		return false
	}
	w.caps[was].to = i
	w.open = -1
	if w.run(pc+1, i) {
		return true
	}
	w.open = was
	return false
}

// exchange reads, in place of a group's member that begins here in the
// phrase, another member of the same group in the prompt.
func (w *walker) exchange(in artifact.Inst, pc, i int) bool {
	if w.groups == nil || w.open >= 0 {
		return false
	}
	for _, m := range w.groups.Members(in.A) {
		for _, after := range w.after(m.Tokens, []int{pc}) {
			for _, other := range w.groups.Group(m.Group) {
				if w.exchangeOne(m, other, after, i) {
					return true
				}
			}
		}
	}
	return false
}

func (w *walker) exchangeOne(m, other artifact.Member, pc, i int) bool {
	to := i + len(other.Tokens)
	if slices.Equal(m.Tokens, other.Tokens) || to > w.end || !w.s.stands(other.Tokens, i) {
		return false
	}
	w.caps = append(w.caps, capture{slot: -1, from: i, to: to, instead: m.Tokens})
	if !w.run(pc, to) {
		w.caps = w.caps[:len(w.caps)-1]
		return false
	}
	w.exchanged++
	return true
}

// after gives the places of the program behind the words, read in a row from
// any of the given places.
func (w *walker) after(words []uint32, places []int) []int {
	for k, id := range words {
		var next []int
		for _, pc := range places {
			for _, at := range w.reads(pc, k > 0) {
				if in := w.prog[at]; in.Op == artifact.OpWord && in.A == id {
					next = append(next, at+1)
				}
			}
		}
		places = next
	}
	return places
}

// reads gives the reading instructions that a place leads to; the place
// itself when it need not be followed.
func (w *walker) reads(pc int, follow bool) []int {
	if !follow {
		return []int{pc}
	}
	var out []int
	seen := map[int]bool{}
	for work := []int{pc}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if at >= len(w.prog) || seen[at] {
			continue
		}
		seen[at] = true
		switch in := w.prog[at]; in.Op {
		case artifact.OpSplit:
			work = append(work, int(in.B), int(in.A))
		case artifact.OpJump:
			work = append(work, int(in.A))
		case artifact.OpWord:
			out = append(out, at)
		}
	}
	return out
}
