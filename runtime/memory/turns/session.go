package turns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kitsoki/runtime/journal"
)

// session is the state of one session, locked.
type session struct {
	Key     string            `json:"key"`
	Number  int               `json:"ordinal"` // of the prompt opened last
	Open    []Turn            `json:"open,omitempty"`
	Last    Turn              `json:"last,omitzero"` // the turn that ended last
	Given   map[string]Given  `json:"given,omitempty"`
	Told    map[string]string `json:"told,omitempty"` // what was said of it, by cause
	path    string
	release func()
}

// Given is evidence that a session was given: in which wording, and when.
type Given struct {
	Digest string    `json:"digest"`
	At     time.Time `json:"at"`
}

const (
	sessionsDir  = "sessions"
	stateSuffix  = ".json"
	lockSuffix   = ".lock"
	damagedState = ".damaged"
)

// StatePath is the file of a session's state.
func (s Store) StatePath(key string) string {
	return filepath.Join(s.Dir, sessionsDir, short(key)+stateSuffix)
}

// session locks and reads a session's state. One that is damaged is set aside,
// and numbers go on behind all that the store knows of the session, so that no
// turn gets the id of another.
func (s Store) session(ctx context.Context, key string) (*session, error) {
	ss := &session{path: s.StatePath(key)}
	if err := os.MkdirAll(filepath.Dir(ss.path), 0o700); err != nil {
		return nil, fmt.Errorf("making the memory's directory: %w", err)
	}
	release, err := s.locked(ctx, ss.path+lockSuffix)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(ss.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err == nil && (json.Unmarshal(data, ss) != nil || ss.Key != key):
		path := ss.path
		*ss = session{path: path}
		if err = os.Rename(path, path+damagedState); err == nil {
			ss.Number, err = s.count(key)
		}
	}
	if err != nil {
		release()
		return nil, fmt.Errorf("reading the session's state: %w", err)
	}
	ss.Key, ss.release = key, release
	return ss, nil
}

// count is how many turns of a session are stored, forgotten ones among them.
// Those that were open are not known any more, so that some numbers are left
// out.
func (s Store) count(key string) (n int, err error) {
	err = read(s.log(), 0, func(t Turn) {
		if t.Session == key {
			n++
		}
	})
	err2 := read(s.marks(), 0, func(m mark) {
		if m.Session == key {
			n++
		}
	})
	return n + maxOpen + 1, errors.Join(err, err2)
}

func (ss *session) save() error {
	data, err := json.Marshal(ss)
	if err == nil {
		err = journal.ReplaceForGood(ss.path, data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing the session's state: %w", err)
	}
	return nil
}

// of finds the turn of a prompt's id.
func (ss *session) of(promptID string) (Turn, bool) {
	if promptID == "" {
		return Turn{}, false
	}
	for _, t := range append([]Turn{ss.Last}, ss.Open...) {
		if t.PromptID == promptID {
			return t, true
		}
	}
	return Turn{}, false
}

// Memory is what a session was given and told.
type Memory struct {
	given map[string]Given
	told  map[string]string
	since time.Time
}

// Given tells whether evidence was given in this wording, since the last
// compaction if there was one.
func (m Memory) Given(key, digest string) bool {
	g, ok := m.given[key]
	return ok && g.Digest == digest && !g.At.Before(m.since)
}

// Told tells whether the session was told of a cause.
func (m Memory) Told(cause string) bool { _, ok := m.told[cause]; return ok }

// Memory reads what a session was given and told; what was given before its
// last compaction counts no more. The zero time stands for no compaction.
func (s Store) Memory(ctx context.Context, key string, compacted time.Time) (Memory, error) {
	ss, err := s.session(ctx, key)
	if err != nil {
		return Memory{}, err
	}
	defer ss.release()
	return Memory{ss.Given, ss.Told, compacted}, nil
}

// Note remembers what a session was given, wordings by key, and the cause that
// it was told of, "" for none.
func (s Store) Note(ctx context.Context, key string, given map[string]string, cause string, at time.Time) error {
	if len(given) == 0 && cause == "" {
		return nil
	}
	ss, err := s.session(ctx, key)
	if err != nil {
		return err
	}
	defer ss.release()
	if ss.Given == nil {
		ss.Given = map[string]Given{}
	}
	for k, digest := range given {
		ss.Given[k] = Given{digest, at.UTC()}
	}
	if cause != "" {
		if ss.Told == nil {
			ss.Told = map[string]string{}
		}
		ss.Told[cause] = at.UTC().Format(time.RFC3339)
	}
	return ss.save()
}

// prune removes the files of sessions that nobody has used for long. Open turns
// among them are lost no turn: they are kept first.
func (s Store) prune(now time.Time) {
	list, err := os.ReadDir(filepath.Join(s.Dir, sessionsDir))
	if err != nil {
		return
	}
	for _, d := range list {
		info, err := d.Info()
		if err != nil || now.Sub(info.ModTime()) < forgotten {
			continue
		}
		path := filepath.Join(s.Dir, sessionsDir, d.Name())
		if strings.HasSuffix(d.Name(), stateSuffix) {
			s.retire(path)
		} else {
			_ = os.Remove(path) // another process may have been faster
		}
	}
}

// retire keeps the open turns of a session and removes its state.
func (s Store) retire(path string) {
	release, ok, err := journal.TryLock(path + lockSuffix)
	if err != nil || !ok {
		return // it is in use
	}
	defer release()
	var ss session
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &ss) != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.append(ctx, ss.Open...) == nil {
		_ = os.Remove(path)
	}
}
