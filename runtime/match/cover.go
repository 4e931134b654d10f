package match

import "kitsoki/runtime/artifact"

// cover accounts for every token of an accepted prompt, in order.
func (s *Scratch) cover(f *artifact.File, c candidate, caps []capture, intent artifact.IntentRow) []Cover {
	var out []Cover
	out = s.fillers(out, f, 0, c.lead.at, artifact.PhraseLead, artifact.PhraseRequest)
	at := c.lead.at
	for _, cp := range caps {
		out = s.run(out, "phrase", "", at, cp.from)
		if cp.slot < 0 {
			out = s.run(out, "exchange", words(f, cp.instead), cp.from, cp.to)
		} else {
			out = s.run(out, "slot", intent.Slots[cp.slot].Name, cp.from, cp.to)
		}
		at = cp.to
	}
	out = s.run(out, "phrase", "", at, c.trail.at)
	end, _ := s.body()
	out = s.fillers(out, f, c.trail.at, end, artifact.PhraseTrail, artifact.PhraseTrail)
	return s.run(out, "end", "", max(end, c.trail.at), len(s.text.Tokens))
}

// words spells interned words.
func words(f *artifact.File, ids []uint32) string {
	var out string
	for i, id := range ids {
		if i > 0 {
			out += " "
		}
		out += f.Word(id)
	}
	return out
}

// run adds the cover of tokens from..to, when there are any.
func (s *Scratch) run(out []Cover, kind, name string, from, to int) []Cover {
	if from >= to {
		return out
	}
	return append(out, Cover{
		Kind: kind, Name: name, Text: s.text.Span(from, to),
		Start: s.text.Tokens[from].Start, End: s.text.Tokens[to-1].End,
	})
}

// fillers splits tokens from..to into the fillers of the two kinds, longest
// first; a contraction's halves never part.
func (s *Scratch) fillers(out []Cover, f *artifact.File, from, to int, kinds ...artifact.PhraseKind) []Cover {
	if from >= to {
		return out
	}
	var items []artifact.PhraseView
	for id := range uint32(f.PhraseCount()) {
		p := f.Phrase(id)
		if p.Intent() != artifact.NoIntent {
			break // fillers stand first
		}
		if p.Kind() == kinds[0] || p.Kind() == kinds[1] {
			items = append(items, p)
		}
	}
	dead := map[int]bool{}
	parts, ok := s.split(items, from, to, dead)
	if !ok {
		return s.run(out, fillerName(kinds[0]), "", from, to)
	}
	for _, p := range parts {
		out = s.run(out, fillerName(p.kind), "", p.from, p.to)
	}
	return out
}

type fillerPart struct {
	kind     artifact.PhraseKind
	from, to int
}

func (s *Scratch) split(items []artifact.PhraseView, from, to int, dead map[int]bool) ([]fillerPart, bool) {
	if from == to {
		return nil, true
	}
	if dead[from] {
		return nil, false
	}
	for end := to; end > from; end-- {
		for _, p := range items {
			w := walker{s: s, prog: p.Prog(), end: end, last: true}
			if _, ok := w.walk(from); !ok {
				continue
			}
			if rest, ok := s.split(items, end, to, dead); ok {
				return append([]fillerPart{{p.Kind(), from, end}}, rest...), true
			}
		}
	}
	dead[from] = true
	return nil, false
}

func fillerName(k artifact.PhraseKind) string {
	switch k {
	case artifact.PhraseRequest:
		return "request"
	case artifact.PhraseTrail:
		return "trail"
	}
	return "lead"
}
