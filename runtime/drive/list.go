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

// Summary is one drive in a list. Outcome is "" while it is open; Alive then
// says that its supervisor, PID, still runs it.
type Summary struct {
	ID       string        `json:"id"`
	Time     time.Time     `json:"time"`
	Intent   string        `json:"intent"`
	Input    string        `json:"input,omitempty"`
	Dir      string        `json:"dir"`
	Outcome  string        `json:"outcome,omitempty"`
	Reason   string        `json:"reason,omitempty"`
	Verified bool          `json:"verified"`
	Rounds   int           `json:"rounds"`
	PID      int           `json:"pid"`
	Alive    bool          `json:"alive"`
	Duration time.Duration `json:"duration_ns"`
	Damaged  string        `json:"damaged,omitempty"` // where its records can't be read, as FILE:LINE
}

// List tells the drives of a repository, the oldest first; of all when repo is
// nil. Files that hold no drive are left out.
func List(state string, repo *journal.Repo) ([]Summary, error) {
	ids, err := IDs(state)
	if err != nil {
		return nil, err
	}
	var out []Summary
	for _, id := range ids {
		r, err := Read(state, id)
		if err != nil || repo != nil && !opensHere(r, *repo) {
			continue
		}
		out = append(out, summary(state, id, r))
	}
	return out, nil
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

func summary(state, id string, r Record) Summary {
	s := Summary{ID: id, Damaged: r.Unread(state, id)}
	o := r.Opening()
	if o == nil {
		return s
	}
	s.Intent, s.Input, s.Dir, s.PID = o.Intent, o.Input, o.Dir, o.Supervisor.PID
	s.Time, _ = time.Parse(time.RFC3339Nano, r.Events[0].Time)
	last, _ := time.Parse(time.RFC3339Nano, r.Events[len(r.Events)-1].Time)
	s.Duration = last.Sub(s.Time)
	if c := r.Closing(); c != nil {
		s.Outcome, s.Reason, s.Verified, s.Rounds = c.Outcome, c.Reason, c.Verified, c.Rounds
		return s
	}
	if s.Alive = o.Supervisor.Alive(); s.Alive && !r.Damaged {
		s.Damaged = "" // its last line is still being written
	}
	return s
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
	for _, s := range all {
		if s.Outcome == "" || !s.Time.Add(s.Duration).Before(before) {
			continue
		}
		if !dry {
			if err := os.Remove(logPath(state, s.ID)); err != nil {
				return out, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// OpenAnywhere are the drives, in whatever repository, that may not have
// ended.
func OpenAnywhere(state string) ([]Summary, error) {
	all, err := List(state, nil)
	return slices.DeleteFunc(all, func(s Summary) bool { return s.Outcome != "" || s.Intent == "" }), err
}

// Pending is what is not settled in a repository: the drives that may not have
// ended, and what the person was not told yet. It takes nothing away.
func Pending(state string, repo journal.Repo) (open []Summary, untold []string) {
	if !journal.DriveOpen(state, repo) {
		return nil, nil
	}
	for _, id := range openDrives(state, repo) {
		r, err := Read(state, id)
		if err != nil {
			r = Record{} // it counts as open all the same
		}
		if s := summary(state, id, r); s.Outcome == "" {
			open = append(open, s)
		}
	}
	return open, readMarker(state, repo).Notices
}
