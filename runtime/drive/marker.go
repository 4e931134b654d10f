package drive

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"kitsoki/runtime/journal"
)

// lockName is the lock's name in a repository's shared git directory.
const lockName = "kitsoki.lock"

// lockPath is the lock of a repository: of all its working trees, and of every
// user's. Outside a repository it is the directory's, in the state directory.
func lockPath(state string, r journal.Repo) string {
	if r.Common != "" {
		return filepath.Join(r.Common, lockName)
	}
	return filepath.Join(state, "drives", r.Key()+".lock")
}

// Held says whether a drive is under way in a repository. What can't be found
// out counts as held.
func Held(state string, r journal.Repo) bool {
	path := lockPath(state, r)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return false
	}
	release, ok, err := journal.TryLock(path)
	if err != nil || !ok {
		return true
	}
	release()
	return false
}

// marker is what a repository's next prompt has to see to: drives that may be
// open, and what the person was not told yet. The file is there while there
// is something in it; journal.DriveOpen looks for it.
type marker struct {
	Drives  []string `json:"drives,omitempty"`
	Notices []string `json:"notices,omitempty"`
}

// markerEnd is how the name of a marker ends; before it stands the
// repository's key.
const markerEnd = ".open"

func markerPath(state, key string) string { return filepath.Join(state, "drives", key+markerEnd) }

// readMarker reads it; a damaged one is empty, since the records of drives
// are looked for by name as well.
func readMarker(state, key string) marker {
	m, err := tryMarker(state, key)
	if err != nil {
		return marker{}
	}
	return m
}

// tryMarker reads it; one that is not there is empty.
func tryMarker(state, key string) (m marker, err error) {
	data, err := os.ReadFile(markerPath(state, key))
	if errors.Is(err, os.ErrNotExist) {
		return marker{}, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	return m, err
}

// write makes it last, or takes it away when nothing is in it.
func (m marker) write(path string) error {
	if len(m.Drives) == 0 && len(m.Notices) == 0 {
		err := os.Remove(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := journal.ReplaceForGood(path, data, fileMode); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// change edits the marker under a lock of its own, which is held for a moment
// only.
func change(state, key string, edit func(*marker)) error {
	if err := os.MkdirAll(filepath.Join(state, "drives"), dirMode); err != nil {
		return err
	}
	path := markerPath(state, key)
	release, err := journal.WaitLock(path + ".lock")
	if err != nil {
		return err
	}
	defer release()
	m := readMarker(state, key)
	edit(&m)
	return m.write(path)
}

func addDrive(state string, r journal.Repo, id string) error {
	return change(state, r.Key(), func(m *marker) { m.Drives = append(m.Drives, id) })
}

// endDrive takes a drive out; what the person has still to be told of it, ""
// for nothing, stays.
func endDrive(state string, r journal.Repo, id, notice string) error {
	return change(state, r.Key(), func(m *marker) {
		m.Drives = slices.DeleteFunc(m.Drives, func(d string) bool { return d == id })
		if notice != "" {
			m.Notices = append(m.Notices, notice)
		}
	})
}

// Open tells whether a drive of the repository was begun and may not have ended.
func Open(state string, r journal.Repo) bool {
	return journal.DriveOpen(state, r) && len(openDrives(state, r.Key())) > 0
}

// TakeNotices gives what the person has not been told yet, once.
func TakeNotices(state string, r journal.Repo) []string {
	if !journal.DriveOpen(state, r) || len(readMarker(state, r.Key()).Notices) == 0 {
		return nil
	}
	var out []string
	if change(state, r.Key(), func(m *marker) { out, m.Notices = m.Notices, nil }) != nil {
		return nil
	}
	return out
}

// AddNotice keeps something for the person to be told with the next prompt.
// What can't be kept stands in the drive's records all the same.
func AddNotice(state string, r journal.Repo, notice string) {
	_ = change(state, r.Key(), func(m *marker) { m.Notices = append(m.Notices, notice) })
}

// DropNotice takes a notice away that the person is told by other means.
func DropNotice(state string, r journal.Repo, notice string) {
	_ = change(state, r.Key(), func(m *marker) {
		m.Notices = slices.DeleteFunc(m.Notices, func(n string) bool { return n == notice })
	})
}
