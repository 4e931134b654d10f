package taskagent

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// asideDir is where, below a repository's git directory, what stood in the
// place of what was put back is kept.
const asideDir = "kitsoki-put-back"

// maxWired is the most that a file of a repository's wiring may hold, in bytes.
const maxWired = 64 << 20

// wiring is what decides, in a git directory that all working trees share,
// which programs git starts and where it finds objects: configuration, hooks,
// attributes, the ways from one directory to another. What an agent plants
// there would be run by our next git, and by the person's.
//
// It is put back although the person may have changed it at the same time:
// nothing of theirs is lost, because what stood there is set aside, and a
// planted program is the worse end.
type wiring struct {
	common string // the shared git directory, without a link on the way
	own    string // the working tree's own git directory below it, "." when it is that
	wires
	aside  string // where things are set aside, "" as long as there is none
	asides int    // places made in it
	kept   bool   // something was set aside
}

// wires is what there is of it.
type wires struct {
	gits  []string               // the git directories: the shared one, those of working trees and of submodules
	files map[string]wired       // in them
	dirs  map[string]fs.FileMode // permissions of the directories that hold them
	locks []string               // the locks that keep another git from working
}

// wired is one file: its type and permissions, and its bytes or where it leads.
type wired struct {
	mode fs.FileMode
	data []byte
}

func (f wired) same(g wired) bool { return f.mode == g.mode && bytes.Equal(f.data, g.data) }

// needed are files that git cannot do without. Git itself changes them, so
// that they are put back only when they are gone or no files any more.
func (w *wiring) needed() []string {
	return []string{"HEAD", "packed-refs", path.Join(w.own, "HEAD"), path.Join(w.own, "locked")}
}

// noteWiring looks at it.
func noteWiring(ctx context.Context, common, own string) (w *wiring, err error) {
	w = &wiring{own: "."}
	if w.common, err = filepath.EvalSymlinks(common); err != nil {
		return nil, err
	}
	if own, err = filepath.EvalSymlinks(own); err != nil {
		return nil, err
	}
	if rel, err := filepath.Rel(w.common, own); err == nil && filepath.IsLocal(rel) {
		w.own = filepath.ToSlash(rel)
	}
	w.wires, err = w.read(ctx)
	return w, err
}

