package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// maxMeasured is how many candidates are looked at closely; those with the
// most of the prompt's weight come first.
const maxMeasured = 64

// lookup is one query's way through the index.
type lookup struct {
	*Searcher
	question
	ctx   context.Context
	query Query
	sets  []*roaring.Bitmap // by term: the documents that have it
	hits  []scored
}

// scored is a hit with its score.
type scored struct {
	Hit
	score score
}

func (l *lookup) run() error {
	docs, err := l.find()
	if err != nil {
		return err
	}
	l.weigh(docs, func(i int) uint64 { return l.sets[i].GetCardinality() })
	if err := l.indexed(); err != nil {
		return err
	}
	return l.tail()
}

// find fills the sets, and says of how many documents.
func (l *lookup) find() (docs uint64, err error) {
	seg := l.gen.segment
	if seg == nil {
		l.sets = slices.Repeat([]*roaring.Bitmap{roaring.New()}, len(l.terms))
		return 0, nil
	}
	terms, err := seg.Dictionary(fieldTerms)
	if err != nil {
		return 0, err
	}
	for _, t := range l.terms {
		set, err := having(terms, t)
		if err != nil {
			return 0, err
		}
		l.sets = append(l.sets, set)
	}
	return seg.Count(), nil
}

// having are the documents that have a term, in any of its forms.
func having(terms segment.TermDictionary, t wanted) (*roaring.Bitmap, error) {
	all := roaring.New()
	for _, form := range t.forms {
		set, err := postings(terms, form)
		if err != nil {
			return nil, err
		}
		all.Or(set)
	}
	return all, nil
}

// indexed measures the candidates among the documents.
func (l *lookup) indexed() error {
	docs := l.candidates()
	if len(docs) == 0 {
		return nil
	}
	places, err := l.places(docs)
	if err != nil {
		return err
	}
	for i, doc := range docs {
		if err := l.hit(doc, places[i]); err != nil {
			return err
		}
	}
	return l.ctx.Err()
}

// candidates are the documents that may reach the floor, in rising order.
func (l *lookup) candidates() []uint32 {
	share := map[uint32]float64{}
	for i, set := range l.sets {
		for it := set.Iterator(); it.HasNext(); {
			share[it.Next()] += l.terms[i].weight
		}
	}
	floor := (l.floor() - phraseWeight) / (shareWeight + headingWeight) * l.total
	var out []uint32
	for doc, has := range share {
		if has >= floor {
			out = append(out, doc)
		}
	}
	slices.SortFunc(out, func(a, b uint32) int { return cmp.Or(cmp.Compare(share[b], share[a]), cmp.Compare(a, b)) })
	out = out[:min(len(out), maxMeasured)]
	slices.Sort(out)
	return out
}

// places reads where each term stands in each of the documents, which are in
// rising order, so that every list is gone through once.
func (l *lookup) places(docs []uint32) ([][][]int, error) {
	out := make([][][]int, len(docs))
	for i := range out {
		out[i] = make([][]int, len(l.terms))
	}
	terms, err := l.gen.segment.Dictionary(fieldTerms)
	if err != nil {
		return nil, err
	}
	for k, t := range l.terms {
		if err := stand(terms, t, docs, func(i int, places []int) {
			out[i][k] = append(out[i][k], places...)
			slices.Sort(out[i][k])
		}); err != nil {
			return nil, err
		}
		if err := l.ctx.Err(); err != nil {
			return nil, &Error{State: StateSlow, Cause: "it was not searched in time", Err: err}
		}
	}
	return out, nil
}

// stand hands over where a term stands, in each of its forms, in those of the
// documents that have it.
func stand(terms segment.TermDictionary, t wanted, docs []uint32, found func(i int, places []int)) error {
	for _, form := range t.forms {
		list, err := terms.PostingsList([]byte(form), nil, nil)
		if err != nil {
			return err
		}
		if err := follow(list.Iterator(true, false, true, nil), docs, found); err != nil {
			return err
		}
	}
	return nil
}

