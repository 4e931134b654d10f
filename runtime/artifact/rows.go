package artifact

import (
	"bytes"
	"encoding/binary"
)

// Token finds an interned word: its id and classes.
func (f *File) Token(word []byte) (id, class uint32, ok bool) {
	s := f.section(secTokens)
	n := int(s.u32(0))
	i := s.search(n, word)
	if i < n && bytes.Equal(s.row(n, i), word) {
		return uint32(i), s.u32(4 + rowSize*i + 8), true
	}
	return 0, 0, false
}

// Word gives the interned word of an id.
func (f *File) Word(id uint32) string {
	s := f.section(secTokens)
	n := int(s.u32(0))
	if int(id) >= n {
		s.fail("a token id lies outside its table")
		return ""
	}
	return string(s.row(n, int(id)))
}

// Exact gives the range of the rows with that key; ExactPhrase reads one.
func (f *File) Exact(key []byte) (from, to int) {
	s := f.section(secExact)
	n := int(s.u32(0))
	from = s.search(n, key)
	for to = from; to < n && bytes.Equal(s.row(n, to), key); to++ {
	}
	return from, to
}

// ExactPhrase gives the phrase of row i of the exact table.
func (f *File) ExactPhrase(i int) uint32 { return f.section(secExact).u32(4 + rowSize*i + 8) }

// search finds the first of n sorted rows that is not less than word.
func (s *section) search(n int, word []byte) int {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if bytes.Compare(s.row(n, mid), word) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// row gives the text of row i of a table of n rows {offset, length, value}.
func (s *section) row(n, i int) []byte {
	r := s.bytes(4+rowSize*i, rowSize)
	if r == nil {
		return nil
	}
	le := binary.LittleEndian
	return s.bytes(4+rowSize*n+int(le.Uint32(r)), int(le.Uint32(r[4:])))
}

// PhraseView reads one phrase of a file.
type PhraseView struct {
	f     *File
	id    uint32
	count int
	row   []byte
}

// Phrase gives the view of phrase id; a bad id gives the zero phrase and
// marks the file bad.
func (f *File) Phrase(id uint32) PhraseView {
	s := f.section(secPhrases)
	n := int(s.u32(0))
	if int(id) >= n {
		s.fail("a phrase id lies outside its table")
		return PhraseView{f: f, row: make([]byte, phraseSize)}
	}
	row := s.bytes(8+phraseSize*int(id), phraseSize)
	if row == nil {
		row = make([]byte, phraseSize)
	}
	return PhraseView{f: f, id: id, count: n, row: row}
}

// PhraseCount is the number of phrases, fillers among them.
func (f *File) PhraseCount() int { return int(f.section(secPhrases).u32(0)) }

func (p PhraseView) u32(at int) uint32 { return binary.LittleEndian.Uint32(p.row[at:]) }

// ID is the phrase's index.
func (p PhraseView) ID() uint32 { return p.id }

// Intent is the index of its intent, NoIntent for a filler.
func (p PhraseView) Intent() uint32 { return p.u32(0) }

// Kind tells where it was declared.
func (p PhraseView) Kind() PhraseKind { return PhraseKind(p.row[4]) }

// Slots counts the slots it can fill.
func (p PhraseView) Slots() int { return int(p.row[5]) }

// Flags are a filler's Flag bits.
func (p PhraseView) Flags() uint16 { return binary.LittleEndian.Uint16(p.row[6:]) }

// Pos is where it stands in the source.
func (p PhraseView) Pos() Pos {
	return Pos{File: p.text(8), Line: int(p.u32(16)), Col: int(p.u32(20))}
}

// Source is the phrase as written.
func (p PhraseView) Source() string { return p.text(24) }

// text reads the string whose offset and length stand at byte at of the row.
func (p PhraseView) text(at int) string {
	s := p.f.section(secPhrases)
	base := 8 + phraseSize*p.count + int(s.u32(4))
	return string(s.bytes(base+int(p.u32(at)), int(p.u32(at+4))))
}

// Prog decodes the phrase's instructions.
func (p PhraseView) Prog() []Inst {
	s := p.f.section(secPhrases)
	at, n := int(p.u32(32)), int(p.u32(36))
	raw := s.bytes(8+phraseSize*p.count+instSize*at, instSize*n)
	le := binary.LittleEndian
	out := make([]Inst, len(raw)/instSize)
	for i := range out {
		b := raw[instSize*i:]
		out[i] = Inst{Op(le.Uint32(b)), le.Uint32(b[4:]), le.Uint32(b[8:])}
	}
	return out
}

// IntentRow is what matching needs to know of an intent.
type IntentRow struct {
	Name, Title            string
	Hidden, Confirm, Drive bool
	Slots                  []Slot // without positions and descriptions
}

// IntentCount is the number of intents.
func (f *File) IntentCount() int { return int(f.section(secIntents).u32(0)) }

// Intent decodes one intent.
func (f *File) Intent(id uint32) IntentRow {
	s := f.section(secIntents)
	n := int(s.u32(0))
	if int(id) >= n {
		s.fail("an intent id lies outside its table")
		return IntentRow{}
	}
	c := cursor{data: s.bytes(4+8*n+int(s.u32(4+8*int(id))), int(s.u32(8+8*int(id))))}
	row := IntentRow{Name: c.str(), Title: c.str()}
	flags := c.u32()
	row.Hidden, row.Confirm, row.Drive = flags&intentHidden != 0, flags&intentConfirm != 0, flags&intentDrive != 0
	for k := c.u32(); k > 0 && !c.bad; k-- {
		row.Slots = append(row.Slots, c.slot())
	}
	if c.bad {
		s.fail("an intent's record is cut short")
	}
	return row
}

func (c *cursor) slot() Slot {
	s := Slot{Name: c.str(), Type: SlotType(c.str()), Must: c.str()}
	s.Required = c.u32() != 0
	if def := c.str(); def != "" {
		s.Default = []byte(def)
	}
	for k := c.u32(); k > 0 && !c.bad; k-- {
		s.Values = append(s.Values, c.str())
	}
	return s
}
