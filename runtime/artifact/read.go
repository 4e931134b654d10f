package artifact

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
)

// Status tells what became of an artifact; a reader reports the kind of the
// fault, since stale asks for another act than corrupt.
type Status string

// The states of an artifact.
const (
	StatusOK       Status = "ok"
	StatusMissing  Status = "missing"
	StatusCorrupt  Status = "corrupt"
	StatusMismatch Status = "version-mismatch"
	StatusStale    Status = "stale"
)

// LoadError says why an artifact cannot be used.
type LoadError struct {
	Status Status
	Path   string
	Detail string
}

func (e *LoadError) Error() string {
	return fmt.Sprintf("artifact %s: %s: %s", e.Path, e.Status, e.Detail)
}

// StatusOf gives the status that err stands for: ok for nil, corrupt for an
// error of another kind.
func StatusOf(err error) Status {
	var le *LoadError
	switch {
	case err == nil:
		return StatusOK
	case errors.As(err, &le):
		return le.Status
	}
	return StatusCorrupt
}

// File is an open artifact. It is not safe for concurrent use: it remembers
// which blocks it has verified. Strings it returns are copies.
type File struct {
	path     string
	data     []byte
	sections [secSums + 1]section
	tool     string
	sources  []Source
	rooms    []byte // the directory's rooms, decoded when asked for
	bad      error
	unmap    func() error
}

// Open maps the artifact at path (or reads it, below 32 KiB) and verifies
// its header, and all of it up to 1 MiB. The error is a *LoadError.
func Open(path string) (*File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, openError(path, err)
	}
	if !st.Mode().IsRegular() {
		return nil, &LoadError{StatusCorrupt, path, "not a regular file"}
	}
	if st.Size() > MaxSize {
		return nil, &LoadError{StatusCorrupt, path, fmt.Sprintf("%d bytes, over the limit of %d", st.Size(), MaxSize)}
	}
	data, unmap, err := contents(path)
	if err != nil {
		return nil, openError(path, err)
	}
	f, err := decode(path, data)
	if err != nil {
		_ = unmap()
		return nil, err
	}
	f.unmap = unmap
	return f, nil
}

func openError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &LoadError{StatusMissing, path, "no such file"}
	}
	return &LoadError{StatusCorrupt, path, err.Error()}
}

// contents gives the bytes of a regular file, mapped when it is large.
func contents(path string) ([]byte, func() error, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if st.Size() < readLimit {
		data := make([]byte, st.Size())
		n, err := f.ReadAt(data, 0)
		if n < len(data) {
			return nil, nil, fmt.Errorf("reading %d bytes: %w", len(data), err)
		}
		return data, func() error { return nil }, nil
	}
	return mapFile(f, int(st.Size()))
}

// Decode opens the artifact held in data. The error is a *LoadError.
func Decode(name string, data []byte) (*File, error) {
	f, err := decode(name, data)
	if err != nil {
		return nil, err
	}
	f.unmap = func() error { return nil }
	return f, nil
}

func decode(path string, data []byte) (*File, error) {
	f := &File{path: path, data: data}
	dir, err := f.checkPrefix()
	if err != nil {
		return nil, err
	}
	if err := f.readDirectory(dir); err != nil {
		return nil, err
	}
	if err := f.checkSections(); err != nil {
		return nil, err
	}
	return f, nil
}

// checkPrefix verifies the fixed part and gives the directory.
func (f *File) checkPrefix() ([]byte, error) {
	le, d := binary.LittleEndian, f.data
	if len(d) < prefixSize || string(d[:8]) != magic {
		return nil, f.corrupt("not a kitsoki artifact")
	}
	if v := le.Uint32(d[8:]); v != FormatVersion {
		return nil, &LoadError{StatusMismatch, f.path, fmt.Sprintf("format version %d, this program reads %d", v, FormatVersion)}
	}
	if v := le.Uint32(d[12:]); v != textWanted {
		return nil, &LoadError{StatusMismatch, f.path, fmt.Sprintf("text version %d, this program reads %d", v, textWanted)}
	}
	if size := le.Uint64(d[16:]); size != uint64(len(d)) {
		return nil, f.corrupt(fmt.Sprintf("%d bytes, the header says %d", len(d), size))
	}
	n := int(le.Uint32(d[24:]))
	if n > len(d)-prefixSize {
		return nil, f.corrupt("the directory is longer than the file")
	}
	var zero [4]byte
	sum := crc32.ChecksumIEEE(d[:28])
	sum = crc32.Update(sum, crc32.IEEETable, zero[:])
	sum = crc32.Update(sum, crc32.IEEETable, d[32:prefixSize+n])
	if sum != le.Uint32(d[28:]) {
		return nil, f.corrupt("header checksum")
	}
	return d[prefixSize : prefixSize+n], nil
}

