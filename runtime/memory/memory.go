// Package memory puts recall and capture together for one repository: what a
// prompt is given before it reaches the model, and what is kept of a turn when
// it ends.
//
// In go the hook's events, and where the notes, the index and the turns lie; out
// comes the text that goes along with a prompt. Everything here fails open: what
// can't be read, locked or written in time is left out, and an index that can't
// answer says so once.
//
// It refuses to judge whose prompt it is: the hook brings only those of a person
// who sits there.
package memory

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory/index"
	"kitsoki/runtime/memory/recall"
	"kitsoki/runtime/memory/turns"
	"kitsoki/runtime/secret/mask"
	"kitsoki/runtime/transcript"
)

// The time limits: what retrieval may take before the prompt goes on without,
// and how long a lock on the turns is waited for.
const (
	RecallLimit = 150 * time.Millisecond
	lockLimit   = time.Second
)

// Memory is the memory of one repository.
type Memory struct {
	Repo     journal.Repo
	Store    turns.Store
	IndexDir string
	Config   recall.Config
	Recalls  bool
	Captures bool
	Now      func() time.Time
	Agent    string  // its name, for a service
	Remote   *Remote // nil for the index alone
}

// StoreOf is where a repository's turns are kept: all its worktrees share them.
func StoreOf(state string, repo journal.Repo) turns.Store {
	return turns.Store{Dir: filepath.Join(state, "memory", repo.Key()), Mask: mask.Text}
}

// IndexOf is where a repository's index lies. A working tree has its own, since
// its files are.
func IndexOf(cache string, repo journal.Repo) string {
	return filepath.Join(cache, "memory", journal.Sum([]byte(repo.Top()))[:16])
}

// Prompt notes the beginning of a turn and gives what is known of the prompt,
// "" for nothing.
func (m Memory) Prompt(ctx context.Context, e agent.Event) string {
	key := turns.Key(e.SessionID, e.CWD)
	turn := m.open(ctx, key, e)
	if !m.Recalls {
		return ""
	}
	within, cancel := context.WithTimeout(ctx, m.Patience())
	defer cancel()
	s := &session{store: m.Store, key: key, transcript: e.TranscriptPath, ctx: within}
	req := recall.Request{
		Prompt: e.Prompt, Machine: agent.MachineText(e.Prompt), Root: m.Repo.Top(), Config: m.Config, Session: s,
		Open: m.opened, Tail: m.tail(s), Gone: m.gone(s),
	}
	if m.Remote != nil {
		req.Open, req.Tail, req.Gone = (&exchange{m: m, event: e, key: key, turn: turn, since: s.since()}).opened, nil, nil
	}
	r := recall.Recall(within, req)
	m.note(ctx, key, r)
	return r.Text
}

// Patience is how long recalling may take.
func (m Memory) Patience() time.Duration {
	if m.Remote != nil && m.Recalls {
		return m.Remote.Patience()
	}
	return RecallLimit
}

// open begins the turn and gives its id. What can't be kept is no reason to hold
// the prompt. A turn that is not kept has an id of its own too, by the time.
func (m Memory) open(ctx context.Context, key string, e agent.Event) string {
	now := m.Now()
	if !m.Captures {
		return turns.ID(key, int(now.UnixNano()), e.Prompt)
	}
	ctx, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	t, err := m.Store.Open(ctx, turns.Start{
		Key: key, PromptID: e.PromptID, Query: e.Prompt, CWD: e.CWD, Branch: m.Repo.Head(), At: now,
	})
	if err != nil {
		return turns.ID(key, int(now.UnixNano()), e.Prompt)
	}
	return t.ID
}

func (m Memory) opened(ctx context.Context) (recall.Searcher, error) {
	return index.Open(ctx, m.IndexDir)
}

// tail gives the turns that were captured last, but for those that the model has
// before it. The index knows those that it has.
func (m Memory) tail(s *session) index.Turns {
	return func(yield func(index.Turn, error) bool) {
		list, _ := m.Store.Recent() // one that can't be read is told of by status; the notes stand without it
		for _, t := range list {
			if !s.own(t) && !yield(asIndexed(t), nil) {
				return
			}
		}
	}
}

// Turns gives the captured turns as the index takes them.
func (m Memory) Turns() index.Turns {
	return func(yield func(index.Turn, error) bool) {
		list, err := m.Store.Turns()
		if err != nil {
			yield(index.Turn{}, err)
			return
		}
		for _, t := range list {
			if !yield(asIndexed(t), nil) {
				return
			}
		}
	}
}

func asIndexed(t turns.Turn) index.Turn {
	at := t.Ended
	if at.IsZero() {
		at = t.Started
	}
	return index.Turn{ID: t.ID, Query: t.Query, Answer: t.Answer, Time: at}
}

// gone tells of turns that were forgotten since the index was built, and of those
// that the model has before it. Where the store can't be read, every turn counts
// as forgotten.
func (m Memory) gone(s *session) func(string) bool {
	gone, err := m.Store.Gone()
	own := map[string]bool{}
	if err == nil {
		var list []turns.Turn
		list, err = m.Store.Recent()
		for _, t := range list {
			own[t.ID] = s.own(t)
		}
	}
	return func(id string) bool { return err != nil || gone[id] || own[id] }
}

// note remembers what was given. What can't be remembered may be given again.
func (m Memory) note(ctx context.Context, key string, r recall.Result) {
	given := map[string]string{}
	for _, e := range r.Given {
		given[e.Key] = e.Digest
	}
	ctx, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	_ = m.Store.Note(ctx, key, given, string(r.Cause), m.Now())
}

// Stop keeps the turn that has ended; t is what the transcript says of it. A
// service is handed what was kept.
func (m Memory) Stop(ctx context.Context, e agent.Event, t transcript.Turn) turns.Outcome {
	if !m.Captures {
		return turns.None
	}
	within, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	answer := e.LastMessage
	if answer == "" && e.TranscriptPath != "" {
		answer, _ = transcript.Answer(e.TranscriptPath) // one that can't be read has none
	}
	var tools []string
	for _, u := range t.Tools {
		tools = append(tools, u.Name)
	}
	done, o, _ := m.Store.Close(within, turns.End{
		Key: turns.Key(e.SessionID, e.CWD), PromptID: e.PromptID, Answer: answer, Tools: slices.Compact(tools), At: m.Now(),
	})
	if o == turns.Stored && m.Remote != nil {
		m.Remote.complete(ctx, m, done)
	}
	return o
}

// session is what a session was given and told, read when it is asked for.
type session struct {
	store      turns.Store
	key        string
	transcript string
	ctx        context.Context // of the one recall that it is for
	memory     *turns.Memory
	compacted  *time.Time
}

// since is when the session was compacted last, the zero time for never.
func (s *session) since() time.Time {
	if s.compacted == nil {
		var at time.Time
		if s.transcript != "" {
			at, _, _ = transcript.Compacted(s.transcript) // none that can be read
		}
		s.compacted = &at
	}
	return *s.compacted
}

// own tells a turn of this very session that no compaction came after.
func (s *session) own(t turns.Turn) bool {
	return t.Session == s.key && !t.Started.Before(s.since())
}

func (s *session) load() turns.Memory {
	if s.memory == nil {
		m, _ := s.store.Memory(s.ctx, s.key, s.since())
		s.memory = &m
	}
	return *s.memory
}

func (s *session) Given(e recall.Evidence) bool { return s.load().Given(e.Key, e.Digest) }
func (s *session) Told(cause index.State) bool  { return s.load().Told(string(cause)) }
