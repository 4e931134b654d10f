package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kitsoki/runtime/journal"
)

// Record is what is remembered of an installation, to take it out again byte
// for byte. Before and After are SHA-256 digests of the file. Created says
// that there was no file.
type Record struct {
	File    string `json:"file"`
	Agent   string `json:"agent"` // as Row.entry has it
	Text    string `json:"text"`
	Entry   string `json:"entry"` // the entry alone, on one line
	Before  string `json:"before"`
	After   string `json:"after"`
	Created bool   `json:"created,omitempty"`
}

// Store keeps records, and copies of files as they were, in a directory of
// its own.
type Store struct{ Dir string }

func (s Store) path(file, agent string) string {
	return filepath.Join(s.Dir, journal.Sum([]byte(agent + "\x00" + file))[:16]+".json")
}

// Recall gives the record of a row's entry in a file, nil when there is none or it is
// damaged: without it an entry is taken out by its structure.
func (s Store) Recall(file string, r Row) *Record {
	data, err := os.ReadFile(s.path(file, r.entry()))
	if err != nil {
		return nil
	}
	var rec Record
	if json.Unmarshal(data, &rec) != nil || rec.File != file || rec.Agent != r.entry() {
		return nil
	}
	return &rec
}

func (s Store) remember(r Record) error {
	data, err := json.Marshal(r)
	if err == nil {
		err = journal.ReplaceForGood(s.path(r.File, r.Agent), data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("recording what is written: %w", err)
	}
	return nil
}

func (s Store) forget(file, agent string) error {
	if err := os.Remove(s.path(file, agent)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("forgetting what was written: %w", err)
	}
	return nil
}

// backup keeps the bytes of a file under a name made of them, so that no copy
// takes the place of another.
func (s Store) backup(file string, data []byte) (string, error) {
	path := filepath.Join(s.Dir, filepath.Base(file)+"."+journal.Sum(data)[:16]+".bak")
	if err := journal.ReplaceForGood(path, data, 0o600); err != nil {
		return "", fmt.Errorf("keeping a copy of %s: %w", file, err)
	}
	return path, nil
}
