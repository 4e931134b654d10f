// Package turns keeps what was asked and answered: a turn opens at the prompt
// and closes when the agent stops.
//
// In go prompts, ends of turns, and what a session was given; out come the
// turns of a repository, oldest first. A store is one directory, its owner's
// alone: turns.jsonl, to which lines are appended, and a file a session with
// its count of prompts, its open turns and what it was given.
//
// Invariants: a prompt's number is on the disk before anything else is done
// for it, so that the same words typed twice are two turns whatever dies on
// the way; of two ends of a turn the first counts; secrets are masked before
// anything is written; a turn that was forgotten is not given again, and its
// text is gone from the file when Forget returns.
//
// It refuses to guess: an end without a beginning stores nothing. It reads
// neither the clock nor the environment, and waits for a lock no longer than
// its caller's context.
package turns

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"kitsoki/runtime/journal"
)

const (
	// maxAnswer is how much of an answer is kept, in code points, and maxQuery
	// how much of a prompt.
	maxAnswer = 4000
	maxQuery  = 20_000
	// maxOpen is how many turns of a session may be open; older ones are kept
	// as they are then.
	maxOpen = 4
	// forgotten is how long a session's own file is kept after its last use.
	forgotten = 30 * 24 * time.Hour
)

// Store is the turns of one repository. Mask takes the secrets out of a text.
type Store struct {
	Dir  string
	Mask func(string) string
}

// Turn is one prompt and what became of it. Ended is the zero time, and Answer
// empty, when the agent never stopped: the person went on, or it was ended.
type Turn struct {
	Session  string    `json:"session"` // the session's key
	ID       string    `json:"turn"`
	PromptID string    `json:"prompt_id,omitempty"`
	Query    string    `json:"query"`
	Answer   string    `json:"answer"`
	CWD      string    `json:"cwd,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	Tools    []string  `json:"tools,omitempty"` // names, in the order of their first use
	Started  time.Time `json:"started"`
	Ended    time.Time `json:"ended,omitzero"`
}

// Key is a session's key: the first of what names it, in the order session_id,
// sessionId, conversation_id, thread_id, working directory, that is not empty.
func Key(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return "default"
}

// ID names a turn: the number counts a session's prompts from 1.
func ID(key string, number int, prompt string) string {
	return "turn:" + short(key+"\x00"+strconv.Itoa(number)+"\x00"+prompt)
}

// short is the first 24 hex digits of a SHA-256.
func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:24]
}

// Start is the beginning of a turn.
type Start struct {
	Key      string
	PromptID string // "" where the agent gives none
	Query    string
	CWD      string
	Branch   string
	At       time.Time
}

// Open begins a turn. A prompt's id that is known is the same prompt again: its
// turn is given, and nothing is written.
func (s Store) Open(ctx context.Context, b Start) (Turn, error) {
	ss, err := s.session(ctx, b.Key)
	if err != nil {
		return Turn{}, err
	}
	defer ss.release()
	if t, known := ss.of(b.PromptID); known {
		return t, nil
	}
	ss.Number++
	ss.Open = append(ss.Open, Turn{Session: b.Key, ID: ID(b.Key, ss.Number, b.Query), PromptID: b.PromptID, Started: b.At.UTC()})
	t := &ss.Open[len(ss.Open)-1]
	if err := ss.save(); err != nil {
		return *t, err
	}
	t.Query, t.CWD, t.Branch = s.Query(b.Query), s.mask(b.CWD), s.mask(b.Branch)
	opened := *t
	if err := ss.save(); err != nil {
		return opened, err
	}
	s.prune(b.At)
	return opened, s.settle(ctx, ss, len(ss.Open)-maxOpen)
}

// settle writes the oldest open turns as they are.
func (s Store) settle(ctx context.Context, ss *session, n int) error {
	if n <= 0 {
		return nil
	}
	if err := s.append(ctx, ss.Open[:n]...); err != nil {
		return err
	}
	ss.Open = ss.Open[n:]
	return ss.save()
}

// End is the end of a turn.
type End struct {
	Key      string
	PromptID string // "" for the turn that was opened last
	Answer   string
	Tools    []string
	At       time.Time
}

// Outcome says what an end came to.
type Outcome string

// The outcomes. None is an end without a beginning, Replayed one of a turn
// that has ended already.
const (
	Stored   Outcome = "stored"
	Replayed Outcome = "replayed"
	None     Outcome = "none"
)

// Close ends a turn. Turns that were opened before it and never ended are kept
// with it, so that their order stays.
func (s Store) Close(ctx context.Context, e End) (Turn, Outcome, error) {
	ss, err := s.session(ctx, e.Key)
	if err != nil {
		return Turn{}, None, err
	}
	defer ss.release()
	at := len(ss.Open) - 1
	if e.PromptID != "" {
		for at >= 0 && ss.Open[at].PromptID != e.PromptID {
			at--
		}
	}
	if at < 0 {
		if t, known := ss.of(e.PromptID); known {
			return t, Replayed, nil
		}
		return Turn{}, None, nil
	}
	t := &ss.Open[at]
	t.Answer, t.Ended, t.Tools = cut(s.mask(e.Answer), maxAnswer), e.At.UTC(), once(e.Tools)
	if err := s.append(ctx, ss.Open[:at+1]...); err != nil {
		return *t, None, err
	}
	done := *t
	ss.Last, ss.Open = done, ss.Open[at+1:]
	return done, Stored, ss.save()
}

// Query is a prompt as it is kept.
func (s Store) Query(prompt string) string { return cut(s.mask(prompt), maxQuery) }

// Put keeps a turn that somebody else has numbered, unless it is kept already, or
// was forgotten.
func (s Store) Put(ctx context.Context, t Turn) error {
	ss, err := s.session(ctx, t.Session)
	if err != nil {
		return err
	}
	defer ss.release()
	gone, err := s.Gone()
	if err != nil {
		return err
	}
	list, err := s.Turns()
	if err != nil || gone[t.ID] {
		return err
	}
	for _, have := range list {
		if have.ID == t.ID {
			return nil
		}
	}
	t.Query, t.Answer, t.CWD = s.Query(t.Query), cut(s.mask(t.Answer), maxAnswer), s.mask(t.CWD)
	return s.append(ctx, t)
}

// mask takes the secrets out; a text is masked whole, before it is cut.
func (s Store) mask(text string) string {
	if s.Mask == nil {
		return text
	}
	return s.Mask(text)
}

// cut keeps the first code points of a text.
func cut(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i]
		}
		n++
	}
	return text
}

func once(names []string) (out []string) {
	seen := map[string]bool{}
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

// locked takes a lock of the store; the context ends the wait.
func (s Store) locked(ctx context.Context, path string) (release func(), err error) {
	release, err = journal.LockWithin(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", filepath.Base(path), err)
	}
	return release, nil
}
