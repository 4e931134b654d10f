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
	common string   // the shared git directory, without a link on the way
	own    string   // the working tree's own git directory below it, "." when it is that
	more   []string // settings below it that others include
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

// noteWiring looks at it. Included are the paths of settings that others
// include; those that lie elsewhere are left out.
func noteWiring(ctx context.Context, common, own string, included []string) (w *wiring, err error) {
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
	for _, at := range included {
		if rel, err := filepath.Rel(w.common, filepath.Join(w.common, at)); err == nil && filepath.IsLocal(rel) {
			w.more = append(w.more, filepath.ToSlash(rel))
		}
	}
	w.wires, err = w.read(ctx)
	return w, err
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
	more, left, err = w.putBackFiles(root, now)
	left = append(left, strangers(w.gits, now.gits, w.own)...)
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

// putBackFiles sets aside what differs, and writes what was. Upstreams of
// branches are left.
func (w *wiring) putBackFiles(root *os.Root, there wires) (names, left []string, err error) {
	now := there.files
	all := maps.Clone(now)
	maps.Copy(all, w.files)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		old, was := w.files[name]
		f, is := now[name]
		if was == is && f.same(old) || !w.stands(name, there.gits) || slices.Contains(w.needed(), name) && (!was || is && f.mode.Type() == old.mode.Type()) {
			continue
		}
		if was && is && path.Base(name) == "config" && f.mode == old.mode && f.mode.IsRegular() && sameButUpstreams(old.data, f.data) {
			left = append(left, name)
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
	return names, left, err
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
