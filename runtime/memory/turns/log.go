package turns

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kitsoki/runtime/journal"
)

const (
	logName   = "turns.jsonl"
	marksName = "forgotten.jsonl"
	maxLine   = 1 << 20
	fileMode  = 0o600
)

// mark says that a turn was forgotten. Marks have a file of their own, which
// stays small: it is read at every recall.
type mark struct {
	Session string    `json:"session"`
	ID      string    `json:"turn"`
	At      time.Time `json:"at"`
}

func (s Store) log() string   { return filepath.Join(s.Dir, logName) }
func (s Store) marks() string { return filepath.Join(s.Dir, marksName) }

// append adds turns to the log, on the disk before it returns.
func (s Store) append(ctx context.Context, list ...Turn) error {
	return add(ctx, s, s.log(), list)
}

// add adds lines to a file.
func add[T any](ctx context.Context, s Store, path string, list []T) (err error) {
	if len(list) == 0 {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", filepath.Base(path), err)
		}
	}()
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	release, err := s.locked(ctx, s.log()+lockSuffix)
	if err != nil {
		return err
	}
	defer release()
	text, err := encode(list)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if torn(f) {
		text = append([]byte{'\n'}, text...)
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	return err
}

func encode[T any](list []T) (out []byte, err error) {
	for _, l := range list {
		data, err := journal.PlainJSON(l)
		if err != nil {
			return nil, err
		}
		out = append(append(out, data...), '\n')
	}
	return out, nil
}

// torn says whether the file ends inside a line, as after a full disk.
func torn(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, st.Size()-1)
	return err == nil && last[0] != '\n'
}

// read gives a file's lines, from an offset on; what is no whole line of its kind
// is passed over. A file that is not there has none.
func read[T any](path string, from int64, visit func(T)) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", filepath.Base(path), err)
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return fmt.Errorf("reading %s: %w", filepath.Base(path), err)
	}
	r := bufio.NewReaderSize(f, 64<<10)
	for first := true; ; first = false {
		data, err := r.ReadBytes('\n')
		var l T
		whole := !first || from == 0 // the offset may lie within a line
		if whole && len(data) <= maxLine && json.Unmarshal(bytes.ToValidUTF8(data, []byte("\ufffd")), &l) == nil {
			visit(l)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", filepath.Base(path), err)
		}
	}
}

// Turns lists what is kept, in the order in which it was stored. Of two lines
// of one turn the first counts.
func (s Store) Turns() ([]Turn, error) { return s.since(0) }

// recent is how much of the log's end Recent reads, in bytes.
const recent = 1 << 20

// Recent lists the turns that were stored last: those of the log's last
// mebibyte.
func (s Store) Recent() ([]Turn, error) {
	info, err := os.Stat(s.log())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the turns: %w", err)
	}
	return s.since(max(0, info.Size()-recent))
}

func (s Store) since(offset int64) (out []Turn, err error) {
	gone, err := s.Gone()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	err = read(s.log(), offset, func(t Turn) {
		if t.ID != "" && !seen[t.ID] && !gone[t.ID] {
			seen[t.ID] = true
			out = append(out, t)
		}
	})
	return out, err
}

// Gone lists the turns that were forgotten.
func (s Store) Gone() (map[string]bool, error) {
	gone := map[string]bool{}
	err := read(s.marks(), 0, func(m mark) { gone[m.ID] = true })
	return gone, err
}

// Forget takes turns out, for good: that they are forgotten is written first,
// so that they are given no more whatever happens then; then the log is written
// anew without their text. It gives how many there were. Open turns go as well.
func (s Store) Forget(ctx context.Context, which func(Turn) bool, at time.Time) (n int, err error) {
	list, err := s.Turns()
	if err != nil {
		return 0, err
	}
	var marks []mark
	for _, t := range list {
		if which(t) {
			marks = append(marks, mark{t.Session, t.ID, at.UTC()})
		}
	}
	if err := add(ctx, s, s.marks(), marks); err != nil {
		return 0, err
	}
	open, err := s.forgetOpen(ctx, which)
	if len(marks) > 0 {
		err = errors.Join(err, s.rewrite(ctx))
	}
	return len(marks) + open, err
}

// rewrite writes the log anew, without the text of what was forgotten.
func (s Store) rewrite(ctx context.Context) error {
	release, err := s.locked(ctx, s.log()+lockSuffix)
	if err != nil {
		return err
	}
	defer release()
	list, err := s.Turns()
	text, err2 := encode(list)
	if err = errors.Join(err, err2); err == nil {
		err = journal.ReplaceForGood(s.log(), text, fileMode)
	}
	if err != nil {
		return fmt.Errorf("taking what was forgotten out of the turns: %w", err)
	}
	return nil
}

// forgetOpen takes turns out of the sessions' states: those that are open, and
// the last one that ended, which is kept to know its end again.
func (s Store) forgetOpen(ctx context.Context, which func(Turn) bool) (n int, err error) {
	keys, err := s.keys()
	if err != nil {
		return 0, err
	}
	damaged, _ := filepath.Glob(filepath.Join(s.Dir, sessionsDir, "*"+damagedState)) // the pattern is whole
	for _, path := range damaged {
		err = errors.Join(err, os.Remove(path)) // nobody can tell what is in it
	}
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		ss, err := s.session(ctx, key)
		if err != nil {
			return n, err
		}
		before := len(ss.Open)
		kept := ss.Open[:0]
		for _, t := range ss.Open {
			if !which(t) {
				kept = append(kept, t)
			}
		}
		ss.Open = kept
		n += before - len(kept)
		if ss.Last.ID != "" && which(ss.Last) {
			ss.Last = Turn{ID: ss.Last.ID, PromptID: ss.Last.PromptID, Session: key}
		}
		err = ss.save()
		ss.release()
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// keys are the sessions that have a state.
func (s Store) keys() (out []string, err error) {
	list, err := os.ReadDir(filepath.Join(s.Dir, sessionsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, d := range list {
		var ss session
		data, readErr := os.ReadFile(filepath.Join(s.Dir, sessionsDir, d.Name()))
		if filepath.Ext(d.Name()) == stateSuffix && readErr == nil && json.Unmarshal(data, &ss) == nil {
			out = append(out, ss.Key)
		}
	}
	return out, err
}
