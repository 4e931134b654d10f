package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kitsoki/runtime/journal"
	"kitsoki/runtime/text"
)

// commit writes the generation and switches to it.
func (b *builder) commit(ctx context.Context) (err error) {
	name, err := b.nextName()
	if err != nil {
		return err
	}
	tmp := filepath.Join(b.Dir, unfinished+name)
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(tmp))
		}
	}()
	if err := errors.Join(os.RemoveAll(tmp), os.Mkdir(tmp, 0o700)); err != nil {
		return err
	}
	if err := b.write(ctx, tmp); err != nil {
		return err
	}
	return b.switchTo(name, tmp)
}

// nextName is a generation's name that was not used yet.
func (b *builder) nextName() (string, error) {
	entries, err := os.ReadDir(b.Dir)
	n := 0
	for _, d := range entries {
		n = max(n, generationNumber(d.Name()))
	}
	return generationName(n + 1), err
}

// switchTo gives a generation its name and makes it the one in force.
func (b *builder) switchTo(name, tmp string) error {
	if err := os.Rename(tmp, filepath.Join(b.Dir, name)); err != nil {
		return err
	}
	if err := journal.ReplaceForGood(filepath.Join(b.Dir, pointerName), []byte(name+"\n"), 0o600); err != nil {
		return err
	}
	b.report.Generation = name
	return b.prune(name)
}

// unchanged tells that the generation in force is what would be written.
func (b *builder) unchanged() bool {
	return b.old != nil && len(b.records)+len(b.drop)+len(b.forget) == 0 &&
		slices.EqualFunc(b.next.Files, b.last.Files, func(a, b file) bool { return a.Path == b.Path && a.Size == b.Size && a.Time.Equal(b.Time) })
}

// write fills the directory of a generation, its header last.
func (b *builder) write(ctx context.Context, dir string) error {
	if err := b.analyse(ctx); err != nil {
		return err
	}
	segment, err := b.writer.write(ctx, filepath.Join(dir, segmentName))
	if err != nil {
		return err
	}
	h := header{
		Analysis: analysisVersion, Text: text.Version, Built: b.started.UTC(),
		Turns: len(b.next.Turns), Newest: b.newestTurn.UTC(), Segment: segment,
	}
	if segment != nil {
		h.Sections = int(segment.Docs) - h.Turns
	}
	b.report.Sections = h.Sections
	return b.seal(dir, h)
}

// analyse hands the writer what stays, and what is new.
func (b *builder) analyse(ctx context.Context) (err error) {
	if b.writer.lex, err = newLexicon(); err != nil {
		return err
	}
	if err := b.writer.keep(b.old, b.drop, b.forget); err != nil {
		return err
	}
	for _, r := range b.records {
		if err := errors.Join(b.writer.add(r), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// seal writes the sources, and the header that vouches for all.
func (b *builder) seal(dir string, h header) error {
	raw, err := json.Marshal(b.next)
	if err != nil {
		return err
	}
	h.Sources = sum{Size: int64(len(raw)), CRC: crc32.Checksum(raw, castagnoli())}
	if err := journal.ReplaceForGood(filepath.Join(dir, sourcesName), raw, 0o600); err != nil {
		return err
	}
	if raw, err = h.encode(); err != nil {
		return err
	}
	return journal.ReplaceForGood(filepath.Join(dir, headerName), raw, 0o600)
}

// prune removes what is neither the generation in force nor the one before,
// which somebody may be opening at this moment; readers hold what they have
// opened in memory. A fresh index is the only one. What can't be removed is left for the next build.
func (b *builder) prune(current string) error {
	entries, err := os.ReadDir(b.Dir)
	if err != nil {
		return err
	}
	before := ""
	if !b.Fresh {
		before = b.before(entries, current)
	}
	for _, d := range entries {
		name := d.Name()
		if (generationNumber(name) > 0 && name != current && name != before) || strings.HasPrefix(name, unfinished) {
			_ = os.RemoveAll(filepath.Join(b.Dir, name))
		}
	}
	return nil
}

// before is the generation that was in force last: the one that was gone on
// with, else the newest of the others.
func (b *builder) before(entries []os.DirEntry, current string) string {
	if b.old != nil && b.old.name != current {
		return b.old.name
	}
	name := ""
	for _, d := range entries { // sorted
		if n := generationNumber(d.Name()); n > 0 && n < generationNumber(current) {
			name = d.Name()
		}
	}
	return name
}

// digest is a short name for a text's content.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		h.Write([]byte(t))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
