package match

import (
	"cmp"
	"slices"

	"kitsoki/runtime/artifact"
)

// resolve turns candidates into the best hit of each intent, and drops the
// intents that need more slots than another to say the same.
func (s *Scratch) resolve(f *artifact.File, q Query) []Hit {
	_, question := s.body()
	var hits []Hit
	for _, c := range s.found {
		p := f.Phrase(c.phrase)
		if _, ok := slices.BinarySearch(q.Intents, p.Intent()); !ok {
			continue
		}
		if !c.asksRightly(question) {
			continue
		}
		if h, ok := s.read(f, p, c, q.Cover); ok {
			hits = keepBest(hits, h)
		}
	}
	return fewestSlots(hits)
}

// asksRightly tells whether a question is one that a command may be: the
// phrase's own, or a request's; and whether a request that is one only in a
// question stands in one, or says please.
func (c candidate) asksRightly(question bool) bool {
	const requestInQuestion = artifact.FlagRequest | artifact.FlagAsk
	lead, trail := c.lead.flags, c.trail.flags
	request := (lead|trail)&artifact.FlagRequest != 0
	particle := trail&requestInQuestion == artifact.FlagAsk
	if !request && (particle || question && !c.wholeQuestion) {
		return false
	}
	if lead&requestInQuestion != requestInQuestion && trail&requestInQuestion != requestInQuestion {
		return true
	}
	return question || particle || (lead|trail)&artifact.FlagPlease != 0
}

// keepBest adds h unless its intent already has a better reading.
func keepBest(hits []Hit, h Hit) []Hit {
	for i := range hits {
		if hits[i].ID == h.ID {
			if better(h, hits[i]) < 0 {
				hits[i] = h
			}
			return hits
		}
	}
	return append(hits, h)
}

// better orders the readings of one intent: nothing missing, the higher
// confidence, more literal words, fewer optional ones, the phrase declared
// first.
func better(a, b Hit) int {
	return cmp.Or(
		cmp.Compare(len(a.Missing), len(b.Missing)),
		cmp.Compare(b.Tier.Confidence(), a.Tier.Confidence()),
		cmp.Compare(b.literals, a.literals),
		cmp.Compare(a.optionals, b.optionals),
		cmp.Compare(a.Phrase, b.Phrase),
	)
}

func fewestSlots(hits []Hit) []Hit {
	if len(hits) < 2 {
		return hits
	}
	least := slices.MinFunc(hits, func(a, b Hit) int { return cmp.Compare(a.slots, b.slots) }).slots
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.slots > least })
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Tier.Confidence(), a.Tier.Confidence()), cmp.Compare(a.ID, b.ID))
	})
	return hits
}

// read makes a hit of a candidate: captures, what is missing, the tier.
func (s *Scratch) read(f *artifact.File, p artifact.PhraseView, c candidate, cover bool) (Hit, bool) {
	intent := f.Intent(p.Intent())
	h := Hit{
		ID: p.Intent(), Intent: intent.Name, Title: intent.Title, Confirm: intent.Confirm, Drive: intent.Drive,
		Phrase: p.ID(), Source: p.Source(), Pos: p.Pos(), slots: p.Slots(), literals: c.trail.at - c.lead.at,
	}
	var caps []capture
	if !c.plain {
		w := walker{s: s, prog: s.program(f, p), end: c.trail.at, last: c.trail.at == s.trails[0].at}
		if c.synonym {
			w.groups = f
		}
		var ok bool
		if caps, ok = w.walk(c.lead.at); !ok || c.synonym && w.exchanged == 0 {
			return Hit{}, false
		}
		h.literals, h.optionals = w.literals, w.optionals
	}
	if !s.fill(&h, intent, caps) {
		return Hit{}, false
	}
	h.Tier = s.tier(p.Kind(), c)
	if cover {
		h.Cover = s.cover(f, c, caps, intent)
	}
	return h, true
}

// fill turns captures into slot values, false when one is not of its type.
func (s *Scratch) fill(h *Hit, intent artifact.IntentRow, caps []capture) bool {
	filled := map[string]bool{}
	for _, c := range caps {
		if c.slot < 0 {
			continue
		}
		slot := intent.Slots[c.slot]
		v, ok := s.value(slot, c)
		if !ok {
			return false
		}
		filled[slot.Name] = true
		h.Slots = append(h.Slots, v)
	}
	for _, slot := range intent.Slots {
		if slot.Required && slot.Default == nil && !filled[slot.Name] {
			h.Missing = append(h.Missing, slot.Name)
		}
	}
	return true
}

func (s *Scratch) value(slot artifact.Slot, c capture) (SlotValue, bool) {
	v := SlotValue{Name: slot.Name, Type: slot.Type, Must: slot.Must, Raw: s.text.Span(c.from, c.to)}
	if c.value > 0 {
		if c.value > len(slot.Values) {
			return v, false
		}
		v.Value = slot.Values[c.value-1]
		return v, true
	}
	row, ok := SlotRowOf(slot.Type)
	if !ok {
		return v, false
	}
	v.Value, ok = row.Parse(v.Raw)
	v.Uncertain = uncertain(slot.Type, []byte(v.Raw))
	return v, ok
}

// uncertain tells a value whose form alone does not make it one.
func uncertain(t artifact.SlotType, raw []byte) bool {
	switch t {
	case artifact.SlotRef:
		return refClass(raw) == ClassName
	case artifact.SlotPath:
		return pathClass(raw) == ClassFile
	}
	return false
}

// tier labels a reading by what it needed beside the phrase.
func (s *Scratch) tier(kind artifact.PhraseKind, c candidate) Tier {
	flags := c.lead.flags
	please := (c.lead.flags|c.trail.flags)&artifact.FlagPlease != 0
	end, _ := s.body()
	bare := c.lead.at == 0 && c.trail.at >= end
	switch {
	case flags&artifact.FlagHedge != 0, flags&artifact.FlagWe != 0 && !please, flags&artifact.FlagRemark != 0 && c.trail.at-c.lead.at == 1:
		return TierHedged
	case c.synonym:
		return TierSynonym
	case !bare:
		return TierFillers
	case kind == artifact.PhraseExample:
		return TierExact
	}
	return TierGrammar
}
