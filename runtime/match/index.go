package match

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/vellum"

	"kitsoki/runtime/artifact"
)

// The segment is bleve's, written by zapx. What is asked of it, the documents
// that have a term, is read here by the same two libraries that zapx reads it
// with: zapx itself also writes and merges segments, and what that links
// would cost every prompt more than all its decision. A test holds both
// readings to be one.

// index is an opened segment, with the sets that were read from it: whoever
// goes on with one scratch asks for the same words again and again.
type index struct {
	of    *artifact.File
	terms *dictionary
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
	set := x.terms.postings(term)
	x.known[term] = set
	return set
}

// SlotTerm is the term that stands for a slot in the index.
func SlotTerm(t artifact.SlotType) string { return "{" + string(t) + "}" }

// dictionary leads from the terms of a field to their documents.
type dictionary struct {
	segment []byte
	terms   *vellum.Reader
}

// openDictionary opens a field's dictionary in the file's segment, nil when
// the file has none. Damage is an error or a panic.
func openDictionary(f *artifact.File, field string) (*dictionary, error) {
	s := f.Segment()
	if f.Err() != nil || len(s.Data) == 0 {
		return nil, f.Err()
	}
	i := slices.Index(s.Fields, field)
	if i < 0 || s.Dicts[i] == 0 {
		return nil, nil
	}
	raw, err := counted(s.Data[s.Dicts[i]:])
	if err != nil {
		return nil, err
	}
	fst, err := vellum.Load(raw)
	if err != nil {
		return nil, err
	}
	terms, err := fst.Reader()
	return &dictionary{s.Data, terms}, err
}

// A term leads to a number. With its two highest bits 10 the number is the
// one document that has the term, in the lowest 31 bits. With 00 it is where
// the term's list lies in the segment: two offsets that are not needed here,
// then the set of documents behind its length, all numbers varints.
const (
	kindMask   = 0b11 << 62
	oneHit     = 0b10 << 62
	oneHitMask = 1<<31 - 1
)

// postings gives the documents that have a term. The set lies in the segment:
// it is only read. Damage is a panic.
func (d *dictionary) postings(term string) *roaring.Bitmap {
	at, ok, err := d.terms.Get([]byte(term))
	if err != nil {
		panic(err)
	}
	set := roaring.New()
	switch {
	case !ok:
	case at&kindMask == oneHit:
		set.Add(uint32(at & oneHitMask))
	default:
		raw := d.segment[at:]
		for range 2 {
			_, n := binary.Uvarint(raw)
			raw = raw[max(n, 0):]
		}
		if raw, err = counted(raw); err == nil {
			_, err = set.FromBuffer(raw)
		}
		if err != nil {
			panic(err)
		}
	}
	return set
}

var errShort = errors.New("the segment is cut short")

// counted gives the bytes behind a count of them.
func counted(raw []byte) ([]byte, error) {
	size, n := binary.Uvarint(raw)
	if n <= 0 || size > uint64(len(raw)-n) {
		return nil, errShort
	}
	return raw[n:][:size], nil
}