// follow goes along a list of places.
func follow(it segment.PostingsIterator, docs []uint32, found func(i int, places []int)) error {
	var p segment.Posting
	for i, doc := range docs {
		if p == nil || p.Number() < uint64(doc) {
			var err error
			if p, err = it.Advance(uint64(doc)); err != nil || p == nil {
				return err
			}
		}
		if p.Number() != uint64(doc) {
			continue
		}
		var places []int
		for _, at := range p.Locations() {
			places = append(places, int(at.Pos()))
		}
		found(i, places)
	}
	return nil
}

// hit reads a document that may reach its floor.
func (l *lookup) hit(doc uint32, places [][]int) error {
	if l.measure(places, 1<<30).relevance < l.floor() {
		return nil
	}
	var r record
	err := errors.New("a document has no record")
	visited := l.gen.segment.VisitStoredFields(uint64(doc), func(field string, _ byte, value []byte, _ []uint64) bool {
		if field == fieldRecord {
			err = json.Unmarshal(value, &r)
		}
		return true
	})
	if err := errors.Join(visited, err); err != nil {
		return &Error{State: StateCorrupt, Cause: "a document can't be read", Err: err}
	}
	l.take(r, places)
	return nil
}

// floor is the lower of the two.
func (l *lookup) floor() float64 { return min(l.query.Floor, l.query.TurnFloor) }

// take makes a hit of a record that reaches its floor and was not forgotten.
func (l *lookup) take(r record, places [][]int) {
	floor := l.query.Floor
	if r.Kind == KindTurn {
		floor = l.query.TurnFloor
		if l.query.Gone != nil && l.query.Gone(r.Key) {
			return
		}
	}
	if s := l.measure(places, len(words(r.Title))); s.relevance >= floor {
		l.hits = append(l.hits, scored{r.hit(min(1, s.relevance)), s})
	}
}

func (r record) hit(relevance float64) Hit {
	return Hit{
		Kind: r.Kind, Key: r.Key, Digest: digest(r.Title, r.Body), Title: r.Title, Body: r.Body, Source: r.Source,
		Path: r.Path, Line: r.Line, Time: r.Time, Relevance: relevance,
	}
}

// tail measures turns that are newer than the index.
func (l *lookup) tail() error {
	if l.query.Tail == nil {
		return nil
	}
	for t, err := range l.query.Tail {
		if ended := l.ctx.Err(); ended != nil {
			return &Error{State: StateSlow, Cause: "new turns were not read in time", Err: ended}
		}
		if err != nil {
			return &Error{State: StateCorrupt, Cause: "new turns can't be read", Err: err}
		}
		if known, err := l.knows(t.ID); err != nil {
			return err
		} else if !known {
			r := t.record()
			l.take(r, l.scan(r))
		}
	}
	return nil
}

// knows tells a turn that is indexed.
func (l *lookup) knows(id string) (bool, error) {
	if l.gen.segment == nil {
		return false, nil
	}
	set, err := l.gen.segment.DocNumbers([]string{id})
	return err == nil && !set.IsEmpty(), err
}

// scan finds the terms in a record that is not indexed.
func (l *lookup) scan(r record) [][]int {
	out := make([][]int, len(l.terms))
	for _, tok := range l.lex.Analyze([]byte(r.text())) {
		for i, t := range l.terms {
			if slices.Contains(t.forms, string(tok.Term)) {
				out[i] = append(out[i], tok.Position)
			}
		}
	}
	return out
}

// ranked are the hits in order, as many as were asked for.
func (l *lookup) ranked() []Hit {
	slices.SortFunc(l.hits, func(a, b scored) int {
		return cmp.Or(
			cmp.Compare(b.score.relevance, a.score.relevance), cmp.Compare(a.Kind, b.Kind), // "section" < "turn"
			cmp.Compare(b.score.heading, a.score.heading), cmp.Compare(b.score.strength, a.score.strength),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), b.Time.Compare(a.Time), cmp.Compare(a.Key, b.Key),
		)
	})
	var out []Hit
	for _, h := range l.hits {
		if l.query.Limit > 0 && len(out) == l.query.Limit {
			break
		}
		out = append(out, h.Hit)
	}
	return out
}
