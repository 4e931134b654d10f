package recall

import (
	"context"
	"slices"

	"kitsoki/runtime/memory/index"
)

// session remembers what a caller would; a compaction forgets what was given.
type session struct {
	given []Evidence
	told  []index.State
}

func (s *session) Given(e Evidence) bool       { return slices.Contains(s.given, e) }
func (s *session) Told(cause index.State) bool { return slices.Contains(s.told, cause) }

// keep remembers a result.
func (s *session) keep(r Result) Result {
	s.given = append(s.given, r.Given...)
	if r.Cause != "" {
		s.told = append(s.told, r.Cause)
	}
	return r
}

// backend answers with what it was given.
type backend struct {
	hits    []index.Hit
	changed []index.Changed
	open    error
	search  error
	stale   error
	opened  int
	query   index.Query
	session session
	config  Config
	machine bool
}

func (b *backend) Search(_ context.Context, q index.Query) ([]index.Hit, error) {
	b.query = q
	return slices.Clone(b.hits), b.search
}

func (b *backend) Stale(context.Context, string) ([]index.Changed, error) { return b.changed, b.stale }

func (b *backend) recall(prompt string) Result {
	return b.session.keep(Recall(context.Background(), Request{
		Prompt: prompt, Machine: b.machine, Config: b.config, Session: &b.session,
		Open: func(context.Context) (Searcher, error) {
			b.opened++
			return b, b.open
		},
	}))
}
