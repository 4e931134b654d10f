package taskagent

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/host"
	"kitsoki/runtime/journal"
)

// gitState is where a repository stood: HEAD with its branch, the index, and
// the operation in progress.
type gitState struct {
	task    *task
	root    string // of the working tree, absolute
	dir     string // its git directory, absolute
	sha256  bool   // objects are named by SHA-256
	ref     string // what HEAD names, "" when it is detached
	head    string // the commit, "" before the first one
	entries string // what the index says
	index   []byte // its file, nil for none
	files   map[string][]byte
	began   time.Time // when this was noted
	common  string    // the git directory that all working trees share, absolute
	wiring  *wiring   // nil where the repository is only looked at
	refs    refs      // likewise
	link    []byte    // the file that leads from the working tree to dir, nil when dir lies in it
}

// ownFiles are the files of a working tree's git directory that say what is
// going on in it. See gitrepository-layout(5), and wt_status_get_state in git's
// wt-status.c.
func ownFiles() []string {
	return []string{
		"MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "MERGE_RR", "AUTO_MERGE", "MERGE_AUTOSTASH", "SQUASH_MSG",
		"CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "BISECT_START", "BISECT_LOG", "BISECT_TERMS", "BISECT_NAMES",
		"ORIG_HEAD",
	}
}

// ownLocks are those that a killed git leaves there.
func ownLocks() []string { return []string{"HEAD.lock", "index.lock"} }

func ownDirs() []string { return []string{"rebase-merge", "rebase-apply", "sequencer"} }

// note looks where the repository stands.
func (g *gitState) note(ctx context.Context) (err error) {
	if g.ref, g.head, err = g.where(ctx); err != nil {
		return err
	}
	if g.entries, err = g.staged(ctx); err != nil {
		return err
	}
	if g.index, err = os.ReadFile(filepath.Join(g.dir, "index")); err != nil && !missing(err) {
		return err
	}
	if g.link, err = readLink(g.root); err != nil {
		return err
	}
	g.began = time.Now()
	g.files, err = g.operation()
	return err
}

// noteShared looks at what all working trees share.
func (g *gitState) noteShared(ctx context.Context) (err error) {
	included, err := g.ask(ctx, "config", "--local", "--no-includes", "-z", "--get-regexp", `^include(if\..*)?\.path$`)
	if err != nil {
		return err
	}
	var paths []string
	for _, rec := range host.Records(included) {
		if _, at, ok := strings.Cut(rec, "\n"); ok && !filepath.IsAbs(at) && !strings.HasPrefix(at, "~") {
			paths = append(paths, at)
		}
	}
	if g.wiring, err = noteWiring(ctx, g.common, g.dir, paths); err != nil {
		return err
	}
	g.refs, err = g.noteRefs(ctx)
	return err
}

// readLink reads the file .git of a linked working tree, nil for none.
func readLink(root string) ([]byte, error) {
	at := filepath.Join(root, ".git")
	if info, err := os.Lstat(at); err != nil || !info.Mode().IsRegular() {
		return nil, unlessMissing(err)
	}
	return os.ReadFile(at)
}

// where is what HEAD names and its commit.
func (g *gitState) where(ctx context.Context) (ref, head string, err error) {
	if ref, err = g.ask(ctx, "symbolic-ref", "-q", "HEAD"); err != nil {
		return "", "", err
	}
	head, err = g.ask(ctx, "rev-parse", "-q", "--verify", "HEAD^{commit}")
	return ref, head, err
}

// ask runs git for a value that need not be there: "" then. Git says with
// status 1 that it is not. Every other end but success, such as a signal, says
// nothing.
func (g *gitState) ask(ctx context.Context, args ...string) (string, error) {
	res, err := g.run(ctx, args...)
	switch {
	case err != nil:
		return "", err
	case res.Signal == "" && res.ExitCode == 1:
		return "", nil
	case !res.OK():
		return "", gitError(args[0], res)
	}
	return strings.TrimSpace(string(res.Stdout)), nil
}

// staged is what the index says, without what it only remembers of files.
func (g *gitState) staged(ctx context.Context) (string, error) {
	return g.must(ctx, "ls-files", "-s", "-v", "-z")
}

