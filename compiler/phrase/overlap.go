package phrase

import (
	"slices"

	"kitsoki/compiler/pattern"
)

// overlaps finds plain phrases of two intents that fillers make one: "ok
// push" and "push now" both accept "ok push now".
func (l *lowerer) overlaps(reported map[[2]uint32]bool) {
	o := &overlap{l: l, whole: map[string][]*decl{}, suffix: map[string][]cut{}}
	o.leadEnds = accepting(l.lead.dfa)
	o.trailEnds = accepting(l.trail.dfa)
	for _, d := range l.decls[l.fillers:] {
		if d.plain {
			o.whole[joined(d.key)] = append(o.whole[joined(d.key)], d)
			for _, i := range o.starts(d) {
				o.suffix[joined(d.key[i:])] = append(o.suffix[joined(d.key[i:])], cut{d, i})
			}
		}
	}
	for _, d := range l.decls[l.fillers:] {
		if d.plain {
			o.check(d, reported)
		}
	}
}

type overlap struct {
	l                   *lowerer
	whole               map[string][]*decl
	suffix              map[string][]cut
	leadEnds, trailEnds []uint32
}

// cut is a phrase whose first at tokens can be read as leads.
type cut struct {
	d  *decl
	at int
}

func accepting(d *pattern.DFA) []uint32 {
	var out []uint32
	for i := range d.States {
		if d.Accepting(uint32(i)) {
			out = append(out, uint32(i))
		}
	}
	return out
}

// starts gives the places up to which a phrase can be read as leads.
func (o *overlap) starts(d *decl) []int {
	return o.cuts(o.l.lead.dfa, o.leadEnds, o.l.words.idsOf(d.key))
}

// stops gives the places from which a phrase can be read as trails.
func (o *overlap) stops(d *decl) []int {
	ids := o.l.words.idsOf(d.key)
	slices.Reverse(ids)
	out := o.cuts(o.l.trail.dfa, o.trailEnds, ids)
	for i := range out {
		out[i] = len(d.key) - out[i]
	}
	return out
}

// cuts gives the lengths of the beginnings of ids that the automaton accepts
// when it goes on from any accepting state.
func (o *overlap) cuts(a *pattern.DFA, from []uint32, ids []uint32) []int {
	var out []int
	for _, state := range from {
		for i, id := range ids[:max(len(ids)-1, 0)] {
			next, ok := a.Step(state, id)
			if !ok {
				break
			}
			if state = next; a.Accepting(state) {
				out = append(out, i+1)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// check compares what is left of a phrase without its own fillers with the
// other phrases.
func (o *overlap) check(d *decl, reported map[[2]uint32]bool) {
	starts, stops := append([]int{0}, o.starts(d)...), append([]int{len(d.key)}, o.stops(d)...)
	for _, i := range starts {
		for _, j := range stops {
			if i >= j {
				continue
			}
			rest := joined(d.key[i:j])
			if i > 0 || j < len(d.key) {
				for _, other := range o.whole[rest] {
					o.tie(reported, d, other, spelled(d.key))
				}
			}
			if i == 0 {
				for _, c := range o.suffix[rest] {
					o.tie(reported, d, c.d, spelled(append(slices.Clone(c.d.key[:c.at]), d.key...)))
				}
			}
		}
	}
}

func (o *overlap) tie(reported map[[2]uint32]bool, a, b *decl, witness string) {
	if a.intent != b.intent && o.l.share(a.intent, b.intent) {
		o.l.tie(reported, a, b, witness)
	}
}
