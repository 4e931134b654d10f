// Package recall puts in front of the model what the repository's own notes
// say about a prompt.
//
// In: a prompt, an index that can be opened, what this session was given
// already. Out: the text of a frame with at most three records, or of one
// status line, or nothing, and what has to be remembered of it. A record is
// whole or absent.
//
// Invariants: nothing below the floor; the same evidence once a session, until
// a compaction or an edit; no text can close the frame that it stands in; a
// backend that is broken says so, once a session and cause, and is never
// silent as if nothing were known.
//
// It remembers nothing itself, and opens nothing for a prompt that asks
// nothing: an acknowledgement, a greeting, machine text.
package recall

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"kitsoki/runtime/memory/index"
)

// The limits. Chars count code points, of the whole text.
const (
	DefaultFloor    = 0.55
	DefaultMaxItems = 3
	DefaultMaxChars = 6000
)

// Config is how much is recalled. A zero field has its default; the limits
// can't be exceeded.
type Config struct {
	Floor    float64 // the least relevance worth giving, 0 to 1
	MaxItems int     // at most DefaultMaxItems
	MaxChars int     // at most DefaultMaxChars, frame included
}

func (c Config) filled() Config {
	if c.Floor <= 0 {
		c.Floor = DefaultFloor
	}
	if c.MaxItems <= 0 || c.MaxItems > DefaultMaxItems {
		c.MaxItems = DefaultMaxItems
	}
	if c.MaxChars <= 0 || c.MaxChars > DefaultMaxChars {
		c.MaxChars = DefaultMaxChars
	}
	return c
}

// turnFloor is the floor for captured turns: half way from the floor to full
// relevance. What was said once is less than what was written down.
func (c Config) turnFloor() float64 { return TurnFloor(c.Floor) }

// TurnFloor is the floor of captured turns where notes have this one.
func TurnFloor(floor float64) float64 { return (floor + 1) / 2 }

// Evidence is something that was given: what it is, and in which wording.
type Evidence struct {
	Key    string
	Digest string
}

// Session is what is remembered of a session.
type Session interface {
	// Given tells whether this very evidence was given since the session began
	// or, when there was a compaction, since the last one.
	Given(Evidence) bool
	// Told tells whether the session had a status line for this cause.
	Told(cause index.State) bool
}

// Searcher is an index that was opened, such as *index.Searcher.
type Searcher interface {
	Search(ctx context.Context, q index.Query) ([]index.Hit, error)
	Stale(ctx context.Context, root string) ([]index.Changed, error)
}

// Request is one prompt.
type Request struct {
	Prompt  string
	Machine bool   // the prompt is machine text
	Root    string // the repository's root, absolute
	Config  Config
	Session Session
	Open    func(ctx context.Context) (Searcher, error) // called only when something is to be looked for
	Tail    index.Turns                                 // turns newer than the index, nil for none
	Gone    func(id string) bool                        // turns that were forgotten, nil for none
}

// Result is what is given with the prompt, and what has to be remembered. The
// zero Result is nothing.
type Result struct {
	Text    string
	Given   []Evidence  // what Text holds, in its order
	Records []Record    // the same, for who wants to show it
	Cause   index.State // what the status line in Text is about, "" without one
	Err     error       // what lies beneath it
}

// Recall answers a prompt. It does not outlast the context.
func Recall(ctx context.Context, r Request) Result {
	if r.Machine || Acknowledges(r.Prompt) {
		return Result{}
	}
	r.Config = r.Config.filled()
	s, err := r.Open(ctx)
	if err != nil {
		return r.degraded(err)
	}
	hits, err := s.Search(ctx, index.Query{
		Prompt: r.Prompt, Floor: r.Config.Floor, TurnFloor: r.Config.turnFloor(), Tail: r.Tail, Gone: r.Gone,
	})
	if err != nil {
		return r.degraded(err)
	}
	changed, err := s.Stale(ctx, r.Root)
	status := r.stale(changed, err)
	out := r.frame(present(hits, changed), status.Text)
	out.Cause, out.Err = status.Cause, status.Err
	return out
}

// present leaves out what stands in files that are gone.
func present(hits []index.Hit, changed []index.Changed) []index.Hit {
	return slices.DeleteFunc(hits, func(h index.Hit) bool {
		return slices.Contains(changed, index.Changed{Path: h.Path, Gone: true})
	})
}

// degraded is the status line about an index that can't answer.
func (r Request) degraded(err error) Result {
	cause, why := index.StateCorrupt, err.Error()
	if e := (*index.Error)(nil); errors.As(err, &e) {
		cause, why = e.State, e.Cause
	}
	return r.status(cause, why, err)
}

// stale is the status line about files that have changed. Where there was no
// time to look, the answer stands as it is.
func (r Request) stale(changed []index.Changed, err error) Result {
	switch e := (*index.Error)(nil); {
	case errors.As(err, &e) && e.State == index.StateSlow:
		return Result{}
	case err != nil:
		return r.degraded(err)
	case len(changed) == 0:
		return Result{}
	}
	return r.status(index.StateStale, changes(changed), nil)
}

// status is a status line, unless the session had it.
func (r Request) status(cause index.State, why string, err error) Result {
	if r.Session.Told(cause) {
		return Result{}
	}
	return Result{Text: statusLine(cause, why, r.Config.MaxChars), Cause: cause, Err: err}
}

// frame puts as many records together as are allowed and fit. A status line
// takes its room first.
func (r Request) frame(hits []index.Hit, status string) Result {
	f := frame{limit: r.Config.MaxChars}
	if status != "" {
		f.limit -= utf8.RuneCountInString(status) + 1
	}
	var out Result
	for _, h := range hits {
		e := Evidence{h.Key, h.Digest}
		if len(out.Records) == r.Config.MaxItems || r.Session.Given(e) || (h.Kind == index.KindTurn && out.hasTurn()) {
			continue
		}
		if record := newRecord(h); f.add(record) {
			out.Records, out.Given = append(out.Records, record), append(out.Given, e)
		}
	}
	out.Text = join(status, f.text())
	return out
}

func (r Result) hasTurn() bool {
	return slices.ContainsFunc(r.Records, func(r Record) bool { return r.Kind == index.KindTurn })
}

func join(status, text string) string {
	if status != "" && text != "" {
		return status + "\n" + text
	}
	return status + text
}
