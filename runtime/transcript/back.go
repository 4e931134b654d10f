package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

const (
	readAtOnce = 256 << 10
	// maxLine is the longest line that is looked at, in bytes; a longer one is
	// passed over.
	maxLine = 16 << 20
)

// backwards gives a file's lines from its end on, without "\n", until visit is
// false or so many bytes were read. What was written when it began is read, and
// a line that the bound cuts is left out. The bytes are visit's only until it
// returns.
func backwards(path string, limit int64, visit func(line []byte) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading the transcript: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return fmt.Errorf("reading the transcript: %w", err)
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("reading the transcript: %s is no file", path)
	}
	b := &back{visit: visit}
	from := max(0, st.Size()-limit)
	for end := st.Size(); end > from && !b.done; {
		at := max(from, end-readAtOnce)
		chunk := make([]byte, end-at)
		if _, err := f.ReadAt(chunk, at); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading the transcript: %w", err)
		}
		b.take(chunk)
		end = at
	}
	if from == 0 && !b.done {
		b.line()
	}
	return nil
}

// back puts lines together from chunks that come from the end on.
type back struct {
	visit func([]byte) bool
	parts [][]byte // of the line that is being read, the last part first
	size  int
	done  bool
}

func (b *back) take(chunk []byte) {
	for !b.done {
		i := bytes.LastIndexByte(chunk, '\n')
		b.add(chunk[i+1:])
		if i < 0 {
			return
		}
		b.line()
		chunk = chunk[:i]
	}
}

func (b *back) add(part []byte) {
	if b.size += len(part); b.size > maxLine {
		b.parts = nil
		return
	}
	b.parts = append(b.parts, part)
}

// line hands over the line that is whole now.
func (b *back) line() {
	if b.size > 0 && b.size <= maxLine {
		whole := make([]byte, 0, b.size)
		for i := len(b.parts) - 1; i >= 0; i-- {
			whole = append(whole, b.parts[i]...)
		}
		b.done = !b.visit(whole)
	}
	b.parts, b.size = nil, 0
}
