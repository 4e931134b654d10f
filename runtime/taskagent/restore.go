package taskagent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// maxRounds is how often the tree is looked at again: putting back may show
// files that were not seen before, when an agent had git ignore them.
const maxRounds = 4

// putBack undoes all that is not the task's to change, whether or not the
// call's own time is over, and notes it.
func (s *snapshot) putBack(ctx context.Context, rep *report) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackLimit)
	defer cancel()
	if rep.putBack == nil {
		rep.putBack, rep.meanwhile = map[string]bool{}, map[string]bool{}
	}
	rep.beyond = nil
	gone, names, err := s.putBackGround(ctx)
	rep.note(names)
	if err != nil {
		return fmt.Errorf("putting directories back: %w", err)
	}
	if s.git != nil {
		if err := s.putBackRepository(ctx, rep); err != nil {
			return fmt.Errorf("putting the repository back: %w", err)
		}
	}
	if s.theirs != nil {
		names, err := s.theirs.moved(ctx)
		rep.left(names)
		if err != nil {
			return fmt.Errorf("looking at %s: %w", s.theirs.root, err)
		}
	}
	for range maxRounds {
		own, foreign, err := s.changes(ctx)
		if err != nil {
			return fmt.Errorf("looking for changes: %w", err)
		}
		if s.changed = own; len(foreign) == 0 && gone {
			return errors.New("its working directory was taken away, with the files that it was to change")
		}
		if len(foreign) == 0 {
			return nil
		}
		for _, name := range foreign {
			rep.putBack[s.shown(name)] = true
		}
		if err := s.restore(ctx, foreign); err != nil {
			return err
		}
	}
	return errors.New("putting files back: they are changed again and again")
}

// putBackRepository sets the repository back: first what git would read and
// run, then what git itself can set.
func (s *snapshot) putBackRepository(ctx context.Context, rep *report) error {
	w := s.git.wiring
	names, left, err := w.putBack(ctx)
	rep.overstep(inGit(w.own, names))
	rep.left(inGit(".", left))
	if w.kept {
		rep.aside = w.path(w.aside)
	}
	if err != nil {
		return err
	}
	names, err = s.git.putBack(ctx)
	rep.note(names)
	if err != nil {
		return err
	}
	names, left, err = s.git.putBackRefs(ctx)
	rep.overstep(names)
	if s.theirs != nil { // it is looked at by itself
		left = slices.DeleteFunc(left, func(name string) bool { return name == s.theirs.root })
	}
	rep.left(left)
	return err
}

// overstep notes what was put back of the repository that is not the working
// tree's alone.
func (rep *report) overstep(names []string) {
	rep.beyond = append(rep.beyond, names...)
	rep.note(names)
}

// left notes what was changed and left as it is.
func (rep *report) left(names []string) {
	for _, name := range names {
		rep.meanwhile[name] = true
	}
}

// note notes what was put back.
func (rep *report) note(names []string) {
	for _, name := range names {
		rep.putBack[name] = true
	}
}

// restore writes files as they were, and removes those that were not.
func (s *snapshot) restore(ctx context.Context, names []string) error {
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return fmt.Errorf("putting files back: %w", err)
	}
	defer root.Close()
	for _, name := range names {
		if err := s.restoreOne(ctx, root, name); err != nil {
			return fmt.Errorf("putting back %s: %w", s.shown(name), err)
		}
	}
	return nil
}

func (s *snapshot) restoreOne(ctx context.Context, root *os.Root, name string) error {
	f, was := s.files[name]
	name = strings.TrimSuffix(name, "/")
	if !was {
		return s.remove(root, name)
	}
	if f.mode.IsDir() {
		return errors.New("it was a repository of its own")
	}
	var data []byte
	if f.mode.IsRegular() {
		var err error
		if data, err = s.content(ctx, f); err != nil {
			return err
		}
	}
	if err := clearWay(root, name); err != nil {
		return err
	}
	if f.mode&fs.ModeSymlink != 0 {
		return root.Symlink(f.sum, name)
	}
	if err := root.WriteFile(name, data, f.mode.Perm()|0o200); err != nil {
		return err
	}
	return root.Chmod(name, f.mode.Perm())
}

// content is what a file held.
func (s *snapshot) content(ctx context.Context, f file) ([]byte, error) {
	if f.copy != "" {
		data, err := os.ReadFile(f.copy)
		if err == nil && s.sum(data) != f.sum {
			err = errors.New("its copy was changed")
		}
		return data, err
	}
	if !f.blob {
		return nil, errors.New("it was not kept")
	}
	return s.git.blob(ctx, f)
}

// clearWay makes the directories of a path, and takes away what stands in
// their place or in the path's own: a link there would lead elsewhere.
func clearWay(root *os.Root, name string) error {
	for i, c := range name {
		if c != '/' {
			continue
		}
		info, err := root.Lstat(name[:i])
		if err == nil && !info.IsDir() {
			err = root.Remove(name[:i])
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := root.Mkdir(name[:i], 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return root.RemoveAll(name)
}

// remove takes away a file that was not there, and the directories that are
// empty then.
func (s *snapshot) remove(root *os.Root, name string) error {
	if err := root.RemoveAll(name); err != nil && !missing(err) {
		return err
	}
	for dir := path.Dir(name); dir != "." && !s.dirs[dir]; dir = path.Dir(dir) {
		if root.Remove(dir) != nil {
			break // it holds something
		}
	}
	return nil
}