// operation reads the files that say what is going on.
func (g *gitState) operation() (map[string][]byte, error) {
	out := map[string][]byte{}
	names := ownFiles()
	for _, dir := range ownDirs() {
		err := filepath.WalkDir(filepath.Join(g.dir, dir), func(at string, d fs.DirEntry, err error) error {
			if missing(err) {
				return nil
			}
			if err == nil && d.Type().IsRegular() {
				rel, _ := filepath.Rel(g.dir, at) // at lies below it
				names = append(names, rel)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(g.dir, name))
		if err != nil && !missing(err) {
			return nil, err
		}
		if err == nil {
			out[name] = data
		}
	}
	return out, nil
}

// putBack sets the repository back to where it stood, and names what it
// changed for that.
func (g *gitState) putBack(ctx context.Context) (names []string, err error) {
	for _, step := range []func(context.Context) ([]string, error){g.putBackLink, g.freeLocks, g.putBackOperation, g.putBackHead, g.putBackIndex} {
		more, err := step(ctx)
		names = append(names, more...)
		if err != nil {
			return names, err
		}
	}
	return names, nil
}

// freeLocks takes away the locks of a git that the agent has started and that
// was killed. A person's, in a tree that is theirs, stays.
func (g *gitState) freeLocks(ctx context.Context) (names []string, err error) {
	var locks []string
	for _, name := range ownLocks() {
		at := filepath.Join(g.dir, name)
		if _, err := os.Lstat(at); err == nil {
			locks = append(locks, at)
			names = append(names, ".git/"+name)
		}
	}
	err = host.FreeLocks(ctx, g.began.Add(-10*time.Millisecond), append(host.Places(g.common), g.root, g.dir), locks...)
	return names, err
}

// putBackLink writes the way to the repository again.
func (g *gitState) putBackLink(context.Context) ([]string, error) {
	now, err := readLink(g.root)
	if err != nil || g.link == nil || bytes.Equal(now, g.link) {
		return nil, err
	}
	at := filepath.Join(g.root, ".git")
	return []string{".git"}, errors.Join(os.RemoveAll(at), journal.ReplaceForGood(at, g.link, 0o644))
}

// putBackHead moves HEAD, and the branch that it named, back.
func (g *gitState) putBackHead(ctx context.Context) (names []string, err error) {
	if g.ref != "" {
		names, err = g.putBackBranch(ctx)
	}
	ref, head, err2 := g.where(ctx)
	if err = errors.Join(err, err2); err != nil || ref == g.ref && head == g.head {
		return names, err
	}
	args := []string{"update-ref", "--no-deref", "-m", reflogLine, "HEAD", g.head}
	if g.ref != "" {
		args = []string{"symbolic-ref", "-m", reflogLine, "HEAD", g.ref}
	}
	_, err = g.must(ctx, args...)
	return append(names, ".git/HEAD"), err
}

// reflogLine is what the reflog says of it.
const reflogLine = "kitsoki: put back what a task agent moved"

func (g *gitState) putBackBranch(ctx context.Context) ([]string, error) {
	now, err := g.ask(ctx, "rev-parse", "-q", "--verify", g.ref+"^{commit}")
	if err != nil || now == g.head {
		return nil, err
	}
	args := []string{"update-ref", "-m", reflogLine, g.ref, g.head, now}
	if g.head == "" {
		args = []string{"update-ref", "-d", g.ref, now}
	}
	_, err = g.must(ctx, args...)
	return []string{".git/" + g.ref}, err
}

// putBackOperation sets the operation in progress back.
func (g *gitState) putBackOperation(context.Context) ([]string, error) {
	now, err := g.operation()
	if err != nil {
		return nil, err
	}
	var names []string
	for name, data := range g.files {
		if old, ok := now[name]; !ok || !bytes.Equal(old, data) {
			names = append(names, ".git/"+filepath.ToSlash(name))
			err = errors.Join(err, journal.ReplaceForGood(filepath.Join(g.dir, name), data, 0o644))
		}
		delete(now, name)
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		names = append(names, ".git/"+filepath.ToSlash(name))
		err = errors.Join(err, os.Remove(filepath.Join(g.dir, name)))
	}
	return names, errors.Join(err, g.removeEmpty())
}

// removeEmpty takes away the directory of an operation that is none.
func (g *gitState) removeEmpty() error {
	for _, dir := range ownDirs() {
		begun := slices.ContainsFunc(slices.Collect(maps.Keys(g.files)), func(name string) bool {
			return strings.HasPrefix(name, dir+string(filepath.Separator))
		})
		if begun {
			continue
		}
		if err := os.RemoveAll(filepath.Join(g.dir, dir)); err != nil {
			return err
		}
	}
	return nil
}

// putBackIndex writes the index as it was, unless it says the same.
func (g *gitState) putBackIndex(ctx context.Context) ([]string, error) {
	now, err := g.staged(ctx)
	if err == nil && now == g.entries {
		return nil, nil
	}
	at := filepath.Join(g.dir, "index")
	if data, err2 := os.ReadFile(at); err != nil && err2 == nil && bytes.Equal(data, g.index) {
		return nil, err // the file is whole, and git failed all the same
	}
	if g.index == nil {
		err = os.Remove(at)
	} else {
		err = journal.ReplaceForGood(at, g.index, 0o644)
	}
	return []string{".git/index"}, err
}
