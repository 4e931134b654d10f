package drive

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"kitsoki/runtime/journal"
)

// Tail follows one drive's records: each Next gives those completed since the
// one before. It holds no file open in between.
type Tail struct {
	path string
	at   int64
	line int    // how many were read
	seq  int    // the last record's
	bad  int    // the first line since then that is none
	gap  string // where records are missing, until it was told
	told bool
}

// Follow begins at a drive's first record.
func Follow(state, id string) *Tail { return &Tail{path: logPath(state, id)} }

// Next gives the records completed since the last call; a line that is still
// being written waits for its end, and one that is none is left out.
func (t *Tail) Next() ([]Event, error) {
	f, err := openFile(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("following a drive: %w", err)
	}
	defer f.Close()
	if _, err := f.Seek(t.at, io.SeekStart); err != nil {
		return nil, fmt.Errorf("following a drive: %w", err)
	}
	in := lines{bufio.NewReader(f), maxRecord}
	var out []Event
	for {
		line, size, err := in.next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, fmt.Errorf("following a drive: %w", err)
		}
		t.at += size
		t.line++
		if e, ok := t.take(line); ok {
			out = append(out, e)
		}
	}
}

// take reads a line. One that is no record is missing only when the next is
// not the one that was expected: else it was torn, and somebody went on.
func (t *Tail) take(line []byte) (e Event, ok bool) {
	e, ok = decode(line)
	switch {
	case ok:
		if e.Seq != t.seq+1 && !t.told {
			t.gap, t.told = t.path+":"+strconv.Itoa(cmp.Or(t.bad, t.line)), true
		}
		t.seq, t.bad = e.Seq, 0
	case len(bytes.TrimSpace(line)) > 0:
		t.bad = cmp.Or(t.bad, t.line)
	}
	return e, ok
}

// Gap is where records are missing, as FILE:LINE, "" for nowhere. It is told
// once.
func (t *Tail) Gap() string {
	gap := t.gap
	t.gap = ""
	return gap
}

// Watch follows all drives of a repository that are open, or begin from now on.
type Watch struct {
	state string
	repo  journal.Repo
	gaps  []string
	known map[string]bool // not to be followed, or not any more
	tails map[string]*Tail
}

// NewWatch begins with what is open now.
func NewWatch(state string, repo journal.Repo) (*Watch, error) {
	w := &Watch{state: state, repo: repo, known: map[string]bool{}, tails: map[string]*Tail{}}
	ids, err := IDs(state)
	for _, id := range ids {
		r, err := Read(state, id)
		w.known[id] = err != nil || r.Closing() != nil || r.Opening() != nil && !opensHere(r, repo.Key())
	}
	return w, err
}

// Next gives what was recorded since the last call, drive by drive.
func (w *Watch) Next() ([]Event, error) {
	ids, err := IDs(w.state)
	if err != nil {
		return nil, fmt.Errorf("following drives: %w", err)
	}
	var out []Event
	for _, id := range ids {
		if w.known[id] || !w.here(id) {
			continue
		}
		events, err := w.tails[id].Next()
		if err != nil {
			return out, err
		}
		out = append(out, events...)
		if gap := w.tails[id].Gap(); gap != "" {
			w.gaps = append(w.gaps, gap)
		}
		w.known[id] = len(events) > 0 && events[len(events)-1].Closing != nil
	}
	return out, nil
}

// Gaps are where records are missing, each as FILE:LINE, and told once.
func (w *Watch) Gaps() []string {
	gaps := w.gaps
	w.gaps = nil
	return gaps
}

// here tells a drive of the repository, which its first record shows.
func (w *Watch) here(id string) bool {
	if w.tails[id] != nil {
		return true
	}
	r, err := Read(w.state, id)
	if err != nil || r.Opening() == nil {
		return false // not written yet
	}
	if !opensHere(r, w.repo.Key()) {
		w.known[id] = true
		return false
	}
	w.tails[id] = Follow(w.state, id)
	return true
}
