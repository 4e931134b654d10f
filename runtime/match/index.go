package match

import (
	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v15"

	"kitsoki/runtime/artifact"
)

// index is an opened segment, with the sets that were read from it: whoever
// goes on with one scratch asks for the same words again and again.
type index struct {
	of    *artifact.File
	terms segment.TermDictionary
	known map[string]*roaring.Bitmap
	// groups are the documents that have all words of a member, for each member
	// of a group.
	groups map[uint32][]*roaring.Bitmap
	// The rest is the room of one lookup, used again by the next.
	sets  []documents // by token, read when asked for
	slots []documents // by slot type, for those the story declares
}

// maxKnown bounds how many sets are kept.
const maxKnown = 4096

// postings gives the documents that have a term.
func (x *index) postings(term string) *roaring.Bitmap {
	if set, ok := x.known[term]; ok {
		return set
	}
	if len(x.known) >= maxKnown {
		clear(x.known)
	}
	set := readPostings(x.terms, term)
	x.known[term] = set
	return set
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

// SlotTerm is the term that stands for a slot in the index.
func SlotTerm(t artifact.SlotType) string { return "{" + string(t) + "}" }

// readPostings gives the documents that have a term. The set lies in the segment:
// it is only read. Damage is a panic.
func readPostings(terms segment.TermDictionary, term string) *roaring.Bitmap {
	list, err := terms.PostingsList([]byte(term), nil, nil)
	if err != nil {
		panic(err)
	}
	it, ok := list.Iterator(false, false, false, nil).(*zap.PostingsIterator)
	if !ok {
		return roaring.New()
	}
	if set := it.ActualBitmap(); set != nil {
		return set
	}
	if doc, ok := it.DocNum1Hit(); ok {
		return roaring.BitmapOf(uint32(doc))
	}
	return roaring.New()
}
