package host

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// unpublish sees to a publishing that may have stopped half way. Where the
// branch has come to its new commit it is complete, and stays. Else what git
// had written of the new commit is taken back, and nothing else: a path that
// holds neither is left and named.
func unpublish(r repo, args map[string]any) (map[string]any, error) {
	m, err := r.moveOf(args)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"published": false, "restored": []any{}, "kept": []any{}}
	at, err := r.refAt(m.ref())
	if err != nil {
		return nil, err
	}
	out["published"] = at == m.to
	n, err := r.noted(m)
	if err != nil || n == nil || at != m.from {
		return out, err
	}
	current, err := r.currentBranch()
	if err != nil {
		return nil, err
	}
	locks, err := r.locks(m, current == m.name)
	if err != nil {
		return nil, err
	}
	places, err := r.places()
	if err != nil {
		return nil, err
	}
	// A file system may count time in seconds only. A lock that is somebody
	// else's is no reason to leave the files: what it keeps from being done
	// will say so.
	locked := FreeLocks(r.ctx, n.Begun.Truncate(fileClock).Add(-fileClock), places, locks...)
	if errors.Is(locked, ErrLocked) {
		locked = nil
	}
	if current != m.name {
		return out, locked
	}
	restored, kept, err := r.takeBack(m)
	out["restored"], out["kept"] = Anys(restored), Anys(kept)
	if err != nil {
		return out, r.halfBack(m, err)
	}
	return out, locked
}

// halfBack says what a person can do when files could not be taken back. It
// names the files of the move alone: others may hold the person's work.
func (r repo) halfBack(m move, cause error) error {
	top, err := r.root()
	if err != nil {
		top = r.env.Dir
	}
	git := "git -C '" + strings.ReplaceAll(top, "'", `'\''`) + "' "
	return failf(gitName, "%s; %s is where it was, but some of its files hold what was to be published. Once no git works here: "+
		"%sdiff --name-only -z --no-renames %s %s | %srestore --source=HEAD --staged --worktree --pathspec-from-file=- --pathspec-file-nul",
		strings.TrimPrefix(cause.Error(), gitName+": "), m.name, git, m.from, m.to, git)
}

// locks are those that moving a branch takes.
func (r repo) locks(m move, here bool) ([]string, error) {
	common, err := r.common()
	if err != nil {
		return nil, err
	}
	out := []string{filepath.Join(common, filepath.FromSlash(m.ref())) + ".lock"}
	if here {
		out = append(out, r.inDir("index.lock"), r.inDir("HEAD.lock"), r.inDir("ORIG_HEAD.lock"))
	}
	return out, nil
}

// takeBack brings the paths of a move back to its first commit: the index
// wherever it holds the second's, the files where git has written them.
func (r repo) takeBack(m move) (restored, kept []string, err error) {
	changes, err := r.between(m)
	if err != nil {
		return nil, nil, err
	}
	top, err := r.root()
	if err != nil {
		return nil, nil, err
	}
	r = r.at(top)
	back, err := r.indexBack(changes)
	if err != nil {
		return nil, nil, err
	}
	ids, err := r.contents(changes)
	if err != nil {
		return nil, nil, err
	}
	var gone, write []string
	for _, e := range changes {
		s, err := r.standing(m, e, ids[e.path])
		if err != nil {
			return nil, nil, err
		}
		switch {
		case s == foreign:
			kept = append(kept, e.path)
		case s == written && e.added():
			gone = append(gone, e.path)
		case s == written:
			write = append(write, e.path)
		}
	}
	restored = slices.Concat(gone, write)
	for _, p := range back {
		if !slices.Contains(restored, p) && !slices.Contains(kept, p) {
			restored = append(restored, p)
		}
	}
	slices.Sort(restored)
	return restored, kept, r.rewrite(gone, write)
}

// indexBack puts the first commit's entries into the index, for the paths
// where it holds the second's.
func (r repo) indexBack(changes []entry) ([]string, error) {
	raw, err := r.must("ls-files", "--stage", "-z")
	if err != nil {
		return nil, err
	}
	now := map[string]string{}
	for _, line := range Records(raw) {
		what, path, _ := strings.Cut(line, "\t")
		f := strings.Fields(what)
		if len(f) == 3 && f[2] == "0" {
			now[path] = f[0] + " " + f[1]
		}
	}
	var input strings.Builder
	var back []string
	for _, e := range changes {
		is, there := now[e.path]
		if there != e.deleted() && (!there || is == e.toMode+" "+e.toID) {
			back = append(back, e.path)
			input.WriteString(e.fromMode + " " + e.fromID + "\t" + e.path + "\x00")
		}
	}
	if len(back) == 0 {
		return nil, nil
	}
	_, err = r.changeWith([]byte(input.String()), "update-index", "-z", "--index-info")
	return back, err
}
