package drive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kitsoki/runtime/journal"
)

// Summary is one drive in a list. Outcome is "" when no end of it is known. It
// is Open while it may not have ended: then it runs, when Alive says that its
// supervisor, PID, still exists, or was cut off and is not given up yet.
type Summary struct {
	ID       string        `json:"id"`
	Time     time.Time     `json:"time,omitzero"`
	Intent   string        `json:"intent,omitempty"`
	Input    string        `json:"input,omitempty"`
	Dir      string        `json:"dir,omitempty"`
	Outcome  string        `json:"outcome,omitempty"`
	Reason   string        `json:"reason,omitempty"`
	Verified bool          `json:"verified"`
	Rounds   int           `json:"rounds"`
	PID      int           `json:"pid,omitempty"`
	Open     bool          `json:"open"`
	Alive    bool          `json:"alive"`
	Duration time.Duration `json:"duration_ns"`
	Damaged  string        `json:"damaged,omitempty"` // where its records can't be read, as FILE:LINE, or FILE: why
}

// List tells the drives of a repository, the oldest first; of all when repo is
// nil. One whose records do not tell where it ran is the repository's while
// that counts it as open.
func List(state string, repo *journal.Repo) ([]Summary, error) {
	ids, err := IDs(state)
	if err != nil {
		return nil, err
	}
	marks := readMarkers(state)
	var out []Summary
	for _, id := range ids {
		r, err := Read(state, id)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed just now
		}
		if repo == nil || opensHere(r, repo.Key()) || marks.open(id, r) && marks.of[id] == repo.Key() {
			out = append(out, summary(state, id, r, err, marks))
		}
	}
	return out, nil
}

// Look tells one drive.
func Look(state, id string) Summary {
	r, err := Read(state, id)
	return summary(state, id, r, err, readMarkers(state))
}

// markers are what all repositories count as open: each drive, with the key
// of its repository, and the keys of those whose marker can't be read.
type markers struct {
	of     map[string]string
	unread map[string]bool
}

func readMarkers(state string) markers {
	ms := markers{map[string]string{}, map[string]bool{}}
	for _, key := range markerKeys(state) {
		m, err := tryMarker(state, key)
		if err != nil {
			ms.unread[key] = true
		}
		for _, id := range m.Drives {
			ms.of[id] = key
		}
	}
	return ms
}

// markerKeys are the repositories that have a marker.
func markerKeys(state string) []string {
	list, err := os.ReadDir(filepath.Join(state, "drives"))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range list {
		if key, ok := strings.CutSuffix(e.Name(), markerEnd); ok {
			out = append(out, key)
		}
	}
	return out
}

// open says whether a drive counts as open where it ran.
func (ms markers) open(id string, r Record) bool {
	if r.Closing() != nil {
		return false
	}
	_, named := ms.of[id]
	o := r.Opening()
	return named || o != nil && len(ms.unread) > 0 && ms.unread[o.key()]
}

// IDs are the drives that there are records of, sorted: the oldest first.
func IDs(state string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(state, "drives"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out, nil
}

func summary(state, id string, r Record, err error, marks markers) Summary {
	s := Summary{ID: id, Damaged: r.Unread(state, id), Open: marks.open(id, r)}
	if err != nil {
		s.Damaged = unreadable(logPath(state, id), err)
	}
	o := r.Opening()
	if o == nil {
		return s
	}
	s.Intent, s.Input, s.Dir, s.PID = o.Intent, o.Input, o.Dir, o.Supervisor.PID
	s.Time, _ = time.Parse(time.RFC3339Nano, r.Events[0].Time)
	last, _ := time.Parse(time.RFC3339Nano, r.Events[len(r.Events)-1].Time)
	s.Duration = max(0, last.Sub(s.Time))
	if c := r.Closing(); c != nil {
		s.Outcome, s.Reason, s.Verified, s.Rounds = c.Outcome, c.Reason, c.Verified, c.Rounds
		return s
	}
	if s.Alive = o.Supervisor.Alive(); s.Alive && !r.Damaged {
		s.Damaged = "" // its last line is still being written
	}
	s.Open = s.Open || s.Alive
	return s
}

// unreadable names a file, and why it can't be read.
func unreadable(path string, err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return path + ": " + err.Error()
}

// Unread is where a record begins that can't be read, as FILE:LINE, "" when
// all can. The last line of an open drive may still be being written.
func (r Record) Unread(state, id string) string {
	if len(r.Events) > 0 && !r.Damaged && (r.Bad == 0 || r.Closing() != nil) {
		return ""
	}
	return logPath(state, id) + ":" + strconv.Itoa(max(r.Bad, 1))
}

// ErrNotFound says that there are no records of a drive; ErrAmbiguous that
// more than one id begins so.
var (
	ErrNotFound  = errors.New("there is no drive with that id")
	ErrAmbiguous = errors.New("more than one drive's id begins so")
)

// Find completes the beginning of an id, in either case of letters.
func Find(state, beginning string) (string, error) {
	beginning = strings.ToUpper(strings.TrimSpace(beginning))
	ids, err := IDs(state)
	if err != nil {
		return "", err
	}
	found := slices.DeleteFunc(ids, func(id string) bool { return beginning == "" || !strings.HasPrefix(id, beginning) })
	switch len(found) {
	case 0:
		return "", ErrNotFound
	case 1:
		return found[0], nil
	}
	return "", ErrAmbiguous
}

// Prune removes the records of drives that ended before a moment, and says
// which; in a dry run it only says so. What may be open stays.
func Prune(state string, before time.Time, dry bool) ([]Summary, error) {
	all, err := List(state, nil)
	if err != nil {
		return nil, err
	}
	var out []Summary
	var errs []error
	for _, s := range all {
		path := logPath(state, s.ID)
		if s.Open || !s.ended(path).Before(before) {
			continue
		}
		if !dry {
			err = os.Remove(path)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, s)
	}
	return out, errors.Join(errs...)
}

// ended is when the last record was made; of one that tells nothing, when its
// file was written last.
func (s Summary) ended(path string) time.Time {
	if !s.Time.IsZero() {
		return s.Time.Add(s.Duration)
	}
	st, err := os.Lstat(path)
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}

// OpenAnywhere are the drives, in whatever repository, that may not have
// ended.
func OpenAnywhere(state string) ([]Summary, error) {
	all, err := List(state, nil)
	return slices.DeleteFunc(all, func(s Summary) bool { return !s.Open }), err
}

// Pending is what is not settled in a repository: the drives that may not have
// ended, and what the person was not told yet. It takes nothing away.
func Pending(state string, repo journal.Repo) (open []Summary, untold []string) {
	if !journal.DriveOpen(state, repo) {
		return nil, nil
	}
	marks := readMarkers(state)
	for _, id := range openDrives(state, repo.Key()) {
		r, err := Read(state, id)
		if s := summary(state, id, r, err, marks); s.Outcome == "" {
			open = append(open, s)
		}
	}
	return open, readMarker(state, repo.Key()).Notices
}
