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
	"sync"
	"time"
)

// Limits of what is kept to be put back. More of it would take longer to keep
// than an agent takes to work.
const (
	maxKept  = 1 << 30 // bytes copied
	maxFiles = 20_000  // files outside of a repository
)

// putBackLimit is the time that putting back may take. It is given also when
// the call's own time is over.
const putBackLimit = time.Minute

// snapshot is the working tree as it was before a call: in a repository all
// that git tracks and does not ignore, elsewhere all below the working
// directory.
type snapshot struct {
	task    *task
	root    string // of what is watched, absolute
	base    string // the task's directory below root, "." when it is that
	git     *gitState
	ground  ground
	theirs  *snapshot       // the person's tree, nil when it is this one
	files   map[string]file // by path below root, with slashes
	dirs    map[string]bool // the directories on the way to them
	ignored map[string]bool // what git ignored, directories with a slash at the end
	ours    []string        // directories of our own below root, with a slash at the end
	store   string          // the directory of copies, "" as long as there is none
	kept    int64           // bytes copied
	changed []string        // what the task has changed so far, below its directory
}

// file is one file as it was: enough to know another one from it, and to
// write it again.
type file struct {
	mode fs.FileMode // type and permissions
	sum  string      // git's digest of a regular file, or where a link leads
	size int64
	time time.Time
	blob bool   // the repository has the content under sum
	copy string // where a copy is, "" for none
}

// same tells whether two files are one. What git does not follow into, a
// repository of its own, is always the same.
func (f file) same(g file) bool { return f.mode == g.mode && f.sum == g.sum }

// snapshot looks at the tree. What the task may not change is kept.
func (t *task) snapshot(ctx context.Context) (_ *snapshot, err error) {
	s := &snapshot{task: t, root: t.dir, base: "."}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("looking at the working directory: %w", err), s.forget())
		}
	}()
	if err := s.openRepository(ctx); err != nil {
		return nil, err
	}
	if err := s.leaveRecords(); err != nil {
		return nil, err
	}
	if err := s.noteGround(ctx); err != nil {
		return nil, err
	}
	if s.files, err = s.scan(ctx); err != nil {
		return nil, err
	}
	if s.git != nil {
		if err := s.git.noteShared(ctx); err != nil {
			return nil, err
		}
	}
	if s.theirs, err = t.neighbour(ctx, s); err != nil {
		return nil, err
	}
	return s, s.keepAll()
}

// keepAll keeps what may have to be put back, and notes the directories.
func (s *snapshot) keepAll() error {
	blobs := s.git.blobs()
	s.dirs = map[string]bool{s.base: true}
	for name, f := range s.files {
		s.noteDirs(name)
		if s.may(name) || !f.mode.IsRegular() {
			continue
		}
		if f.blob = blobs[f.sum]; !f.blob {
			if err := s.keep(name, &f); err != nil {
				return err
			}
		}
		s.files[name] = f
	}
	s.noteDirs(s.base)
	return nil
}

func (s *snapshot) noteDirs(name string) {
	for dir := path.Dir(name); dir != "." && !s.dirs[dir]; dir = path.Dir(dir) {
		s.dirs[dir] = true
	}
}

// may tells whether the task may change a path below root.
func (s *snapshot) may(name string) bool { return s.task.may(s.shown(name)) }

// shown is a path below root as the task's directory sees it.
func (s *snapshot) shown(name string) string {
	if s.base == "." {
		return name
	}
	rel, err := filepath.Rel(filepath.FromSlash(s.base), filepath.FromSlash(name))
	if err != nil {
		return name // both are relative
	}
	return filepath.ToSlash(rel)
}

// scan looks at every watched file.
func (s *snapshot) scan(ctx context.Context) (map[string]file, error) {
	names, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	names = s.watched(names)
	looks := make([]look, len(names))
	var wg sync.WaitGroup
	for first := range lookers {
		wg.Go(func() {
			for i := first; i < len(names); i += lookers {
				looks[i] = s.look(ctx, names[i])
			}
		})
	}
	wg.Wait()
	out := map[string]file{}
	for i, l := range looks {
		if l.err != nil {
			return nil, l.err
		}
		if l.ok {
			out[names[i]] = l.file
		}
	}
	return out, ctx.Err()
}

// lookers is how many files are read at once: a disk serves a few together
// faster than one after the other.
const lookers = 8

// watched are the names that lie in the tree, each once, with the task's own,
// which git may ignore.
func (s *snapshot) watched(names []string) []string {
	for _, f := range s.task.files {
		names = append(names, path.Join(s.base, f))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	seen := map[string]bool{".": true}
	return slices.DeleteFunc(names, func(name string) bool {
		return !s.within(path.Dir(strings.TrimSuffix(name, "/")), seen) || s.wasIgnored(name) || s.isOurs(name)
	})
}

// leaveRecords keeps kitsoki's records out of sight: they grow meanwhile.
func (s *snapshot) leaveRecords() error {
	dir := s.task.runner.Records
	if dir == "" {
		return nil
	}
	return unlessMissing(s.leaveOut(dir))
}

// leaveOut keeps a directory of our own out of sight: it may lie in the tree,
// as that for temporary files sometimes does.
func (s *snapshot) leaveOut(dir string) error {
	if s.theirs != nil {
		if err := s.theirs.leaveOut(dir); err != nil {
			return err
		}
	}
	root, err1 := filepath.EvalSymlinks(s.root)
	dir, err2 := filepath.EvalSymlinks(dir)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
		s.ours = append(s.ours, filepath.ToSlash(rel)+"/")
	}
	return nil
}

