package match

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

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
// once when no word of the prompt is in a group. Whatever is wrong with the
// segment means that there are no synonyms.
func (s *Scratch) synonyms(f *artifact.File, q Query) {
	end, question := s.body()
	if !f.Groups() || !s.accountable(f.SlotClasses(), end) {
		return
	}
	found := len(s.found)
	defer func() {
		if recover() != nil { // damaged bytes
			s.found = s.found[:found]
		}
	}()
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
		if !s.tokens[i].spoken() && s.tokens[i].class&single == 0 {
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
		if !s.tokens[i].spoken() {
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
	x       *index
	members []span
}

// documents are those that could account for a token: any that is in one of
// the sets. The sets lie in the segment and are only read.
type documents struct {
	read  bool
	sets  []*roaring.Bitmap
	words int    // so many of the sets, the first ones, have it as a word
	size  uint64 // at most so many
}

func (d *documents) add(set *roaring.Bitmap) {
	if n := set.GetCardinality(); n > 0 {
		d.sets = append(d.sets, set)
		d.size += n
	}
}

func (d *documents) join(o *documents) {
	d.sets = append(d.sets, o.sets...)
	d.size += o.size
}

func (d *documents) contain(doc uint32) bool {
	for _, set := range d.sets {
		if set.Contains(doc) {
			return true
		}
	}
	return false
}

// emptied gives n entries without documents, in the room of list when it has
// enough.
func emptied(list []documents, n int) []documents {
	if cap(list) < n {
		return make([]documents, n)
	}
	list = list[:n]
	for i := range list {
		list[i] = documents{sets: list[i].sets[:0]}
	}
	return list
}

// open opens the segment as a section of the file, once for a scratch that
// goes on with the same file.
func (l *lookup) open() bool {
	if l.s.index.of != l.f || l.f.Err() != nil {
		dict, err := openDictionary(l.f, artifact.FieldPhrase)
		if err != nil || dict == nil {
			return false
		}
		l.s.index = index{of: l.f, terms: dict, known: map[string]*roaring.Bitmap{}, groups: map[uint32][]*roaring.Bitmap{}}
	}
	l.x = &l.s.index
	l.x.sets, l.x.slots = emptied(l.x.sets, len(l.s.tokens)), emptied(l.x.slots, len(l.s.slotRows()))
	return true
}

// of gives the documents that could account for token i: those that have the
// word, those that have the words of another member of a group that stands
// over it, those that have a slot it fits.
func (l *lookup) of(i int) *documents {
	d := &l.x.sets[i]
	if d.read {
		return d
	}
	d.read = true
	if l.s.tokens[i].spoken() {
		d.add(l.x.postings(string(l.s.text.Word(i))))
	}
	for _, sp := range l.members {
		if i < sp.from || i >= sp.to {
			continue
		}
		for _, set := range l.group(sp.member.Group) {
			d.add(set)
		}
	}
	d.words = len(d.sets)
	for k, row := range l.s.slotRows() {
		if row.Shape != ShapeToken || l.s.tokens[i].class&row.Class != 0 {
			d.join(l.slot(k, row))
		}
	}
	return d
}

// slot gives the documents that have a slot of a type, none when the story
// declares no such slot.
func (l *lookup) slot(k int, row SlotRow) *documents {
	d := &l.x.slots[k]
	if !d.read {
		d.read = true
		if row.Class == 0 || l.f.SlotClasses()&row.Class != 0 {
			d.add(l.x.postings(SlotTerm(row.Type)))
		}
	}
	return d
}

// slotRows is the table of slot types, made once for a scratch.
func (s *Scratch) slotRows() []SlotRow {
	if s.rows == nil {
		s.rows = SlotRows()
	}
	return s.rows
}

// group gives the sets of a group's members.
func (l *lookup) group(id uint32) []*roaring.Bitmap {
	sets, ok := l.x.groups[id]
	if !ok {
		for _, m := range l.f.Group(id) {
			sets = append(sets, l.member(m))
		}
		l.x.groups[id] = sets
	}
	return sets
}

// member gives the documents that have all words of a member.
func (l *lookup) member(m artifact.Member) *roaring.Bitmap {
	var all *roaring.Bitmap
	for _, id := range m.Tokens {
		set := l.x.postings(l.f.Word(id))
		if all == nil {
			all = set
		} else {
			all = roaring.And(all, set)
		}
	}
	if all == nil {
		return roaring.New()
	}
	return all
}

// align records the candidates that cover what lies between a lead and a
// trail.
func (l *lookup) align(q Query, c candidate) {
	if c.lead.at >= c.trail.at {
		return
	}
	seen := make([]uint32, 0, maxCandidates)
	for _, doc := range l.likeliest(c.lead.at, c.trail.at) {
		id, ok := l.f.DocPhrase(uint64(doc))
		if !ok || slices.Contains(seen, id) {
			continue
		}
		if len(seen) == maxCandidates {
			return
		}
		seen = append(seen, id)
		if _, allowed := slices.BinarySearch(q.Intents, l.f.Phrase(id).Intent()); allowed {
			c.phrase, c.synonym = id, true
			l.s.found = append(l.s.found, c)
		}
	}
}

// likeliest orders the documents of more phrases than are aligned: those that
// leave the fewest tokens to slots come first, since a document with a slot
// could account for nearly every token of any prompt.
func (l *lookup) likeliest(from, to int) []uint32 {
	docs := l.common(from, to)
	if len(docs) <= maxCandidates {
		return docs
	}
	left := make(map[uint32]int, len(docs))
	for _, doc := range docs {
		for _, d := range l.x.sets[from:to] {
			word := documents{sets: d.sets[:d.words]}
			if !word.contain(doc) {
				left[doc]++
			}
		}
	}
	slices.SortStableFunc(docs, func(a, b uint32) int { return cmp.Compare(left[a], left[b]) })
	return docs
}

// fewDocuments is up to how many documents are looked up one by one in the
// sets of the other tokens; more are intersected set by set.
const fewDocuments = 512

// common gives the documents that could account for each of the tokens
// from..to, in order.
func (l *lookup) common(from, to int) []uint32 {
	rarest := from
	for i := from; i < to; i++ {
		if l.of(i).size < l.of(rarest).size {
			rarest = i
		}
		if l.x.sets[rarest].size == 0 {
			return nil
		}
	}
	if l.x.sets[rarest].size > fewDocuments {
		return l.intersection(from, to)
	}
	var out []uint32
	for _, set := range l.x.sets[rarest].sets {
		for it := set.Iterator(); it.HasNext(); {
			if doc := it.Next(); l.everywhere(doc, from, to) {
				out = append(out, doc)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (l *lookup) everywhere(doc uint32, from, to int) bool {
	for i := from; i < to; i++ {
		if !l.x.sets[i].contain(doc) {
			return false
		}
	}
	return true
}

func (l *lookup) intersection(from, to int) []uint32 {
	all := roaring.FastOr(l.x.sets[from].sets...)
	for i := from + 1; i < to && !all.IsEmpty(); i++ {
		all.And(roaring.FastOr(l.x.sets[i].sets...))
	}
	return all.ToArray()
}

// program gives the instructions of a phrase; a plain one is a row of words.
func (s *Scratch) program(f *artifact.File, p artifact.PhraseView) []artifact.Inst {
	if prog := p.Prog(); len(prog) > 0 {
		return prog
	}
	t := &s.phrase
	t.Parse(p.Source())
	out := make([]artifact.Inst, 0, len(t.Tokens)+1)
	for i := range trimmed(t) {
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
