package host

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// publish moves a branch from the commit where it was found to the one that
// was made, in one step and only when all is still as it was. In the person's
// working tree the files go along; a branch that is checked out nowhere is
// moved alone.
func publish(r repo, args map[string]any) (map[string]any, error) {
	m, err := r.moveOf(args)
	if err != nil {
		return nil, err
	}
	if err := r.unmoved(m); err != nil {
		return nil, err
	}
	current, err := r.currentBranch()
	if err != nil {
		return nil, err
	}
	here := current == m.name
	if here {
		if err := r.unhurt(m); err != nil {
			return nil, err
		}
	}
	if err := r.move(m, here); err != nil {
		return nil, err
	}
	if at, err := r.refAt(m.ref()); err != nil || at != m.to {
		return nil, failf(gitName, "%s is at %s after publishing, and not at %s", m.name, short(at), short(m.to))
	}
	return map[string]any{"published": true, "here": here}, nil
}

// unmoved wants the branch where it was found, and nowhere else in use.
func (r repo) unmoved(m move) error {
	at, err := r.refAt(m.ref())
	if err != nil {
		return err
	}
	if at == "" {
		return failf(gitName, "%s has moved: it was at %s and is gone now; nothing was published", m.name, short(m.from))
	}
	if at != m.from {
		return failf(gitName, "%s has moved: it was at %s and is at %s now; nothing was published", m.name, short(m.from), short(at))
	}
	where, err := r.usedElsewhere(m.ref())
	if err != nil {
		return err
	}
	if where != "" {
		return failf(gitName, "%s is in use in another worktree, %s; nothing was published", m.name, where)
	}
	return nil
}

// usedElsewhere names another worktree that has the branch checked out, or
// one in which an operation goes on that will move it.
func (r repo) usedElsewhere(ref string) (string, error) {
	raw, err := r.must("worktree", "list", "--porcelain")
	if err != nil {
		return "", err
	}
	top, err := r.root()
	if err != nil {
		return "", err
	}
	common, err := r.common()
	if err != nil {
		return "", err
	}
	for i, block := range strings.Split(strings.TrimSpace(raw), "\n\n") {
		// The first is the main worktree, whose path git guesses from that of
		// its directory: a submodule's is elsewhere.
		w, here := readWorktree(block), i == 0 && same(r.dir, common)
		if "refs/heads/"+w["branch"].(string) == ref && w["path"] != top && !here {
			return w["path"].(string), nil
		}
	}
	for _, pattern := range []string{"rebase-*/head-name", "worktrees/*/rebase-*/head-name"} {
		marks, _ := filepath.Glob(filepath.Join(common, filepath.FromSlash(pattern))) // the pattern is well-formed
		for _, mark := range marks {
			if name, err := os.ReadFile(mark); err == nil && strings.TrimSpace(string(name)) == ref {
				return "by the rebase of " + filepath.Dir(mark), nil
			}
		}
	}
	return "", nil
}

// move moves the branch, the current one with the person's files. What is done
// is noted first, for the case that it stops half way.
func (r repo) move(m move, here bool) error {
	locks, err := r.locks(m, here)
	if err != nil {
		return err
	}
	for _, lock := range locks {
		if exists(lock) {
			return failf(gitName, "another git works here, or one has died: there is %s; nothing was published", lock)
		}
	}
	if err := r.note(m); err != nil {
		return failf(gitName, "%v", err)
	}
	args := []string{"update-ref", "-m", "kitsoki: publish", m.ref(), m.to, m.from}
	if here {
		args = []string{"-c", "submodule.recurse=false", "reset", "--keep", "--quiet", m.to}
	}
	if _, err := r.change(args...); err != nil {
		return r.unmade(m, here, err)
	}
	return nil
}

// unmade takes back what git has written before it could not move the branch.
func (r repo) unmade(m move, here bool, cause error) error {
	at, err := r.refAt(m.ref())
	if err != nil {
		return cause
	}
	if at == m.to {
		return nil // it was moved; what failed came after
	}
	if here && at == m.from {
		if _, _, err := r.takeBack(m); err != nil {
			return r.halfBack(m, errors.Join(cause, err))
		}
	}
	return failf(gitName, "%s; nothing was published", strings.TrimPrefix(cause.Error(), gitName+": "))
}

// unhurt wants that nothing of the person's would be overwritten: no
// operation in progress, no change of a tracked file in a path that moves, and
// no untracked or ignored file where one comes to be.
func (r repo) unhurt(m move) error {
	changes, err := r.between(m)
	if err != nil {
		return err
	}
	operation, err := r.operation()
	if err != nil {
		return err
	}
	if operation != "" {
		return failf(gitName, "a %s is in progress; nothing was published", operation)
	}
	dirty, err := r.dirty(changes)
	if err != nil {
		return err
	}
	if len(dirty) > 0 {
		return failf(gitName, "changed since, and not committed: %s; nothing was published", some(dirty))
	}
	inTheWay, err := r.inTheWay(changes)
	if err != nil {
		return err
	}
	if len(inTheWay) > 0 {
		return failf(gitName, "untracked files would be overwritten: %s; nothing was published", some(inTheWay))
	}
	return nil
}

// dirty are the paths of a move that hold changes which are not committed, and
// all that is staged, or meant to be added: moving a branch writes the index
// anew.
func (r repo) dirty(changes []entry) ([]string, error) {
	raw, err := r.must("status", "--porcelain=v2", "-z", "--untracked-files=no", "--no-renames")
	if err != nil {
		return nil, err
	}
	s := readStatus(raw)
	if len(s.unmerged) > 0 {
		return s.unmerged, nil
	}
	meant, err := r.must("diff-files", "--name-only", "--diff-filter=A", "-z")
	if err != nil {
		return nil, err
	}
	out := append(s.staged, Records(meant)...)
	for _, p := range s.unstaged {
		if !slices.Contains(out, p) && slices.ContainsFunc(changes, func(e entry) bool { return touch(e.path, p) }) {
			out = append(out, p)
		}
	}
	return out, nil
}

// inTheWay are files that git does not track and that stand where a move makes
// a file, below such a place, or where it needs a directory.
func (r repo) inTheWay(changes []entry) ([]string, error) {
	top, err := r.root()
	if err != nil {
		return nil, err
	}
	var places []string
	for _, e := range changes {
		if e.added() {
			if at := occupied(top, e.path); at != "" && !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	var out []string
	for chunk := range slices.Chunk(places, 100) {
		found, err := r.at(top).untracked(chunk)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// untracked are the files at and below some places that git does not track,
// ignored ones among them.
func (r repo) untracked(places []string) ([]string, error) {
	args := []string{"--literal-pathspecs", "ls-files", "--others", "-z", "--"}
	raw, err := r.must(append(args, places...)...)
	return Records(raw), err
}