// read reads the wiring of every git directory.
func (w *wiring) read(ctx context.Context) (out wires, err error) {
	out = wires{gits: w.gitDirs("."), files: map[string]wired{}, dirs: map[string]fs.FileMode{}}
	names := w.needed()
	for _, dir := range out.gits {
		out.dirs[dir] = 0
		for _, name := range []string{"config", "config.worktree", "commondir", "gitdir", "objects/info/alternates", "objects/info/http-alternates"} {
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

// putBack sets the wiring back without a git, which would read it. It names
// what it changed, and what it left: directories that came and went, and locks.
func (w *wiring) putBack(ctx context.Context) (names, left []string, err error) {
	for _, dir := range ancestors(w.common) {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			return nil, nil, errors.Join(fmt.Errorf("%s is no directory any more", dir), unlessMissing(err))
		}
	}
	root, err := os.OpenRoot(w.common)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	if names, err = w.putBackDirs(root); err != nil {
		return names, nil, err
	}
	more, err := w.unplug(ctx, root)
	if names = append(names, more...); err != nil {
		return names, nil, err
	}
	now, err := w.read(ctx)
	if err != nil {
		return names, nil, err
	}
	more, err = w.putBackFiles(root, now)
	left = strangers(w.gits, now.gits, w.own)
	for _, lock := range now.locks {
		if !slices.Contains(w.locks, lock) {
			left = append(left, lock)
		}
	}
	return append(names, more...), left, err
}

// putBackDirs gives the directories their permissions: a closed one can't be
// looked into.
func (w *wiring) putBackDirs(root *os.Root) (names []string, err error) {
	for _, dir := range slices.Sorted(maps.Keys(w.dirs)) {
		info, err := os.Lstat(w.path(dir))
		if err != nil || !info.IsDir() || info.Mode().Perm() == w.dirs[dir] {
			continue // what is gone is made again with its files
		}
		if err := root.Chmod(dir, w.dirs[dir]); err != nil {
			return names, err
		}
		names = append(names, dir)
	}
	return names, nil
}

// unplug sets aside what git would open and wait for, in the places of files
// that git reads and writes.
func (w *wiring) unplug(ctx context.Context, root *os.Root) (names []string, err error) {
	var found []string
	for _, dir := range slices.Compact([]string{".", w.own}) {
		for _, name := range append(ownFiles(), "index") {
			if info, err := os.Lstat(w.path(path.Join(dir, name))); err == nil && !info.Mode().IsRegular() {
				found = append(found, path.Join(dir, name))
			}
		}
		for _, name := range []string{"refs", "logs"} {
			err = errors.Join(err, filepath.WalkDir(w.path(path.Join(dir, name)), func(at string, d fs.DirEntry, err error) error {
				if err == nil && d.Type()&^(fs.ModeSymlink|fs.ModeDir) != 0 {
					rel, _ := filepath.Rel(w.common, at) // at lies below it
					found = append(found, filepath.ToSlash(rel))
				}
				return errors.Join(unlessMissing(err), ctx.Err())
			}))
		}
	}
	for _, name := range found {
		names = append(names, name)
		err = errors.Join(err, w.setAside(root, name))
	}
	return names, err
}

// putBackFiles sets aside what differs, and writes what was.
func (w *wiring) putBackFiles(root *os.Root, there wires) (names []string, err error) {
	now := there.files
	all := maps.Clone(now)
	maps.Copy(all, w.files)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		old, was := w.files[name]
		f, is := now[name]
		if was == is && f.same(old) || !w.stands(name, there.gits) || slices.Contains(w.needed(), name) && (!was || is && f.mode.Type() == old.mode.Type()) {
			continue
		}
		names = append(names, name)
		if is && !(was && f.mode.IsRegular() && old.mode.IsRegular()) {
			err = errors.Join(err, w.setAside(root, name))
		}
	}
	for _, name := range names {
		if old, was := w.files[name]; was {
			err = errors.Join(err, w.write(root, name, old))
		}
	}
	return names, err
}

// stands tells whether a file lies in a git directory that was there before,
// and is still. The one of the working tree itself is made again.
func (w *wiring) stands(name string, now []string) bool {
	in := "."
	for _, dir := range slices.Concat(w.gits, now) {
		if strings.HasPrefix(name, dir+"/") && len(dir) > len(in) {
			in = dir
		}
	}
	return in == "." || in == w.own || slices.Contains(w.gits, in) && slices.Contains(now, in)
}

// strangers are the git directories that came and went. What they hold is
// left alone.
func strangers(before, now []string, own string) (left []string) {
	for _, dir := range now {
		if !slices.Contains(before, dir) {
			left = append(left, dir)
		}
	}
	for _, dir := range before {
		if !slices.Contains(now, dir) && dir != own {
			left = append(left, dir)
		}
	}
	return left
}

// setAside moves something to where it harms nobody. Nothing is removed: it
// may be the person's.
func (w *wiring) setAside(root *os.Root, name string) error {
	to, err := w.room(root, name)
	if err != nil {
		return err
	}
	w.kept = true
	return root.Rename(name, to)
}

// forget removes the place where nothing was set aside.
func (w *wiring) forget() error {
	if w.kept || w.aside == "" {
		return nil
	}
	err := os.RemoveAll(w.path(w.aside))
	_ = os.Remove(w.path(asideDir)) // unless it holds more
	return err
}

// room makes a place for something to be set aside, for each thing another.
func (w *wiring) room(root *os.Root, name string) (string, error) {
	if w.aside == "" {
		w.aside = path.Join(asideDir, rand.Text())
	}
	w.asides++
	to := path.Join(w.aside, strconv.Itoa(w.asides), name)
	return to, root.MkdirAll(path.Dir(to), 0o700)
}

// write writes a file as it was. One that stands there is at each moment
// either of the two, and is kept.
func (w *wiring) write(root *os.Root, name string, f wired) error {
	if err := w.way(root, name); err != nil {
		return err
	}
	if f.mode&fs.ModeSymlink != 0 {
		return root.Symlink(string(f.data), name)
	}
	if !f.mode.IsRegular() {
		return fmt.Errorf("%s was no file that can be put back", name)
	}
	fresh, err := w.room(root, name+".new")
	if err != nil {
		return err
	}
	if err := writeWired(root, fresh, f); err != nil {
		return err
	}
	if _, err := root.Lstat(name); err == nil {
		to, err := w.room(root, name)
		if err != nil {
			return err
		}
		if w.kept = true; root.Link(name, to) != nil {
			err = root.Rename(name, to) // a file system without links
		}
		if err != nil {
			return err
		}
	}
	return root.Rename(fresh, name)
}

func writeWired(root *os.Root, name string, f wired) error {
	out, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(f.data)
	return errors.Join(err, out.Chmod(f.mode.Perm()), out.Sync(), out.Close())
}

// way makes the directories of a path, and sets aside what stands in their
// place, or as something else in the path's own.
func (w *wiring) way(root *os.Root, name string) error {
	for i, c := range name + "/" {
		if c != '/' {
			continue
		}
		at := name[:i]
		info, err := root.Lstat(at)
		last := i == len(name)
		if err == nil && (last && !info.Mode().IsRegular() || !last && !info.IsDir()) {
			if err := w.setAside(root, at); err != nil {
				return err
			}
			err = fs.ErrNotExist
		}
		if err != nil && !last {
			mode, was := w.dirs[at]
			if !was {
				mode = 0o755
			}
			if err := root.Mkdir(at, mode); err != nil {
				return err
			}
		}
	}
	return nil
}
