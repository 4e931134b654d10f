package artifact

import (
	"encoding/binary"
	"hash/crc32"
)

// section is one section of an open file. Its accessors verify the blocks
// they touch; damage, or an offset outside, makes them return zeros and
// marks the file bad.
type section struct {
	f     *File
	data  []byte
	at    int
	sum   uint32
	first int      // index of its first block sum
	seen  []uint64 // verified blocks; nil: all are
}

func (f *File) section(id uint32) *section { return &f.sections[id] }

func (s *section) u32(at int) uint32 {
	if b := s.bytes(at, 4); len(b) == 4 {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// bytes gives n verified bytes at offset at, nil when they are not to be had.
func (s *section) bytes(at, n int) []byte {
	if at < 0 || n < 0 || at > len(s.data)-n {
		s.fail("an offset lies outside its section")
		return nil
	}
	if s.seen != nil && n > 0 {
		for b := at / blockSize; b <= (at+n-1)/blockSize; b++ {
			if s.seen[b/64]&(1<<(b%64)) == 0 && !s.verify(b) {
				return nil
			}
		}
	}
	return s.data[at : at+n]
}

// verify checks block b of the section once.
func (s *section) verify(b int) bool {
	from := s.at + b*blockSize
	to := min(from+blockSize, s.at+align(len(s.data)), len(s.f.data))
	sums := s.f.section(secSums)
	if crc32.ChecksumIEEE(s.f.data[from:to]) != sums.u32(4*(s.first+b)) {
		s.fail("checksum of a block")
		return false
	}
	s.seen[b/64] |= 1 << (b % 64)
	return true
}

func (s *section) fail(detail string) {
	if s.f.bad == nil {
		s.f.bad = s.f.corrupt(detail)
	}
}

// cursor decodes a sequence; after damage it gives zeros and bad is set.
type cursor struct {
	data []byte
	bad  bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.data) {
		c.bad, c.data = true, nil
		return nil
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (c *cursor) str() string { return string(c.take(int(c.u32()))) }

// room decodes what follows a room's name.
func (c *cursor) room(name []byte) Room {
	r := Room{Path: string(name), Automaton: c.u32()}
	raw := c.take(4 * int(c.u32()))
	r.Intents = make([]uint32, len(raw)/4)
	for i := range r.Intents {
		r.Intents[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return r
}
