package artifact

import (
	"encoding/binary"
	"slices"
)

// The fields of the segment's documents.
const (
	FieldPhrase = "phrase"
	FieldIntent = "intent"
	FieldRoom   = "room"
)

// Member is one word, or a row of words, of a group of words that may stand
// for each other.
type Member struct {
	Group  uint32
	Tokens []uint32
}

// Segment is a bleve segment and what version 15 of its format keeps
// outside: where its parts lie, and the names and dictionaries of its
// fields. Encoded behind the documents: u32 slot classes, u32 CRC, u32 chunk mode, u64
// documents, u64 stored index, u64 fields index, u64 doc values, u32 n, n ×
// {str field, u64 dictionary}.
type Segment struct {
	Data                        []byte
	CRC, ChunkMode              uint32
	Docs                        uint64
	Stored, FieldsAt, DocValues uint64
	Fields                      []string
	Dicts                       []uint64
}

func encodeMembers(members []Member) []byte {
	out := u32(nil, uint32(len(members)))
	var tokens []byte
	for _, m := range members {
		out = u32(u32(u32(out, m.Group), uint32(len(tokens)/4)), uint32(len(m.Tokens)))
		for _, t := range m.Tokens {
			tokens = u32(tokens, t)
		}
	}
	return append(out, tokens...)
}

func encodeDocuments(img *Image) []byte {
	out := u32(nil, uint32(len(img.Docs)))
	for _, d := range img.Docs {
		out = u32(out, d)
	}
	le := binary.LittleEndian
	s := img.Segment
	out = u32(u32(u32(out, img.SlotClasses), s.CRC), s.ChunkMode)
	for _, v := range []uint64{s.Docs, s.Stored, s.FieldsAt, s.DocValues} {
		out = le.AppendUint64(out, v)
	}
	out = u32(out, uint32(len(s.Fields)))
	for i, f := range s.Fields {
		out = le.AppendUint64(str(out, f), s.Dicts[i])
	}
	return out
}

// Segment gives the bleve segment of the file. Data is not verified in a
// file over 1 MiB.
func (f *File) Segment() Segment {
	sec := f.section(secDocuments)
	at := 8 + 4*f.DocCount()
	c := cursor{data: sec.bytes(at, len(sec.data)-at)}
	s := Segment{
		CRC: c.u32(), ChunkMode: c.u32(), Docs: c.u64(), Stored: c.u64(), FieldsAt: c.u64(), DocValues: c.u64(),
		Data: f.section(secSegment).data,
	}
	for n := c.u32(); n > 0 && !c.bad; n-- {
		s.Fields = append(s.Fields, c.str())
		s.Dicts = append(s.Dicts, c.u64())
	}
	if c.bad {
		sec.fail("the table of documents is cut short")
	}
	return s
}

// SlotClasses is every class that a slot of some phrase reads.
func (f *File) SlotClasses() uint32 { return f.section(secDocuments).u32(4 + 4*f.DocCount()) }

// DocCount is the number of documents of the segment.
func (f *File) DocCount() int { return int(f.section(secDocuments).u32(0)) }

// DocPhrase gives the phrase of document i, false when there is none.
func (f *File) DocPhrase(i uint64) (uint32, bool) {
	if i >= uint64(f.DocCount()) {
		return 0, false
	}
	return f.section(secDocuments).u32(4 + 4*int(i)), true
}

// Groups tells whether the file has groups of words at all.
func (f *File) Groups() bool { return f.section(secGroups).u32(0) > 0 }

// Members gives the members of groups whose first token is this one.
func (f *File) Members(first uint32) []Member {
	s := f.section(secGroups)
	n := int(s.u32(0))
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s.firstToken(n, mid) < first {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	var out []Member
	for ; lo < n && s.firstToken(n, lo) == first && f.bad == nil; lo++ {
		out = append(out, s.member(n, lo))
	}
	return out
}

// Group gives all members of a group.
func (f *File) Group(group uint32) []Member {
	s := f.section(secGroups)
	n := int(s.u32(0))
	var out []Member
	for i := 0; i < n && f.bad == nil; i++ {
		if s.u32(4+rowSize*i) == group {
			out = append(out, s.member(n, i))
		}
	}
	return out
}

func (s *section) firstToken(n, i int) uint32 {
	return s.u32(4 + rowSize*n + 4*int(s.u32(8+rowSize*i)))
}

func (s *section) member(n, i int) Member {
	at, length := int(s.u32(8+rowSize*i)), int(s.u32(12+rowSize*i))
	m := Member{Group: s.u32(4 + rowSize*i)}
	for k := range min(length, maxMember) {
		m.Tokens = append(m.Tokens, s.u32(4+rowSize*n+4*(at+k)))
	}
	return m
}

// maxMember bounds a member's length, in tokens; no prompt that is looked at
// has more.
const maxMember = 24

// SortMembers brings members into the order the file keeps them in.
func SortMembers(members []Member) {
	slices.SortFunc(members, func(a, b Member) int {
		if c := slices.Compare(a.Tokens, b.Tokens); c != 0 {
			return c
		}
		return int(a.Group) - int(b.Group)
	})
}
