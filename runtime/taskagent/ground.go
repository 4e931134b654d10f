package taskagent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ground is the directories of a tree as they were: putting files back must
// not lead through a link to files elsewhere, nor fail because a directory was
// closed.
type ground struct {
	real  string                 // the root without any link on the way
	modes map[string]fs.FileMode // permissions by path below the root, "." is it
}

// noteGround looks at the directories.
func (s *snapshot) noteGround(ctx context.Context) (err error) {
	if s.ground.real, err = filepath.EvalSymlinks(s.root); err != nil {
		return err
	}
	s.ground.modes = map[string]fs.FileMode{}
	return s.walk(ctx, func(name string, d fs.DirEntry) error {
		if !d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err == nil {
			s.ground.modes[name] = info.Mode().Perm()
		}
		return unlessMissing(err)
	})
}

// putBackGround makes the tree's root the directory that it was, gives the
// directories their permissions, opens those that are new and closed, and
// takes away what git would wait for, or be told by which files to pass over.
// It names what it changed; gone says that the tree's root was not there.
func (s *snapshot) putBackGround(ctx context.Context) (gone bool, names []string, err error) {
	gone, err = firm(s.ground.real)
	if err != nil {
		return gone, nil, err
	}
	if gone {
		names = append(names, ".")
	}
	if now, err := filepath.EvalSymlinks(s.root); err != nil || now != s.ground.real {
		return gone, names, errors.Join(err, fmt.Errorf("%s leads elsewhere now", s.root))
	}
	err = s.walk(ctx, func(name string, d fs.DirEntry) error {
		changed, err := s.putBackEntry(name, d)
		if changed {
			names = append(names, s.shown(name))
		}
		return err
	})
	return gone, names, err
}

// firm makes a path without links a directory again. A link or a file in the
// place of its last element goes; one further up is not ours to judge.
func firm(dir string) (made bool, err error) {
	if up := filepath.Dir(dir); up != dir {
		for _, at := range ancestors(up) {
			info, err := os.Lstat(at)
			if missing(err) {
				break
			}
			if err != nil {
				return false, err
			}
			if !info.IsDir() {
				return false, fmt.Errorf("%s is no directory any more", at)
			}
		}
	}
	info, err := os.Lstat(dir)
	switch {
	case err == nil && info.IsDir():
		return false, nil
	case err == nil:
		err = os.Remove(dir)
	case missing(err):
		err = nil
	}
	return true, errors.Join(err, os.MkdirAll(dir, 0o755))
}

// ancestors are a directory and those it lies in, the topmost first.
func ancestors(dir string) []string {
	out := []string{dir}
	for up := filepath.Dir(dir); up != dir; up = filepath.Dir(dir) {
		dir = up
		out = append(out, dir)
	}
	slices.Reverse(out)
	return out
}

// putBackEntry is putBackGround for one path.
func (s *snapshot) putBackEntry(name string, d fs.DirEntry) (changed bool, err error) {
	at := s.path(name)
	if d.IsDir() {
		info, err := os.Lstat(at)
		if err != nil {
			return false, unlessMissing(err)
		}
		mode, was := s.ground.modes[name]
		if !was {
			mode = info.Mode().Perm() | 0o700
		}
		if info.Mode().Perm() == mode {
			return false, nil
		}
		return was, os.Chmod(at, mode)
	}
	if !strings.HasPrefix(path.Base(name), ".git") {
		return false, nil
	}
	_, was := s.files[name]
	steers := slices.Contains([]string{".gitignore", ".gitattributes"}, path.Base(name))
	if pipe := d.Type()&^fs.ModeSymlink != 0; pipe || steers && !was && !s.may(name) && !s.wasIgnored(name) {
		return true, os.Remove(at)
	}
	return false, nil
}

// walk visits what lies in the tree, a directory before what it holds. It
// leaves out what git ignored as a whole, what is ours, and what can't be read.
func (s *snapshot) walk(ctx context.Context, visit func(name string, d fs.DirEntry) error) error {
	return filepath.WalkDir(s.root, func(at string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return nil // a directory that can't be read, or is gone
		}
		rel, err := filepath.Rel(s.root, at)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if d.IsDir() && (d.Name() == ".git" || s.ignored[name+"/"] || slices.Contains(s.ours, name+"/")) {
			return fs.SkipDir
		}
		return visit(name, d)
	})
}

// copyAll copies until the context ends.
func copyAll(ctx context.Context, w io.Writer, r io.Reader) error {
	_, err := io.Copy(w, reader{ctx, r})
	return err
}

type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
