package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Tail follows a trace file: each Next gives what was appended since the one
// before. The caller decides when to look again; a Tail holds no file open
// between looks.
type Tail struct {
	path string
	at   int64
	last os.FileInfo
}

// NewTail starts at the end of the file as it is now, or at its beginning
// when it does not exist yet.
func NewTail(path string) *Tail {
	t := &Tail{path: path}
	if st, err := os.Stat(path); err == nil {
		t.at, t.last = st.Size(), st
	}
	return t
}

// Next gives the entries completed since the last call. After a rotation it
// first gives what the old file still held.
func (t *Tail) Next() ([]Entry, error) {
	st, err := os.Stat(t.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("following the trace: %w", err)
	}
	var out []Entry
	if t.last != nil && !os.SameFile(t.last, st) {
		out, err = t.rest()
		t.at = 0
	}
	t.last = st
	if err != nil {
		return out, err
	}
	more, err := t.readFrom(t.path)
	return append(out, more...), err
}

// rest reads the remainder of the file that was followed until a rotation
// moved it aside. When more than one rotation happened since, the lines
// between are left to Read.
func (t *Tail) rest() ([]Entry, error) {
	old := rotated(t.path, 1)
	st, err := os.Stat(old)
	if err != nil || !os.SameFile(t.last, st) {
		return nil, nil
	}
	return t.readFrom(old)
}

func (t *Tail) readFrom(path string) ([]Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("following the trace: %w", err)
	}
	defer f.Close()
	if _, err := f.Seek(t.at, io.SeekStart); err != nil {
		return nil, fmt.Errorf("following the trace: %w", err)
	}
	var out []Entry
	n, err := lines(f, func(e Entry) { out = append(out, e) })
	t.at += n
	return out, err
}
