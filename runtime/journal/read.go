package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// ErrNotFound says that no line has the id asked for.
var ErrNotFound = errors.New("no such entry in the trace")

// ErrAmbiguous says that the start of an id fits more than one line.
var ErrAmbiguous = errors.New("more than one entry starts with that id")

// Filter chooses entries. The zero Filter chooses all.
type Filter struct {
	Type    Type
	Session string
	Reason  string    // only passed entries with this reason
	Since   time.Time // not older than
	Limit   int       // only the last so many; 0 for all
}

func (f Filter) takes(e Entry) bool {
	if f.Type != "" && e.Type != f.Type || f.Session != "" && e.Session != f.Session {
		return false
	}
	if f.Reason != "" && (e.Passed == nil || e.Passed.Reason != f.Reason) {
		return false
	}
	if f.Since.IsZero() {
		return true
	}
	at, err := time.Parse(time.RFC3339Nano, e.Time)
	return err == nil && !at.Before(f.Since)
}

// Read gives the entries of a trace file and its rotated predecessors, oldest
// first. Lines that are torn or not ours are skipped; a trace that was never
// written is empty, not an error.
func Read(path string, f Filter) ([]Entry, error) {
	var out []Entry
	for _, file := range files(path) {
		err := scan(file, func(e Entry) {
			if f.takes(e) {
				out = append(out, e)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("reading the trace: %w", err)
		}
		if f.Limit > 0 && len(out) > f.Limit {
			out = slices.Clone(out[len(out)-f.Limit:])
		}
	}
	return out, nil
}

// Find gives the entry with an id, or with an id that starts so (in either
// case of letters). The error is ErrNotFound, ErrAmbiguous or a read error.
func Find(path, id string) (Entry, error) {
	id = strings.ToUpper(strings.TrimSpace(id))
	if id == "" {
		return Entry{}, ErrNotFound
	}
	all, err := Read(path, Filter{})
	if err != nil {
		return Entry{}, err
	}
	found := slices.DeleteFunc(all, func(e Entry) bool { return !strings.HasPrefix(e.ID, id) })
	switch len(found) {
	case 0:
		return Entry{}, ErrNotFound
	case 1:
		return found[0], nil
	}
	return Entry{}, ErrAmbiguous
}

// files lists the rotated files that exist, oldest first, then the current.
// One number may be missing: a rotation that was cut short leaves a gap.
func files(path string) []string {
	list := []string{path}
	for n, gap := 1, 0; gap < 2; n++ {
		if _, err := os.Stat(rotated(path, n)); err != nil {
			gap++
			continue
		}
		gap = 0
		list = append(list, rotated(path, n))
	}
	slices.Reverse(list)
	return list
}

func scan(file string, take func(Entry)) error {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = lines(f, take)
	return err
}

// lines gives each complete line's entry to take, and returns how many bytes
// complete lines took. A last line without its end is still being written, or
// torn: it is not taken.
func lines(r io.Reader, take func(Entry)) (int64, error) {
	in := bufio.NewReader(r)
	var done int64
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return done, nil
		}
		if err != nil {
			return done, err
		}
		done += int64(len(line))
		if e, ok := decode(line); ok {
			take(e)
		}
	}
}
