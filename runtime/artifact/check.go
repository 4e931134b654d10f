package artifact

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
)

// Damage is one thing that Check found wrong.
type Damage struct {
	Section string // "file" for what lies outside of the sections
	Offset  int    // first byte of the damaged block, in the file
	Detail  string
}

// sectionNames are the names of the sections, by id.
func sectionNames() map[uint32]string {
	return map[uint32]string{
		secTokens: "tokens", secExact: "exact", secPhrases: "phrases", secIntents: "intents", secAutomata: "automata",
		secProgram: "program", secGroups: "groups", secDocuments: "documents", secSegment: "segment", secSums: "sums",
	}
}

// Check verifies every byte of the artifact at path: the header, every
// section and every block, also those that opening a large file leaves for
// later. An empty list means it is whole.
func Check(path string) []Damage {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > MaxSize {
		_, err := Open(path)
		return []Damage{{"file", 0, fmt.Sprint(err)}}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return []Damage{{"file", 0, err.Error()}}
	}
	return CheckBytes(path, data)
}

// CheckBytes is Check for an artifact in memory.
func CheckBytes(name string, data []byte) []Damage {
	f := &File{path: name, data: data}
	dir, err := f.checkPrefix()
	if err == nil {
		err = f.readDirectory(dir)
	}
	if err != nil {
		return []Damage{{"file", 0, err.Error()}}
	}
	var out []Damage
	block := 0
	for id := secTokens; id <= secSums; id++ {
		s := &f.sections[id]
		if s.f == nil {
			out = append(out, Damage{sectionNames()[id], 0, "the section is missing"})
			continue
		}
		s.first = block
		block += (align(len(s.data)) + blockSize - 1) / blockSize
		if f.checkSection(id) != nil {
			out = append(out, f.damaged(id)...)
		}
	}
	return out
}

// damaged names the blocks of a section that do not fit their sums.
func (f *File) damaged(id uint32) []Damage {
	s, name := &f.sections[id], sectionNames()[id]
	sums := f.sections[secSums].data
	var out []Damage
	for b := 0; b*blockSize < align(len(s.data)) && id != secSums; b++ {
		from := s.at + b*blockSize
		to := min(from+blockSize, s.at+align(len(s.data)), len(f.data))
		at := 4 * (s.first + b)
		if at+4 > len(sums) || crc32.ChecksumIEEE(f.data[from:to]) != binary.LittleEndian.Uint32(sums[at:]) {
			out = append(out, Damage{name, from, "checksum of a block"})
		}
	}
	if len(out) == 0 {
		out = append(out, Damage{name, s.at, "checksum of the section"})
	}
	return out
}