func (s *snapshot) isOurs(name string) bool {
	return slices.ContainsFunc(s.ours, func(dir string) bool { return strings.HasPrefix(name, dir) })
}

// names lists what is watched.
func (s *snapshot) names(ctx context.Context) ([]string, error) {
	if s.git != nil {
		return s.gitNames(ctx)
	}
	var out []string
	err := filepath.WalkDir(s.root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if len(out) == maxFiles {
			return fmt.Errorf("it has more than %d files and is no repository", maxFiles)
		}
		rel, err := filepath.Rel(s.root, at)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	return out, err
}

// look is a file as it is; ok is false for none, and for what is neither a
// regular file, a link nor a repository of its own.
type look struct {
	file file
	ok   bool
	err  error
}

func (s *snapshot) look(ctx context.Context, name string) look {
	nested := strings.HasSuffix(name, "/")
	name = strings.TrimSuffix(name, "/")
	info, err := os.Lstat(s.path(name))
	if err != nil {
		return look{err: unlessMissing(err)}
	}
	f := file{mode: info.Mode() & (fs.ModeType | fs.ModePerm), size: info.Size()}
	switch {
	case f.mode.IsRegular():
		f.time = info.ModTime()
		if was, large := s.files[name], f.size > maxKept && s.files != nil; large && f.size == was.size && f.time.Equal(was.time) {
			f.sum = was.sum
		} else if large {
			f.sum = tooLarge
		} else if f.sum, err = s.digest(ctx, name, f.size); errors.Is(err, fs.ErrPermission) {
			f.sum, err = unreadable, nil
		}
	case f.mode&fs.ModeType == fs.ModeSymlink:
		f.mode = fs.ModeSymlink
		f.sum, err = os.Readlink(s.path(name))
	case !nested || !f.mode.IsDir():
		return look{}
	default:
		f.mode = fs.ModeDir
	}
	return look{f, err == nil, err}
}

// within tells whether a directory lies in the tree itself, and not behind a
// link. Seen holds what is known already.
func (s *snapshot) within(dir string, seen map[string]bool) bool {
	is, known := seen[dir]
	if !known {
		if s.within(path.Dir(dir), seen) {
			info, err := os.Lstat(s.path(dir))
			is = err == nil && info.IsDir()
		}
		seen[dir] = is
	}
	return is
}

func (s *snapshot) path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

// wasIgnored tells of a file that git ignored and the task does not name. It
// may show when the rules change, and is nobody's to remove.
func (s *snapshot) wasIgnored(name string) bool {
	if _, named := s.files[name]; named || slices.Contains(s.task.files, s.shown(name)) {
		return false
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if s.ignored[dir+"/"] {
			return true
		}
	}
	return s.ignored[name]
}

// unreadable is the digest of a file that may not be read, tooLarge that of a
// large one that has changed: reading it could take hours.
const (
	unreadable = "unreadable"
	tooLarge   = "too large"
)

// missing also tells the error of a path that leads through a file.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || isNotDir(err)
}

func unlessMissing(err error) error {
	if missing(err) {
		return nil
	}
	return err
}

// keep copies a file's content aside.
func (s *snapshot) keep(name string, f *file) error {
	if s.kept += f.size; s.kept > maxKept {
		return fmt.Errorf("more than %d MiB would have to be kept to be put back", maxKept>>20)
	}
	if s.store == "" {
		dir, err := os.MkdirTemp(s.task.runner.Temp, "kitsoki-kept-")
		if err != nil {
			return err
		}
		s.store = dir
		if err := s.leaveOut(dir); err != nil {
			return err
		}
	}
	data, err := os.ReadFile(s.path(name))
	if err != nil {
		return err
	}
	f.copy = filepath.Join(s.store, fmt.Sprint(len(data), "-", f.sum))
	return os.WriteFile(f.copy, data, 0o600)
}

// forget removes what was kept.
func (s *snapshot) forget() (err error) {
	if s.git != nil && s.git.wiring != nil {
		err = s.git.wiring.forget()
	}
	if s.store != "" {
		err = errors.Join(err, os.RemoveAll(s.store))
	}
	return err
}

// changes compares the tree with what it was: what the task may have
// changed, and what it may not.
func (s *snapshot) changes(ctx context.Context) (own, foreign []string, err error) {
	now, err := s.scan(ctx)
	if err != nil {
		return nil, nil, err
	}
	differ := func(name string) {
		if s.may(name) {
			own = append(own, s.shown(name))
		} else {
			foreign = append(foreign, name)
		}
	}
	for name, f := range s.files {
		if g, ok := now[name]; !ok || !f.same(g) {
			differ(name)
		}
	}
	for name := range now {
		if _, ok := s.files[name]; !ok {
			differ(name)
		}
	}
	slices.Sort(own)
	slices.Sort(foreign)
	return own, foreign, nil
}
