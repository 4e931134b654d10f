package host

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// note is what is written down before a branch is moved with the person's
// files, so that a later process knows what was begun, and when.
type note struct {
	Name, From, To string
	Begun          time.Time
}

// noteFile stands beside the worktree apart.
func noteFile(place string) string { return place + ".publish" }

// note is on the disk when it returns.
func (r repo) note(m move) error {
	place, err := scratchPlace(r.env)
	if err != nil {
		return err
	}
	data, err := json.Marshal(note{m.name, m.from, m.to, time.Now()})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(noteFile(place), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// noted is the note about a move, nil when none was begun.
func (r repo) noted(m move) (*note, error) {
	place, err := scratchPlace(r.env)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(noteFile(place))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failf(gitName, "%v", err)
	}
	var n note
	// A torn note was being written when the process died: nothing had begun.
	if json.Unmarshal(data, &n) != nil || n.Name != m.name || n.From != m.from || n.To != m.to {
		return nil, nil
	}
	return &n, nil
}
