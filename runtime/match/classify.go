// Package match answers whose prompt it is. Classify reads an artifact and a
// prompt and gives the intents whose declared phrases cover every token of
// it; Decide turns that into intercept or pass.
//
// In: an open artifact.File, a prompt, the intents allowed in the bound room.
// Out: a Result, then a Decision. Invariants: Classify runs nothing, writes
// nothing and keeps nothing but its scratch memory; a prompt with one token
// that no phrase, slot or filler in its place accounts for is not covered.
// It refuses to guess: two intents pass.
package match

import (
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// Query is one question to the tables. Intents are the indexes of the
// intents that may be intercepted, ascending: the room's set, or the part of
// it that the binding's world allows.
type Query struct {
	Prompt    string
	Escape    string // the configured escape prefix
	Automaton uint32 // the room's pattern automaton
	Intents   []uint32
	Cover     bool // also account for every token, for people to see
}

// Scratch is the memory of Classify, reused from prompt to prompt so that a
// pass allocates nothing. The zero Scratch is ready. It is not safe for
// concurrent use.
type Scratch struct {
	text   text.Text
	tokens []symbol
	leads  []edge
	trails []edge
	key    []byte
	found  []candidate
	rows   []SlotRow
	phrase text.Text // a plain phrase that is held against the prompt
	index  index
}

// symbol is what the automata read of a token.
type symbol struct {
	id, class uint32
	known     bool
}

// spoken tells a word that some phrase, filler or group has.
func (t symbol) spoken() bool { return t.known && t.class&ClassSpoken != 0 }

// edge is a place where leads may end, or trails begin.
type edge struct {
	at    int
	flags uint16
}

// candidate is a reading found by the tables, before its captures are known.
type candidate struct {
	phrase        uint32
	lead, trail   edge
	plain         bool
	wholeQuestion bool // the final "?" belongs to the phrase
	synonym       bool // only when words are exchanged
}

// Classify reads the tables. Result.Reason is not_ready when the file turned
// out damaged on the way.
func Classify(f *artifact.File, q Query, s *Scratch) Result {
	if reason, detail := Prefilter(q.Prompt, q.Escape); reason != "" {
		return Result{Reason: reason, Detail: detail}
	}
	s.text.Parse(q.Prompt)
	if detail := tokenLook(&s.text); detail != "" {
		return Result{Reason: ReasonPrefilter, Detail: detail}
	}
	s.search(f, q)
	var hits []Hit
	if len(s.found) == 0 {
		s.synonyms(f, q)
	}
	if len(s.found) > 0 {
		hits = s.resolve(f, q)
	}
	if err := f.Err(); err != nil {
		return Result{Reason: ReasonNotReady, Detail: err.Error()}
	}
	return Result{Hits: hits}
}

// search fills s.found with every reading that covers the whole prompt.
func (s *Scratch) search(f *artifact.File, q Query) {
	s.found = s.found[:0]
	end, question := s.body()
	s.symbols(f)
	s.findLeads(f.Lead(), end)
	s.findTrails(f.Trail(), end)
	patterns := f.Automaton(q.Automaton)
	for _, lead := range s.leads {
		s.runPatterns(patterns, lead, end, question)
		s.lookUp(f, lead, end, question)
	}
}

// body gives the number of tokens without the final mark, and whether that
// mark was a question mark.
func (s *Scratch) body() (end int, question bool) {
	n := len(s.text.Tokens)
	if n == 0 || s.text.Tokens[n-1].Kind != text.Boundary {
		return n, false
	}
	switch s.text.Word(n - 1)[0] {
	case '.', '!':
		return n - 1, false
	case '?':
		return n - 1, true
	}
	return n, false
}

func (s *Scratch) symbols(f *artifact.File) {
	s.tokens = s.tokens[:0]
	for i, t := range s.text.Tokens {
		word := s.text.Word(i)
		id, class, ok := f.Token(word)
		if !ok {
			class = ClassOf(t.Kind, word)
		}
		s.tokens = append(s.tokens, symbol{id, class, ok})
	}
}

// findLeads lists the places where a sequence of leads may end; 0 is one.
func (s *Scratch) findLeads(a artifact.AutomatonView, end int) {
	s.leads = append(s.leads[:0], edge{})
	state := uint32(0)
	for i := 0; i < end; i++ {
		next, ok := step(a, state, s.tokens[i])
		if !ok {
			return
		}
		state = next
		if from, to := a.Accepts(state); from < to {
			s.leads = append(s.leads, edge{i + 1, uint16(a.At(from))})
		}
	}
}

// findTrails lists the places where a sequence of trails may begin; end is
// one.
func (s *Scratch) findTrails(a artifact.AutomatonView, end int) {
	s.trails = append(s.trails[:0], edge{at: end})
	state := uint32(0)
	for i := end - 1; i > 0; i-- {
		next, ok := step(a, state, s.tokens[i])
		if !ok {
			return
		}
		state = next
		if from, to := a.Accepts(state); from < to {
			s.trails = append(s.trails, edge{i, uint16(a.At(from))})
		}
	}
}

// step moves an automaton on by one token.
func step(a artifact.AutomatonView, state uint32, t symbol) (uint32, bool) {
	return a.Step(state, t.id, t.known, t.class)
}

// runPatterns runs the pattern automaton from the end of a lead.
func (s *Scratch) runPatterns(a artifact.AutomatonView, lead edge, end int, question bool) {
	state := uint32(0)
	for i := lead.at; i < len(s.tokens); i++ {
		next, ok := step(a, state, s.tokens[i])
		if !ok {
			return
		}
		state = next
		if question && i+1 == len(s.tokens) {
			s.accept(a, state, candidate{lead: lead, trail: edge{at: len(s.tokens)}, wholeQuestion: true})
		}
		for _, trail := range s.trails {
			if trail.at == i+1 {
				s.accept(a, state, candidate{lead: lead, trail: trail})
			}
		}
	}
}

// accept records the phrases that a state accepts. A phrase that runs to the
// end of the prompt has nothing behind it.
func (s *Scratch) accept(a artifact.AutomatonView, state uint32, c candidate) {
	from, to := a.Accepts(state)
	for ; from < to; from++ {
		v := a.At(from)
		if v&artifact.EndOnly != 0 && c.trail.at != s.trails[0].at {
			continue
		}
		c.phrase = v &^ artifact.EndOnly
		s.found = append(s.found, c)
	}
}

// lookUp tries the exact table for what lies between a lead and each trail.
func (s *Scratch) lookUp(f *artifact.File, lead edge, end int, question bool) {
	for _, trail := range s.trails {
		s.lookUpOne(f, candidate{lead: lead, trail: trail, plain: true})
	}
	if question {
		s.lookUpOne(f, candidate{lead: lead, trail: edge{at: end + 1}, plain: true, wholeQuestion: true})
	}
}

func (s *Scratch) lookUpOne(f *artifact.File, c candidate) {
	if c.lead.at >= c.trail.at {
		return
	}
	s.key = s.text.AppendKey(s.key[:0], c.lead.at, c.trail.at)
	from, to := f.Exact(s.key)
	for ; from < to; from++ {
		c.phrase = f.ExactPhrase(from)
		s.found = append(s.found, c)
	}
}
