package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/proc"
)

// place is a directory with notes, and an index of it.
type place struct {
	t         testing.TB
	root, dir string
	env       []string
	now       time.Time
	turns     []Turn
	fresh     bool
	sources   []string
}

func newPlace(t testing.TB) *place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{
		t: t, root: filepath.Join(base, "repo"), dir: filepath.Join(base, "index"), sources: []string{"**/*.md"},
		env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + base, "GIT_CONFIG_NOSYSTEM=1"},
		now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	}
	if err := os.MkdirAll(p.root, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// git runs git in the repository.
func (p *place) git(args ...string) {
	p.t.Helper()
	if r := proc.Run(context.Background(), proc.Cmd{Argv: append([]string{"git"}, args...), Dir: p.root, Env: p.env}); !r.OK() {
		p.t.Fatalf("git %v: %v %s", args, r.Err, r.Output)
	}
}

// write writes a file an hour before the present.
func (p *place) write(rel, text string) {
	p.t.Helper()
	path := filepath.Join(p.root, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.touch(rel, p.now.Add(-time.Hour))
}

func (p *place) touch(rel string, at time.Time) {
	p.t.Helper()
	if err := os.Chtimes(filepath.Join(p.root, filepath.FromSlash(rel)), at, at); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) options() Options {
	return Options{
		Root: p.root, Dir: p.dir, Sources: p.sources, Env: p.env, Now: func() time.Time { return p.now }, Fresh: p.fresh,
		Turns: turnsOf(p.turns...),
	}
}

func turnsOf(turns ...Turn) Turns {
	return func(yield func(Turn, error) bool) {
		for _, t := range turns {
			if !yield(t, nil) {
				return
			}
		}
	}
}

func (p *place) build() Report {
	p.t.Helper()
	r, err := Build(context.Background(), p.options(), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.now = p.now.Add(time.Minute)
	return r
}

func (p *place) open() *Searcher {
	p.t.Helper()
	s, err := Open(context.Background(), p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

func (p *place) ask(prompt string) string {
	return answers(p.t, p.open(), Query{Prompt: prompt, Floor: 0.55, TurnFloor: 0.77})
}

// answers are the sources of hits, in order.
func answers(t testing.TB, s *Searcher, q Query) string {
	t.Helper()
	hits, err := s.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.Source)
	}
	return strings.Join(out, " ")
}

// full is everything about the answers to some prompts.
func full(t *testing.T, s *Searcher, prompts ...string) string {
	t.Helper()
	var out strings.Builder
	for _, prompt := range prompts {
		hits, err := s.Search(context.Background(), Query{Prompt: prompt, Floor: 0.3, TurnFloor: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s: %+v\n", prompt, hits)
	}
	return out.String()
}

// stateOf is the state that an error names.
func stateOf(t *testing.T, err error) State {
	t.Helper()
	e := (*Error)(nil)
	if !errors.As(err, &e) {
		t.Fatalf("the error is %T: %v", err, err)
	}
	if e.Cause == "" || strings.Contains(e.Cause, "\n") {
		t.Errorf("the cause is %q", e.Cause)
	}
	return e.State
}
