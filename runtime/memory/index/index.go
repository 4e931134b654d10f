// Package index finds what a repository's own notes say about a prompt: its
// Markdown files by section, and the captured turns that the caller hands in.
//
// In: a directory with globs, and turns. Build writes a generation, a
// directory that is never changed once it has its name, and switches to it by
// renaming a pointer file. Open reads the generation that the pointer names;
// Search answers with the sections and turns whose relevance, 0 to 1, reaches
// the floor.
//
// The segment of a generation is bleve's own, zap version 15, written from
// bleve's documents with bleve's stemmers and read through zapx. bleve's index
// around it, scorch, is left out: its root lies in a bolt file, which takes a
// lock to be read. It finds candidates; relevance is a measure of our own
// (measure.go), since a search score is no confidence.
//
// Invariants: a reader takes no lock and holds a whole generation in memory,
// so that it neither waits for a build nor minds what a build removes; one
// build at a time, between processes; nothing of a generation is used before
// its checksum was verified; the same input gives the same answers, however
// the index came to be.
//
// It refuses what would have no place in a prompt: files over 1 MiB, binary
// files, files that look like secrets, what git ignores, and links that lead
// out of the repository.
package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// State says what became of an index that was to be opened.
type State string

// The states. A stale index answers, from files that have changed since.
const (
	StateMissing State = "missing"          // there is no index
	StateCorrupt State = "corrupt"          // it is damaged, or half of it is gone
	StateVersion State = "version_mismatch" // another version of kitsoki made it
	StateStale   State = "stale"
	StateSlow    State = "slow" // the context ended first
)

// Error is why an index can't be used. Cause is one line for a person.
type Error struct {
	State State
	Cause string
	Err   error // what lies beneath, nil for none
}

// Error is the state with its cause.
func (e *Error) Error() string { return fmt.Sprintf("memory index %s: %s", e.State, e.Cause) }

// Unwrap is what lies beneath.
func (e *Error) Unwrap() error { return e.Err }

// ErrBusy says that another process is building the index.
var ErrBusy = errors.New("the memory index is being built by another process")

// Turn is one captured turn of a conversation.
type Turn struct {
	ID     string // names it for good
	Query  string
	Answer string
	Time   time.Time // when it ended
}

// Turns are captured turns in any order; an error ends them.
type Turns = iter.Seq2[Turn, error]

// Options say what is indexed, and where the index lies.
type Options struct {
	Root    string           // absolute: paths in answers are relative to it
	Dir     string           // absolute: where the generations lie; made if need be
	Sources []string         // globs of Markdown files, relative to Root, with / and **
	Turns   Turns            // nil: none
	Env     []string         // the environment, KEY=VALUE, in which git is asked
	Now     func() time.Time // the clock
	Fresh   bool             // analyse everything, and remove every earlier generation
}

// Progress is how far a build has come.
type Progress struct {
	Path        string // the file at hand, relative to the root with /
	Done, Total int    // files
}

// Skipped is a file that a glob names and that was left out, with the reason.
type Skipped struct{ Path, Reason string }

// Report is what a build did.
type Report struct {
	Generation string // the one that is current now
	Unchanged  bool   // it was current before, too: there was nothing to do
	Files      int    // indexed files
	Reused     int    // of these, not analysed again
	Sections   int
	Turns      int
	Skipped    []Skipped // sorted by path
}

// Kind says what a hit is.
type Kind string

// The kinds of a hit.
const (
	KindSection Kind = "section"
	KindTurn    Kind = "turn"
)

// Hit is a section or a turn that is relevant to a prompt.
type Hit struct {
	Kind      Kind
	Key       string // names it, also after an edit
	Digest    string // of title and body: another one after an edit
	Title     string // the trail of headings, or the beginning of the query
	Body      string // as it stands in the file; query and answer of a turn
	Source    string // path:line, or the turn's id
	Path      string // relative to the root with /; empty for a turn
	Line      int    // from 1: the heading's, or where a further part of a section begins
	Time      time.Time
	Relevance float64 // 0 to 1
}

// Query is what is looked for.
type Query struct {
	Prompt    string
	Floor     float64              // hits below are left out
	TurnFloor float64              // the same for turns
	Limit     int                  // at most so many hits; 0: no limit
	Tail      Turns                // turns newer than the index, scanned as they are; nil: none
	Gone      func(id string) bool // turns that were forgotten since; nil: none
}

// guarded runs work that may panic on damaged bytes, as zapx and vellum do,
// and does not outlast the context: work that goes on is left behind. It is
// the one place here that recovers.
func guarded[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				o.err = &Error{State: StateCorrupt, Cause: fmt.Sprintf("reading it failed: %v", r)}
			}
			done <- o
		}()
		o.value, o.err = work()
	}()
	select {
	case o := <-done:
		return o.value, asError(o.err)
	case <-ctx.Done():
		var none T
		return none, &Error{State: StateSlow, Cause: "it was not read in time", Err: ctx.Err()}
	}
}

// asError makes an *Error of an error that came from below.
func asError(err error) error {
	if known := (*Error)(nil); err == nil || errors.As(err, &known) {
		return err
	}
	return &Error{State: StateCorrupt, Cause: "reading it failed: " + err.Error(), Err: err}
}
