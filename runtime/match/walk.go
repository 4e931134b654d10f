package match

import "kitsoki/runtime/artifact"

// capture is the text of a slot: tokens from..to. Value is 1 + the index of
// an enum's value, 0 for other types. Slot is -1 in a mark of the cover.
type capture struct{ slot, value, from, to int }

// walker runs a phrase's instructions over the accepted tokens and finds the
// first reading: the automaton has decided whether, the walk says how. A
// failed place is never tried again, so that the work is bounded by
// instructions × tokens.
type walker struct {
	s         *Scratch
	prog      []artifact.Inst
	end       int
	dead      map[[2]int]bool
	caps      []capture
	open      int // index of the capture being filled, -1 outside
	literals  int
	optionals int
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
	case artifact.OpWord, artifact.OpClass:
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
		return i == w.end
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
