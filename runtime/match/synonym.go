package match

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v15"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// maxCandidates is how many phrases of the synonym index are aligned with a
// prompt. The compiler refuses phrases that synonyms make one, so that the
// phrases left out can only lose a match.
const maxCandidates = 32

// synonyms looks for phrases that cover the prompt when words are exchanged
// within their groups. The index finds them, the alignment decides. It is
// asked only when nothing covers the prompt as it stands, and gives up at
// once when no word of the prompt is in a group.
func (s *Scratch) synonyms(f *artifact.File, q Query) {
	end, question := s.body()
	if !f.Groups() || !s.accountable(f.SlotClasses(), end) {
		return
	}
	l := lookup{s: s, f: f, members: s.memberSpans(f, end)}
	if len(l.members) == 0 || !l.open() {
		return
	}
	for _, lead := range s.leads {
		for _, trail := range s.trails {
			l.align(q, candidate{lead: lead, trail: trail})
		}
		if question {
			l.align(q, candidate{lead: lead, trail: edge{at: end + 1}, wholeQuestion: true})
		}
	}
}

// accountable tells, before anything is opened, whether some part of the
// prompt that leads and trails leave could be covered at all: each of its
// words is one that phrases use, or fits a slot. Where the story has free
// text, only what it begins with must.
func (s *Scratch) accountable(slots Class, end int) bool {
	single := slots & (ClassInt | ClassRef | ClassName | ClassBool | ClassPath | ClassFile)
	free := slots&(ClassFirst|ClassInDouble) != 0
	unknown := end // first word that neither a phrase nor a single slot has
	for i := end - 1; i >= 0; i-- {
		if !s.tokens[i].known && s.tokens[i].class&single == 0 {
			unknown = i
		}
	}
	first := s.trails[len(s.trails)-1].at // the part that leaves the most to trails
	for _, lead := range s.leads {
		if lead.at < end && (unknown < lead.at || unknown >= first || free && unknown > lead.at) {
			return true
		}
	}
	return false
}

// span is a member of a group that stands in the prompt at tokens from..to.
type span struct {
	from, to int
	member   artifact.Member
}

// memberSpans finds every member of a group in the prompt.
func (s *Scratch) memberSpans(f *artifact.File, end int) []span {
	var out []span
	for i := range s.tokens[:end] {
		if !s.tokens[i].known {
			continue
		}
		for _, m := range f.Members(s.tokens[i].id) {
			if s.stands(m.Tokens, i) {
				out = append(out, span{i, i + len(m.Tokens), m})
			}
		}
	}
	return out
}

// stands tells whether the tokens stand in the prompt at i.
func (s *Scratch) stands(tokens []uint32, i int) bool {
	if i+len(tokens) > len(s.tokens) {
		return false
	}
	for k, id := range tokens {
		if t := s.tokens[i+k]; !t.known || t.id != id {
			return false
		}
	}
	return true
}

// lookup is one prompt's way through the index.
type lookup struct {
	s       *Scratch
	f       *artifact.File
	members []span
	terms   segment.TermDictionary
	sets    []*roaring.Bitmap // by token: the documents that could account for it
}

// open opens the segment as a section of the file. Whatever is wrong with it
// means that there are no synonyms.
func (l *lookup) open() (ok bool) {
	defer func() {
		if recover() != nil { // zapx panics on damaged bytes
			ok = false
		}
	}()
	dict, err := Terms(l.f, artifact.FieldPhrase)
	if err != nil || dict == nil {
		return false
	}
	l.terms = dict
	l.sets = make([]*roaring.Bitmap, len(l.s.tokens))
	for i := range l.s.tokens {
		if l.sets[i], err = l.documents(i); err != nil {
			return false
		}
	}
	return true
}

// Terms opens a field's dictionary in the file's segment, nil when the file
// has none.
func Terms(f *artifact.File, field string) (segment.TermDictionary, error) {
	s := f.Segment()
	if f.Err() != nil || len(s.Data) == 0 {
		return nil, f.Err()
	}
	byName := map[string]uint16{}
	for i, name := range s.Fields {
		byName[name] = uint16(i) + 1
	}
	base, err := zap.InitSegmentBase(s.Data, s.CRC, s.ChunkMode, byName, s.Fields, s.Docs, s.Stored, s.FieldsAt, s.DocValues, s.Dicts, nil)
	if err != nil {
		return nil, err
	}
	return base.Dictionary(field)
}

