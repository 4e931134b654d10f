package taskagent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// read reads the wiring of every git directory.
func (w *wiring) read(ctx context.Context) (out wires, err error) {
	out = wires{gits: w.gitDirs("."), files: map[string]wired{}, dirs: map[string]fs.FileMode{}}
	names := append(w.needed(), w.more...)
	for _, dir := range out.gits {
		out.dirs[dir] = 0
		for _, name := range []string{"config", "config.worktree", "commondir", "gitdir", "shallow", "objects/info/alternates", "objects/info/http-alternates"} {
			names = append(names, path.Join(dir, name))
		}
		for _, name := range []string{"hooks", "info"} {
			more, err := w.below(ctx, path.Join(dir, name), out.dirs)
			if err != nil {
				return out, err
			}
			names = append(names, more...)
		}
	}
	for _, name := range names {
		f, ok, err := readWired(w.path(name))
		if err != nil {
			return out, err
		}
		if ok {
			out.files[name] = f
		}
	}
	for dir := range out.dirs {
		info, err := os.Lstat(w.path(dir))
		if err != nil {
			return out, err
		}
		out.dirs[dir] = info.Mode().Perm()
	}
	out.locks, err = w.locked(ctx)
	return out, err
}

func (w *wiring) path(name string) string { return filepath.Join(w.common, filepath.FromSlash(name)) }

// gitDirs are a git directory and those in it: of other working trees, and of
// submodules.
func (w *wiring) gitDirs(dir string) []string {
	out := []string{dir}
	trees, _ := os.ReadDir(w.path(path.Join(dir, "worktrees")))
	for _, d := range trees {
		if d.IsDir() {
			out = append(out, w.gitDirs(path.Join(dir, "worktrees", d.Name()))...)
		}
	}
	_ = filepath.WalkDir(w.path(path.Join(dir, "modules")), func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		if _, err := os.Lstat(filepath.Join(at, "HEAD")); err != nil {
			return nil
		}
		if rel, err := filepath.Rel(w.common, at); err == nil {
			out = append(out, w.gitDirs(filepath.ToSlash(rel))...)
		}
		return fs.SkipDir
	})
	return out
}

// below lists the files of a directory, and notes the directories. A lock is
// of a git that is at work, and info/refs of one that tidies up.
func (w *wiring) below(ctx context.Context, dir string, dirs map[string]fs.FileMode) (names []string, err error) {
	err = filepath.WalkDir(w.path(dir), func(at string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(unlessMissing(err), ctx.Err())
		}
		rel, err := filepath.Rel(w.common, at)
		name := filepath.ToSlash(rel)
		if err == nil && d.IsDir() {
			dirs[name] = 0
		} else if err == nil && !strings.HasSuffix(name, ".lock") && !strings.HasSuffix(name, "info/refs") {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// locked lists the locks. Whose they are can't be told: one that is new may be
// of the person's git at work, or of an agent's that was ended.
func (w *wiring) locked(ctx context.Context) (names []string, err error) {
	for _, name := range []string{"config.lock", "packed-refs.lock", "HEAD.lock", "index.lock"} {
		if _, err := os.Lstat(w.path(name)); err == nil && (w.own != "." || !slices.Contains(ownFiles(), name)) {
			names = append(names, name)
		}
	}
	err = filepath.WalkDir(w.path("refs"), func(at string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(at, ".lock") {
			rel, _ := filepath.Rel(w.common, at) // at lies below it
			names = append(names, filepath.ToSlash(rel))
		}
		return errors.Join(unlessMissing(err), ctx.Err())
	})
	return names, err
}

// readWired reads one file; ok is false for none. What is no file has a type
// and no bytes.
func readWired(at string) (f wired, ok bool, err error) {
	info, err := os.Lstat(at)
	if err != nil {
		return f, false, unlessMissing(err)
	}
	f.mode = info.Mode() & (fs.ModeType | fs.ModePerm)
	switch {
	case f.mode&fs.ModeSymlink != 0:
		f.mode = fs.ModeSymlink
		var to string
		to, err = os.Readlink(at)
		f.data = []byte(to)
	case f.mode.IsRegular() && info.Size() > maxWired:
		f.data = []byte(fmt.Sprint(info.Size(), info.ModTime())) // it can be told, not put back
		f.mode |= fs.ModeIrregular
	case f.mode.IsRegular():
		f.data, err = os.ReadFile(at)
	}
	return f, true, err
}
