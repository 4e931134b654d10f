package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Searcher is an opened index. It does not change; any number of goroutines
// may use it.
type Searcher struct {
	gen *generation
	lex *lexicon
}

// Open opens the generation in force. It takes no lock and builds nothing,
// and does not outlast the context. Errors are *Error.
func Open(ctx context.Context, dir string) (*Searcher, error) {
	return guarded(ctx, func() (*Searcher, error) {
		lex, err := newLexicon()
		if err != nil {
			return nil, err
		}
		g, err := openCurrent(ctx, dir)
		if err != nil {
			return nil, err
		}
		return &Searcher{gen: g, lex: lex}, nil
	})
}

// Info describes an opened index.
type Info struct {
	Generation string
	Built      time.Time
	Sections   int
	Turns      int
	Newest     time.Time // of the indexed turns, zero when there are none
}

// Info says what the index holds.
func (s *Searcher) Info() Info {
	h := s.gen.header
	return Info{Generation: s.gen.name, Built: h.Built, Sections: h.Sections, Turns: h.Turns, Newest: h.Newest}
}

// Changed is an indexed file that is not as it was when it was read.
type Changed struct {
	Path string // relative to the root, with /
	Gone bool   // it is not there
}

// Stale lists the indexed files that are gone or have another size or time
// than when they were read. Files that are new are not seen. Errors are
// *Error.
func (s *Searcher) Stale(ctx context.Context, root string) ([]Changed, error) {
	return guarded(ctx, func() ([]Changed, error) {
		src, err := s.gen.sources(ctx)
		if errors.Is(err, fs.ErrNotExist) { // removed by a later build: there is a newer index
			return nil, nil
		}
		var out []Changed
		for _, f := range src.Files {
			st, err := os.Stat(filepath.Join(root, filepath.FromSlash(f.Path)))
			if err != nil || st.Size() != f.Size || !st.ModTime().Equal(f.Time) {
				out = append(out, Changed{f.Path, errors.Is(err, fs.ErrNotExist)})
			}
			if ctx.Err() != nil {
				return nil, &Error{State: StateSlow, Cause: "its files were not looked at in time", Err: ctx.Err()}
			}
		}
		return out, err
	})
}

// Search answers a query, the most relevant first; among equals documents
// come before turns, then the order is that of paths and lines. Errors are
// *Error.
func (s *Searcher) Search(ctx context.Context, q Query) ([]Hit, error) {
	return guarded(ctx, func() ([]Hit, error) {
		l := &lookup{ctx: ctx, Searcher: s, query: q, question: s.lex.ask(q.Prompt)}
		if len(l.terms) == 0 {
			return nil, nil
		}
		if err := l.run(); err != nil {
			return nil, err
		}
		return l.ranked(), nil
	})
}
