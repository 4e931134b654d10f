package index

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/journal"
)

// racy is how much older than the build a file must be for its size and time
// to vouch for it: file systems keep times as coarse as this.
const racy = 2 * time.Second

// Build indexes what the options name into a new generation and makes it the
// one in force, unless nothing has changed. It goes on where the generation
// before can be read: files with the size and time that they had, or else the
// digest, are not analysed again. Progress is told of every file; it may be
// nil. While another process builds the error is ErrBusy. A build that is cut
// off leaves the generation in force as it was.
func Build(ctx context.Context, o Options, progress func(Progress)) (Report, error) {
	release, err := lockDir(o.Dir)
	if err != nil {
		return Report{}, err
	}
	defer release()
	if progress == nil {
		progress = func(Progress) {}
	}
	b := &builder{Options: o, progress: progress, started: o.Now(), next: sources{Turns: map[string]string{}}}
	if err := b.run(ctx); err != nil {
		return Report{}, fmt.Errorf("building the memory index: %w", err)
	}
	return b.report, nil
}

// lockDir makes the directory and takes the builder's lock.
func lockDir(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("building the memory index: %w", err)
	}
	release, ok, err := journal.TryLock(filepath.Join(dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("locking the memory index: %w", err)
	}
	if !ok {
		return nil, ErrBusy
	}
	return release, nil
}

// builder is one build.
type builder struct {
	Options
	progress   func(Progress)
	started    time.Time
	old        *generation // nil: begin from nothing
	last, next sources
	writer     writer
	drop       []string // files whose documents are not taken over
	forget     []string // turns likewise
	records    []record
	report     Report
	newestTurn time.Time
}

func (b *builder) run(ctx context.Context) error {
	b.begin(ctx)
	paths, err := list(ctx, b.Options)
	if err != nil {
		return err
	}
	if err := b.files(ctx, paths); err != nil {
		return err
	}
	if err := b.turns(ctx); err != nil {
		return err
	}
	if b.unchanged() {
		b.report.Generation, b.report.Unchanged = b.old.name, true
		b.report.Sections = b.old.header.Sections
		return b.prune(b.old.name)
	}
	return b.commit(ctx)
}

// begin opens the generation in force, if it can be gone on with.
func (b *builder) begin(ctx context.Context) {
	if b.Fresh {
		return
	}
	_, err := guarded(ctx, func() (bool, error) {
		g, err := openCurrent(ctx, b.Dir)
		if err != nil {
			return false, err
		}
		b.last, err = g.sources(ctx)
		if err == nil {
			b.old = g
		}
		return true, err
	})
	if err != nil {
		b.old, b.last = nil, sources{}
	}
}

// files decides about each file, and drops those that are no longer there.
func (b *builder) files(ctx context.Context, paths []string) error {
	root, err := os.OpenRoot(b.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	before := map[string]file{}
	for _, f := range b.last.Files {
		before[f.Path] = f
	}
	for i, p := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.progress(Progress{Path: p, Done: i, Total: len(paths)})
		last, known := before[p]
		if why := b.file(root, p, last, known); why != nil {
			b.report.Skipped = append(b.report.Skipped, Skipped{p, why.Error()})
			continue
		}
		delete(before, p)
	}
	b.drop = append(b.drop, slices.Sorted(maps.Keys(before))...)
	b.progress(Progress{Done: len(paths), Total: len(paths)})
	return nil
}

// file reuses a file or cuts it into records. An error says why the file has
// no place in the index.
func (b *builder) file(root *os.Root, p string, last file, known bool) error {
	st, err := fit(root, p)
	if err != nil {
		return err
	}
	now := file{Path: p, Size: st.Size(), Time: st.ModTime().UTC()}
	if known && b.vouched(last, now) {
		b.reuse(last)
		return nil
	}
	src, err := read(root, p)
	if err != nil {
		return err
	}
	now.Size, now.Digest = int64(len(src)), digest(string(src))
	if known && now.Digest == last.Digest {
		b.reuse(now)
		return nil
	}
	if known {
		b.drop = append(b.drop, p)
	}
	b.cut(now, src)
	return nil
}

// vouched tells that size and time are those of the build before, and that
// the time is old enough to mean something.
func (b *builder) vouched(last, now file) bool {
	return now.Size == last.Size && now.Time.Equal(last.Time) && now.Time.Before(b.old.header.Built.Add(-racy))
}

// cut makes records of a file.
func (b *builder) cut(f file, src []byte) {
	b.next.Files = append(b.next.Files, f)
	b.report.Files++
	for _, s := range sections(src) {
		b.records = append(b.records, s.record(f.Path))
	}
}

func (b *builder) reuse(f file) {
	b.next.Files = append(b.next.Files, f)
	b.report.Files++
	b.report.Reused++
}

// read reads a file, unless it has no place in an index.
func read(root *os.Root, p string) ([]byte, error) {
	f, err := root.Open(filepath.FromSlash(p))
	if err != nil {
		return nil, errUnfit("it can't be read")
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, errUnfit("it can't be read")
	case len(src) > maxFile:
		return nil, errUnfit("it is larger than 1 MiB")
	case bytes.IndexByte(src, 0) >= 0:
		return nil, errUnfit("it is binary")
	case bytes.Contains(src, []byte("PRIVATE KEY-----")):
		return nil, errUnfit("it holds a private key")
	}
	return src, nil
}

// record is what is indexed of a section. Its key stays when lines are put in
// above it.
func (s section) record(p string) record {
	key := p + "#" + strings.Join(s.trail, " > ")
	title := strings.Join(s.trail, " > ")
	if title == "" {
		title = p
	}
	if s.again > 0 {
		key += fmt.Sprintf("~%d", s.again+1)
	}
	if s.part > 1 {
		key += fmt.Sprintf("/%d", s.part)
	}
	return record{Kind: KindSection, Key: key, Title: title, Body: s.body, Path: p, Line: s.line, Source: fmt.Sprintf("%s:%d", p, s.line)}
}
