package phrase

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

// checkSlots refuses slots whose text could not be told from what stands
// beside it.
func (l *lowerer) checkSlots(d *decl) {
	if d.slots == 0 {
		return
	}
	for pc, in := range d.prog {
		switch {
		case in.Op == artifact.OpEnd:
			l.checkAfter(d, pc, in.A)
		case in.Op == artifact.OpMatch && in.A == 1:
			l.checkLast(d, pc)
		case in.Op == artifact.OpClass && in.A == match.ClassFirst:
			l.checkDelimiter(d, pc-1)
		}
	}
	l.checkReadings(d)
}

// checkAfter refuses a slot right behind another, and the same slot twice.
func (l *lowerer) checkAfter(d *decl, end int, slot uint32) {
	for _, pc := range artifact.Closure(d.prog, end+1) {
		if in := d.prog[pc]; in.Op == artifact.OpBegin {
			l.slotError(d, diag.AdjacentSlots, in.A, "nothing stands between {%s} and {%s}", l.slotName(d, slot), l.slotName(d, in.A)).
				Hintf("put a word between them")
			return
		}
	}
	for _, pc := range reachable(d.prog, end+1) {
		if in := d.prog[pc]; in.Op == artifact.OpBegin && in.A == slot {
			l.slotError(d, diag.RepeatedSlot, slot, "{%s} can be filled twice", l.slotName(d, slot)).
				Hintf("use it once in a phrase")
			return
		}
	}
}

// reachable gives every instruction that can run after pc.
func reachable(prog []artifact.Inst, pc int) []int {
	seen := map[int]bool{}
	var out []int
	work := []int{pc}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range artifact.Closure(prog, at) {
			if seen[next] {
				continue
			}
			seen[next] = true
			out = append(out, next)
			if op := prog[next].Op; op == artifact.OpWord || op == artifact.OpClass {
				work = append(work, next+1)
			}
		}
	}
	slices.Sort(out)
	return out
}

// checkLast refuses words behind a free text, which would belong to it.
func (l *lowerer) checkLast(d *decl, end int) {
	for _, pc := range artifact.Closure(d.prog, end+1) {
		if op := d.prog[pc].Op; op == artifact.OpWord || op == artifact.OpClass {
			l.freeSlotError(d, end, diag.FreeSlotNotLast, "free text runs to the end of the prompt, and words stand behind it").
				Hintf("put the slot last, or make its type quoted")
			return
		}
	}
}

// checkDelimiter wants a colon or a word like "message" before a free text.
func (l *lowerer) checkDelimiter(d *decl, begin int) {
	if !l.delimited(d.prog, begin, nil) {
		l.freeSlotError(d, begin, diag.FreeSlotDelimiter, "nothing tells where the free text begins").
			Hintf("put a colon or one of these words before it: %s; or make its type quoted", joined(l.pack.FreeText))
	}
}

// freeSlotError reports at the free slot whose instructions hold pc.
func (l *lowerer) freeSlotError(d *decl, pc int, c diag.Code, format string) *diag.Diagnostic {
	for ; pc >= 0; pc-- {
		if d.prog[pc].Op == artifact.OpBegin {
			return l.slotError(d, c, d.prog[pc].A, "%s", format)
		}
	}
	return l.ds.Addf(c, d.src.Pos, "%s", format)
}

// slotError reports at a slot's place in a phrase, once for each code.
func (l *lowerer) slotError(d *decl, c diag.Code, slot uint32, format string, args ...any) *diag.Diagnostic {
	pos := d.src.Pos
	name := l.slotName(d, slot)
	d.node.Walk(func(n *pattern.Node) {
		if n.Kind == pattern.Slot && n.Text == name {
			pos = d.src.At(n.Offset)
		}
	})
	for i, old := range *l.ds {
		if old.Code == c && old.Pos == pos {
			return &(*l.ds)[i]
		}
	}
	return l.ds.Addf(c, pos, format, args...)
}

func (l *lowerer) slotName(d *decl, slot uint32) string {
	return l.intents[d.intent].row.Slots[slot].Name
}

// maxReadings bounds the pairs of places that checkReadings looks at.
const maxReadings = 200_000

// checkReadings refuses a pattern that can fill its slots in two ways from
// one prompt.
func (l *lowerer) checkReadings(d *decl) {
	label := labelsOf(d.prog)
	type pair struct {
		a, b     int
		diverged bool
	}
	start := artifact.Readers(d.prog, 0)
	seen := map[pair]bool{}
	var work []pair
	push := func(a, b []int, diverged bool) {
		for _, x := range a {
			for _, y := range b {
				p := pair{x, y, diverged || label[x] != label[y]}
				if !seen[p] {
					seen[p] = true
					work = append(work, p)
				}
			}
		}
	}
	push(start, start, false)
	for len(work) > 0 && len(seen) < maxReadings {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		x, y := d.prog[p.a], d.prog[p.b]
		if x.Op == artifact.OpMatch || y.Op == artifact.OpMatch {
			if p.diverged && x.Op == y.Op {
				l.twoReadings(d)
				return
			}
			continue
		}
		if l.common(x, y) {
			push(artifact.Readers(d.prog, p.a+1), artifact.Readers(d.prog, p.b+1), p.diverged)
		}
	}
}

func (l *lowerer) twoReadings(d *decl) {
	l.ds.Addf(diag.ReadingAmbiguous, d.src.Pos, "the phrase %q can fill its slots in two ways from one prompt", d.src.Written()).
		Hintf("tell the readings apart by a word, or split the phrase")
}

// labelsOf gives, for each instruction, which slot (and enum value) its
// token fills, 0 for none.
func labelsOf(prog []artifact.Inst) []uint64 {
	out := make([]uint64, len(prog))
	open := uint64(0)
	for pc, in := range prog {
		switch in.Op {
		case artifact.OpBegin:
			open = uint64(in.A+1)<<32 | uint64(in.B)
		case artifact.OpEnd:
			open = 0
		}
		out[pc] = open
	}
	return out
}

// common tells whether one token could be read by both instructions.
func (l *lowerer) common(x, y artifact.Inst) bool {
	switch {
	case x.Op == artifact.OpWord && y.Op == artifact.OpWord:
		return x.A == y.A
	case x.Op == artifact.OpWord:
		return l.words.class[x.A]&y.A != 0
	case y.Op == artifact.OpWord:
		return l.words.class[y.A]&x.A != 0
	}
	for c := range l.words.sample {
		if c&x.A != 0 && c&y.A != 0 {
			return true
		}
	}
	return false
}
