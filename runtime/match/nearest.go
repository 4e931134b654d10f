package match

import (
	"slices"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// Near says what a prompt that passed came closest to. Token is the first
// token that keeps it from being a command, -1 for none; Unknown is set when
// no phrase knows that word at all.
type Near struct {
	Token   int
	Text    string // the token, as typed
	Column  int    // where it begins, counted in characters from 1
	Unknown bool

	Intent   string // of the nearest phrase, "" when there is none
	Source   string
	Pos      artifact.Pos
	After    string   // the last word both have in common from the start
	Expected []string // what the phrase would go on with
	Slots    bool     // the phrase captures a value
}

// Nearest finds the phrase that shares the most words with a prompt, by the
// index, and the place where the two part. It is for people: the hook never
// asks.
func Nearest(f *artifact.File, q Query, s *Scratch) Near {
	near := Near{Token: -1}
	s.text.Parse(q.Prompt)
	if len(s.text.Tokens) == 0 || tooLong(&s.text) {
		return near
	}
	end, _ := s.body()
	s.symbols(f)
	s.findLeads(f.Lead(), end)
	s.findTrails(f.Trail(), end)
	near.unknown(s, end)
	if id, ok := s.closest(f, q); ok {
		near.describe(f, s, id, end)
	}
	return near
}

// unknown notes the first word that no phrase has.
func (n *Near) unknown(s *Scratch, end int) {
	for i := range s.tokens[:end] {
		if !s.tokens[i].spoken() {
			n.at(s, i)
			n.Unknown = true
			return
		}
	}
}

func (n *Near) at(s *Scratch, i int) {
	n.Token, n.Text = i, s.text.Span(i, i+1)
	n.Column = len([]rune(s.text.Source[:s.text.Tokens[i].Start])) + 1
}

// closest gives the phrase with the best share of common words.
func (s *Scratch) closest(f *artifact.File, q Query) (best uint32, ok bool) {
	defer func() {
		if recover() != nil { // damaged bytes
			ok = false
		}
	}()
	terms, err := openDictionary(f, artifact.FieldPhrase)
	if err != nil || terms == nil {
		return 0, false
	}
	shared := map[uint32]int{}
	seen := map[string]bool{}
	for i := range s.tokens {
		word := string(s.text.Word(i))
		if seen[word] {
			continue
		}
		seen[word] = true
		for it := terms.postings(word).Iterator(); it.HasNext(); {
			shared[it.Next()]++
		}
	}
	return s.bestShare(f, q, shared)
}

// bestShare ranks documents by twice the common words over all words of
// both; the earlier one wins a draw.
func (s *Scratch) bestShare(f *artifact.File, q Query, shared map[uint32]int) (best uint32, ok bool) {
	docs := make([]uint32, 0, len(shared))
	for d := range shared {
		docs = append(docs, d)
	}
	slices.Sort(docs)
	top := leastShare
	for _, d := range docs {
		id, found := f.DocPhrase(uint64(d))
		if !found {
			continue
		}
		p := f.Phrase(id)
		if _, allowed := slices.BinarySearch(q.Intents, p.Intent()); !allowed {
			continue
		}
		size := max(shortest(s.program(f, p)), shared[d])
		if share := 2 * float64(shared[d]) / float64(len(s.tokens)+size); share > top {
			best, top, ok = id, share, true
		}
	}
	return best, ok
}

// leastShare is how much a prompt and a phrase must have in common for the
// phrase to be worth naming.
const leastShare = 0.4

// shortest is the least number of tokens that a program accepts.
func shortest(prog []artifact.Inst) int {
	places := artifact.Readers(prog, 0)
	for n := range maxTokens {
		var next []int
		for _, pc := range places {
			if prog[pc].Op == artifact.OpMatch {
				return n
			}
			next = append(next, pc+1)
		}
		places = artifact.Readers(prog, next...)
	}
	return maxTokens
}

// describe follows the phrase as far as the prompt goes along, from the best
// of the places where leads may end.
func (n *Near) describe(f *artifact.File, s *Scratch, id uint32, end int) {
	p := f.Phrase(id)
	n.Intent, n.Source, n.Pos = f.Intent(p.Intent()).Name, p.Source(), p.Pos()
	prog := s.program(f, p)
	n.Slots = slices.ContainsFunc(prog, func(in artifact.Inst) bool { return in.Op == artifact.OpBegin })
	at, places := -1, []int(nil)
	for _, lead := range s.leads {
		if i, ps := s.follow(prog, lead.at, end); i > at {
			at, places = i, ps
		}
	}
	if at > 0 {
		n.After = string(s.text.Word(at - 1))
	}
	for _, pc := range places {
		n.expect(f, prog, pc)
	}
	slices.Sort(n.Expected)
	n.Expected = slices.Compact(n.Expected)
	if n.Token < 0 && at >= 0 && at < len(s.tokens) {
		n.at(s, at)
	}
}

// aValue stands for the text of a slot.
const aValue = "a value"

// expect adds what an instruction reads.
func (n *Near) expect(f *artifact.File, prog []artifact.Inst, pc int) {
	switch in := prog[pc]; in.Op {
	case artifact.OpWord:
		word := f.Word(in.A)
		if word == `"` || word == "'" {
			word = aValue
		}
		n.Expected = append(n.Expected, word)
	case artifact.OpClass:
		n.Expected = append(n.Expected, aValue)
	case artifact.OpMatch:
		n.Expected = append(n.Expected, "the end")
	}
}

// follow runs a program from a token and gives how far it came and the
// reading instructions it stood at there.
func (s *Scratch) follow(prog []artifact.Inst, from, end int) (at int, places []int) {
	places = artifact.Readers(prog, 0)
	for at = from; at < end; at++ {
		var next []int
		for _, pc := range places {
			if in := prog[pc]; in.Op == artifact.OpWord && s.tokens[at].known && s.tokens[at].id == in.A ||
				in.Op == artifact.OpClass && s.tokens[at].class&in.A != 0 {
				next = append(next, pc+1)
			}
		}
		if len(next) == 0 {
			return at, places
		}
		places = artifact.Readers(prog, next...)
	}
	return at, places
}

// WouldTake tells whether a plain phrase, added to the story, would take a
// prompt: with fillers around it, it is the whole prompt. A hedged prompt is
// not taken.
func WouldTake(f *artifact.File, phrase, prompt string, s *Scratch) bool {
	if reason, _ := Prefilter(prompt, ""); reason != "" {
		return false
	}
	s.text.Parse(prompt)
	if tokenLook(&s.text) != "" {
		return false
	}
	end, question := s.body()
	s.symbols(f)
	s.findLeads(f.Lead(), end)
	s.findTrails(f.Trail(), end)
	var t text.Text
	t.Parse(phrase)
	key := string(t.AppendKey(nil, 0, trimmed(&t)))
	for _, lead := range s.leads {
		for _, trail := range s.trails {
			c := candidate{lead: lead, trail: trail}
			if lead.at < trail.at && c.asksRightly(question) && string(s.text.AppendKey(nil, lead.at, trail.at)) == key && s.tier(artifact.PhrasePlain, c) != TierHedged {
				return true
			}
		}
	}
	return false
}

// Core is the prompt without the longest leads and trails around it: what a
// phrase that should take it would say.
func Core(f *artifact.File, prompt string, s *Scratch) string {
	s.text.Parse(prompt)
	end, _ := s.body()
	s.symbols(f)
	s.findLeads(f.Lead(), end)
	s.findTrails(f.Trail(), end)
	from, to := s.leads[len(s.leads)-1].at, s.trails[len(s.trails)-1].at
	if from >= to {
		return ""
	}
	out := s.text.AppendKey(nil, from, from+1)
	for i := from + 1; i < to; i++ {
		if !s.text.Unspaced(i-1) || !s.text.Unspaced(i) {
			out = append(out, ' ')
		}
		out = append(out, s.text.Word(i)...)
	}
	return string(out)
}
