// Package journal keeps what kitsoki decided and did: append-only files of
// JSON lines, one line a decision, in the user's state directory.
//
// In go typed entries and a clock; out come lines with an id, and readers
// that find them again. A line is written with one write(2), secrets are
// masked before it, a torn last line is skipped when reading, and a full file
// is rotated. A journal is kept per repository, so the package also says
// where a repository lies, without starting git.
//
// It refuses to break its caller: an unwritable home is an error to show,
// never a panic, and a lock that is held is never waited for. It prints
// nothing and reads neither the clock nor the environment.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

const (
	// maxBytes is the size at which a trace file is rotated.
	maxBytes = 8 << 20
	// kept is how many rotated files stay beside the current one.
	kept = 4
	// maxText is how many bytes of one text go into a line. No prompt that
	// could match is longer, and a line stays one small write.
	maxText = 4 << 10

	dirMode  = 0o700
	fileMode = 0o600
)

// Journal appends entries to one trace file. The zero value of MaxBytes and
// Kept means the defaults (8 MiB, 4 files).
type Journal struct {
	Path     string           // the current file
	Now      func() time.Time // the clock that stamps entries
	Rand     io.Reader        // where ids take their random part from
	Mask     Masker
	MaxBytes int64
	Kept     int
}

// Matched appends an intercept.matched line and returns its id. It is called
// after execution, so that the line can state the outcome. An id says that
// the line was written, also beside an error: the file may have failed to
// rotate.
func (j *Journal) Matched(h Head, m Matched) (string, error) {
	m.Input, m.Slots = j.Mask.Text(m.Input), j.Mask.JSON(m.Slots)
	return j.append(h, TypeMatched, m)
}

// Passed appends an intercept.passed line and returns its id, as Matched does.
func (j *Journal) Passed(h Head, p Passed) (string, error) {
	p.Input, p.Detail = j.Mask.Text(p.Input), j.Mask.Text(p.Detail)
	return j.append(h, TypePassed, p)
}

func (j *Journal) append(h Head, typ Type, body any) (string, error) {
	now := j.Now().UTC()
	id, err := NewID(now, j.Rand)
	if err != nil {
		return "", err
	}
	h.ID, h.Time, h.Type = id, now.Format(time.RFC3339Nano), typ
	line, err := encode(h, body)
	if err != nil {
		return "", fmt.Errorf("encoding a trace line: %w", err)
	}
	if err := j.write(line); err != nil {
		return "", fmt.Errorf("writing the trace: %w", err)
	}
	if err := j.rotate(); err != nil {
		return id, fmt.Errorf("rotating the trace: %w", err)
	}
	return id, nil
}

// encode makes one line of the head's and the body's fields.
func encode(h Head, body any) ([]byte, error) {
	line := h.appendTo(nil)
	if p, ok := body.(Passed); ok {
		return append(p.appendTo(line), "}\n"...), nil
	}
	tail, err := PlainJSON(body)
	if err != nil {
		return nil, err
	}
	line = append(line, ',')
	line = append(line, tail[1:]...)
	return append(line, '\n'), nil
}

// PlainJSON is JSON that leaves < > & as they are: people read these lines.
func PlainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func (j *Journal) write(line []byte) (err error) {
	f, err := os.OpenFile(j.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(j.Path), dirMode); err == nil {
			f, err = os.OpenFile(j.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
		}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if torn(f) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	return err
}

// torn says whether the file ends inside a line, as after a full disk; the
// next line then must not be glued to it.
func torn(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, st.Size()-1)
	return err == nil && last[0] != '\n'
}