func (f *File) readDirectory(dir []byte) error {
	c := cursor{data: dir}
	f.tool = c.str()
	for n := c.u32(); n > 0 && !c.bad; n-- {
		id, sum, at, length := c.u32(), c.u32(), c.u64(), c.u64()
		if id == 0 || id > secSums {
			continue
		}
		if at > uint64(len(f.data)) || length > uint64(len(f.data))-at {
			return f.corrupt("a section lies outside the file")
		}
		f.sections[id] = section{f: f, sum: sum, at: int(at), data: f.data[at : at+length]}
	}
	for n := c.u32(); n > 0 && !c.bad; n-- {
		s := Source{Path: c.str()}
		copy(s.Sum[:], c.take(32))
		f.sources = append(f.sources, s)
	}
	f.rooms = c.data
	for n := c.u32(); n > 0 && !c.bad; n-- {
		c.take(int(c.u32()) + 4)
		c.take(4 * int(c.u32()))
	}
	if c.bad {
		return f.corrupt("the directory is cut short")
	}
	return nil
}

// checkSections verifies a small file whole; of a large one only the block
// sums, which verify the rest block by block.
func (f *File) checkSections() error {
	block := 0
	for id := secTokens; id <= secSums; id++ {
		s := &f.sections[id]
		if s.f == nil {
			return f.corrupt(fmt.Sprintf("section %d is missing", id))
		}
		s.first = block
		block += (align(len(s.data)) + blockSize - 1) / blockSize
		if len(f.data) <= wholeLimit || id == secSums {
			if err := f.checkSection(id); err != nil {
				return err
			}
			continue
		}
		s.seen = make([]uint64, (len(s.data)/blockSize+64)/64)
	}
	return f.headed()
}

func (f *File) checkSection(id uint32) error {
	s := &f.sections[id]
	end := min(s.at+align(len(s.data)), len(f.data))
	if crc32.ChecksumIEEE(f.data[s.at:end]) != s.sum {
		return f.corrupt(fmt.Sprintf("checksum of section %d", id))
	}
	return nil
}

// headed makes sure that every table has its row count.
func (f *File) headed() error {
	for id := secTokens; id < secSegment; id++ {
		if len(f.sections[id].data) < 4 {
			return f.corrupt(fmt.Sprintf("section %d is empty", id))
		}
	}
	return nil
}

func (f *File) corrupt(detail string) error { return &LoadError{StatusCorrupt, f.path, detail} }

// Close lets the file go; nothing of it may be used after.
func (f *File) Close() error { return f.unmap() }

// Err is the first damage met while reading, nil when there was none. What
// was read before Err reports damage must not be acted on.
func (f *File) Err() error { return f.bad }

// Path is where the file was opened.
func (f *File) Path() string { return f.path }

// Sum is the SHA-256 of the whole file, as it was opened.
func (f *File) Sum() [32]byte { return sha256.Sum256(f.data) }

// Tool is the version of the tool that compiled the file.
func (f *File) Tool() string { return f.tool }

// Sources are the files it was compiled from.
func (f *File) Sources() []Source { return f.sources }

// Rooms are the states that can be bound.
func (f *File) Rooms() []Room {
	c := cursor{data: f.rooms}
	var out []Room
	for n := c.u32(); n > 0; n-- {
		out = append(out, c.room(c.take(int(c.u32()))))
	}
	return out
}

// Room gives the room of that path.
func (f *File) Room(path string) (Room, bool) {
	c := cursor{data: f.rooms}
	for n := c.u32(); n > 0; n-- {
		name := c.take(int(c.u32()))
		if string(name) == path {
			return c.room(name), true
		}
		c.take(4)
		c.take(4 * int(c.u32()))
	}
	return Room{}, false
}

// Program decodes the executable part.
func (f *File) Program() (*Program, error) {
	s := f.section(secProgram)
	data := s.bytes(0, len(s.data))
	if f.bad != nil {
		return nil, f.bad
	}
	var p Program
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, f.corrupt("program: " + err.Error())
	}
	return &p, nil
}
