package drive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"kitsoki/runtime/journal"
)

// Tail follows one drive's records: each Next gives those completed since the
// one before. It holds no file open in between.
type Tail struct {
	path string
	at   int64
}

// Follow begins at a drive's first record.
func Follow(state, id string) *Tail { return &Tail{path: logPath(state, id)} }

// Next gives the records completed since the last call; a line that is still
// being written waits for its end, and one that is none is left out.
func (t *Tail) Next() ([]Event, error) {
	f, err := os.Open(t.path)
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
	data, err := io.ReadAll(io.LimitReader(f, maxRecord))
	if err != nil {
		return nil, fmt.Errorf("following a drive: %w", err)
	}
	var out []Event
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			return out, nil
		}
		t.at += int64(len(line)) + 1
		data = rest
		if e, ok := decode(line); ok {
			out = append(out, e)
		}
	}
}

// Watch follows all drives of a repository that are open, or begin from now on.
type Watch struct {
	state string
	repo  journal.Repo
	known map[string]bool // not to be followed, or not any more
	tails map[string]*Tail
}

// NewWatch begins with what is open now.
func NewWatch(state string, repo journal.Repo) (*Watch, error) {
	w := &Watch{state: state, repo: repo, known: map[string]bool{}, tails: map[string]*Tail{}}
	ids, err := IDs(state)
	for _, id := range ids {
		r, err := Read(state, id)
		w.known[id] = err != nil || r.Closing() != nil || !opensHere(r, repo)
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
		w.known[id] = len(events) > 0 && events[len(events)-1].Closing != nil
	}
	return out, nil
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
	if !opensHere(r, w.repo) {
		w.known[id] = true
		return false
	}
	w.tails[id] = Follow(w.state, id)
	return true
}
