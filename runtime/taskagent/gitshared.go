package taskagent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kitsoki/runtime/journal"
)

// shared is a file of the git directory that all working trees share.
type shared struct {
	data []byte
	mode fs.FileMode
}

// maxShared is how large such a file may be to be watched, in bytes.
const maxShared = 4 << 20

// steering are the files of a repository that name programs, and so would have
// the next git run what a task agent has planted; see githooks(5),
// git-config(1) and gitattributes(5). A directory stands for the files in it.
func steering() []string {
	return []string{"config", "config.worktree", "hooks", "info", "objects/info"}
}

// steers reads them. The working tree's own are among them where it has its
// own directory.
func (g *gitState) steers() (map[string]shared, error) {
	out := map[string]shared{}
	places := []string{filepath.Join(g.dir, "config.worktree")}
	for _, name := range steering() {
		places = append(places, filepath.Join(g.common, filepath.FromSlash(name)))
	}
	for _, place := range places {
		err := filepath.WalkDir(place, func(at string, d fs.DirEntry, err error) error {
			if missing(err) {
				return nil
			}
			if err != nil || d.IsDir() || strings.HasSuffix(at, putAway) {
				return err
			}
			f, err := readShared(at)
			if err == nil {
				out[at] = f
			}
			return unlessMissing(err)
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readShared reads one file, of a link where it leads.
func readShared(at string) (shared, error) {
	info, err := os.Lstat(at)
	if err != nil {
		return shared{}, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		to, err := os.Readlink(at)
		return shared{[]byte(to), fs.ModeSymlink}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxShared {
		return shared{[]byte(fmt.Sprint(info.Size())), info.Mode()}, nil
	}
	data, err := os.ReadFile(at)
	return shared{data, info.Mode()}, err
}

// putAway ends the name of what was found changed and is kept beside: git runs
// and reads nothing of that name, and where a person has made the change, it is
// not lost.
const putAway = ".put-back"

// putBackSteering brings back what would steer git.
func (g *gitState) putBackSteering(context.Context) (names []string, err error) {
	now, err := g.steers()
	if err != nil {
		return nil, err
	}
	for _, at := range slices.Sorted(maps.Keys(now)) {
		was, had := g.steering[at]
		if had && was.mode == now[at].mode && bytes.Equal(was.data, now[at].data) {
			continue
		}
		names = append(names, g.shownShared(at))
		err = errors.Join(err, os.Rename(at, at+putAway))
	}
	for _, at := range slices.Sorted(maps.Keys(g.steering)) {
		if _, err := os.Lstat(at); err == nil {
			continue
		}
		if name := g.shownShared(at); !slices.Contains(names, name) {
			names = append(names, name)
		}
		err = errors.Join(err, g.steering[at].write(at))
	}
	return names, err
}

func (g *gitState) shownShared(at string) string {
	rel, err := filepath.Rel(g.common, at)
	if err != nil {
		return at
	}
	return ".git/" + filepath.ToSlash(rel)
}

func (f shared) write(at string) error {
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	switch {
	case f.mode&fs.ModeSymlink != 0:
		return os.Symlink(string(f.data), at)
	case !f.mode.IsRegular():
		return fmt.Errorf("%s was no plain file", at)
	}
	return journal.ReplaceForGood(at, f.data, f.mode.Perm())
}