// documents gives the documents that could account for token i: those that
// have the word, those that have the words of another member of a group that
// stands over it, those that have a slot it fits.
func (l *lookup) documents(i int) (*roaring.Bitmap, error) {
	out := roaring.New()
	if err := l.add(out, string(l.s.text.Word(i))); err != nil {
		return nil, err
	}
	for _, sp := range l.members {
		if i < sp.from || i >= sp.to {
			continue
		}
		for _, m := range l.f.Group(sp.member.Group) {
			if err := l.addMember(out, m); err != nil {
				return nil, err
			}
		}
	}
	for _, row := range SlotRows() {
		if row.Shape == ShapeToken && l.s.tokens[i].class&row.Class == 0 {
			continue
		}
		if err := l.add(out, SlotTerm(row.Type)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// SlotTerm is the term that stands for a slot in the index.
func SlotTerm(t artifact.SlotType) string { return "{" + string(t) + "}" }

// add adds the documents that have a term.
func (l *lookup) add(out *roaring.Bitmap, term string) error {
	set, err := postings(l.terms, term)
	if err != nil {
		return err
	}
	out.Or(set)
	return nil
}

// addMember adds the documents that have all words of a member.
func (l *lookup) addMember(out *roaring.Bitmap, m artifact.Member) error {
	var all *roaring.Bitmap
	for _, id := range m.Tokens {
		set, err := postings(l.terms, l.f.Word(id))
		if err != nil {
			return err
		}
		if all == nil {
			all = set
		} else {
			all.And(set)
		}
	}
	if all != nil {
		out.Or(all)
	}
	return nil
}

// postings gives the documents that have a term.
func postings(terms segment.TermDictionary, term string) (*roaring.Bitmap, error) {
	out := roaring.New()
	list, err := terms.PostingsList([]byte(term), nil, nil)
	if err != nil {
		return nil, err
	}
	if p, ok := list.(*zap.PostingsList); ok {
		p.OrInto(out)
	}
	return out, nil
}

// align records the candidates that cover what lies between a lead and a
// trail.
func (l *lookup) align(q Query, c candidate) {
	if c.lead.at >= c.trail.at {
		return
	}
	var both *roaring.Bitmap
	for _, set := range l.sets[c.lead.at:c.trail.at] {
		if both == nil {
			both = set.Clone()
		} else {
			both.And(set)
		}
		if both.IsEmpty() {
			return
		}
	}
	seen := map[uint32]bool{}
	for it := both.Iterator(); it.HasNext() && len(seen) < maxCandidates; {
		id, ok := l.f.DocPhrase(uint64(it.Next()))
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		if _, allowed := slices.BinarySearch(q.Intents, l.f.Phrase(id).Intent()); allowed {
			c.phrase, c.synonym = id, true
			l.s.found = append(l.s.found, c)
		}
	}
}

// program gives the instructions of a phrase; a plain one is a row of words.
func (s *Scratch) program(f *artifact.File, p artifact.PhraseView) []artifact.Inst {
	if prog := p.Prog(); len(prog) > 0 {
		return prog
	}
	var t text.Text
	t.Parse(p.Source())
	var out []artifact.Inst
	for i := range trimmed(&t) {
		id, _, ok := f.Token(t.Word(i))
		if !ok {
			return nil
		}
		out = append(out, artifact.Inst{Op: artifact.OpWord, A: id})
	}
	return append(out, artifact.Inst{Op: artifact.OpMatch})
}

// trimmed is the number of tokens without a final "." or "!".
func trimmed(t *text.Text) int {
	n := len(t.Tokens)
	if n > 0 && t.Tokens[n-1].Kind == text.Boundary {
		if mark := t.Word(n - 1)[0]; mark == '.' || mark == '!' {
			return n - 1
		}
	}
	return n
}
