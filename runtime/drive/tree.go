package drive

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/host"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

// Tree is where a working tree stands: what its HEAD says and which commit
// that is, the operation that waits in it, and how far that has come. Two are
// equal when nobody has moved anything but files.
type Tree struct {
	Git       bool   `json:"git"`
	Ref       string `json:"ref,omitempty"`  // refs/heads/main, or a commit when detached
	Head      string `json:"head,omitempty"` // the commit, "" before the first
	Operation string `json:"operation,omitempty"`
	Origin    string `json:"origin,omitempty"` // digest of what the operation began from
	Step      string `json:"step,omitempty"`   // digest of how far it has come
	// Torn says that of the operation only a rest is left which git can neither
	// go on with nor abort: it was killed while it cleared up at the end.
	Torn bool `json:"torn,omitempty"`
}

// operation is what git leaves in its directory while one of its operations
// waits. Origin are the files that stay as they are until it ends.
type operation struct {
	name, mark    string
	origin, steps []string
}

// operations are in the order in which git itself tells them apart; see
// wt-status.c, wt_status_get_state.
func operations() []operation {
	return []operation{
		{"rebase", "rebase-merge", []string{"head-name", "onto", "orig-head"}, []string{"msgnum", "done", "git-rebase-todo", "stopped-sha"}},
		{"am", "rebase-apply/applying", nil, []string{"../next"}},
		{"rebase", "rebase-apply", []string{"head-name", "onto", "orig-head"}, []string{"next"}},
		{"merge", "MERGE_HEAD", []string{"../MERGE_HEAD", "../ORIG_HEAD"}, nil},
		{"cherry-pick", "CHERRY_PICK_HEAD", nil, []string{"../CHERRY_PICK_HEAD", "../sequencer/todo"}},
		{"revert", "REVERT_HEAD", nil, []string{"../REVERT_HEAD", "../sequencer/todo"}},
		{"cherry-pick", "sequencer/todo", []string{"../head"}, []string{"../todo"}},
		{"bisect", "BISECT_LOG", nil, []string{"../BISECT_LOG"}},
	}
}

// treeOf looks at the working tree around a directory. Reading files tells
// all but the commit, for which git is asked.
func treeOf(ctx context.Context, dir string, env []string) (Tree, error) {
	repo := journal.Locate(dir)
	if repo.Git == "" {
		return Tree{}, nil
	}
	t := Tree{Git: true, Ref: repo.Head()}
	for _, op := range operations() {
		at := filepath.Join(repo.Git, filepath.FromSlash(op.mark))
		if _, err := os.Stat(at); err != nil {
			continue
		}
		t.Operation, t.Origin, t.Step = op.name, digest(at, op.origin), digest(at, op.steps)
		t.Torn = op.torn(at)
		break
	}
	t.Ref = strings.TrimPrefix(t.Ref, "ref: ")
	var err error
	t.Head, err = commitOf(ctx, repo, t.Ref, env)
	return t, err
}

// commitOf is the commit that HEAD comes to, "" before the first. What git
// keeps in files is read; only of another ref store git itself is asked.
func commitOf(ctx context.Context, repo journal.Repo, ref string, env []string) (string, error) {
	if isCommit(ref) {
		return ref, nil
	}
	if _, err := os.Stat(filepath.Join(repo.Common, "reftable")); err == nil {
		res := asked(ctx, repo.Root, env, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
		if res.Err == nil && !res.OK() && res.ExitCode != 1 {
			return "", errors.New("git rev-parse: " + host.Ending(res))
		}
		return strings.TrimSpace(string(res.Stdout)), res.Err
	}
	loose, err := os.ReadFile(filepath.Join(repo.Common, filepath.FromSlash(ref)))
	if id := strings.TrimSpace(string(loose)); err == nil && isCommit(id) {
		return id, nil
	}
	packed, err := os.ReadFile(filepath.Join(repo.Common, "packed-refs"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	for line := range strings.Lines(string(packed)) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return id, nil
		}
	}
	return "", nil
}

// asked runs a git that only reads.
func asked(ctx context.Context, dir string, env []string, args ...string) proc.Result {
	return proc.Run(ctx, proc.Cmd{
		Argv: append([]string{"git"}, args...), Dir: dir,
		Env: host.Environ(host.Env{Vars: host.Unled(env), ReadOnly: true}, dir, []string{"LC_ALL=C"}),
	})
}

// isCommit tells an object's name in full: SHA-1 or SHA-256.
func isCommit(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// torn: git clears a rebase's directory file by file, in no order. Without one
// of those that say where it came from, the rest is of no use.
func (op operation) torn(at string) bool {
	if op.name != "rebase" {
		return false
	}
	for _, name := range op.origin {
		if _, err := os.Stat(filepath.Join(at, name)); errors.Is(err, os.ErrNotExist) {
			return true
		}
	}
	return false
}

// digest stands for what some files hold; the names are relative to a place.
func digest(at string, names []string) string {
	var texts []string
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(at, filepath.FromSlash(name)))
		if err != nil {
			data = nil
		}
		texts = append(texts, string(data))
	}
	return journal.Digest(texts...)
}

// sameOperation tells whether the operation that waits in one is that of the
// other, however far it has come.
func (t Tree) sameOperation(u Tree) bool {
	return t.Operation == u.Operation && (t.Origin == u.Origin || t.Torn)
}

// wayBack are the commands by which a person gets from a tree to another.
func (t Tree) wayBack(dir string, to Tree) []string {
	git := "git -C " + quote(dir) + " "
	var out []string
	switch {
	case t.Operation == "" || t.Operation == to.Operation && t.Origin == to.Origin:
	case t.Operation == "bisect":
		out = append(out, git+"bisect reset")
	default:
		out = append(out, git+t.Operation+" --abort")
	}
	if branch, named := strings.CutPrefix(to.Ref, "refs/heads/"); named && t.Ref != to.Ref {
		out = append(out, git+"switch "+quote(branch))
	}
	if t.Head != to.Head && to.Head != "" {
		out = append(out, git+"reset --keep "+to.Head)
	}
	return out
}

// quote puts a word in single quotes when a shell would read it otherwise.
func quote(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\n\r'\"\\$`*?[](){}<>|&;~#!") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// tick is by how much the time of a file may lag behind the clock.
const tick = 10 * time.Millisecond

// freshLocks are the lock files in a repository that are not older than a
// moment: what a git that was killed leaves, and every later git trips over.
func freshLocks(repo journal.Repo, since time.Time) []string {
	if repo.Git == "" {
		return nil
	}
	var out []string
	take := func(path string, info os.FileInfo) {
		if strings.HasSuffix(path, ".lock") && filepath.Base(path) != lockName && !info.ModTime().Before(since) {
			out = append(out, path)
		}
	}
	for _, dir := range []string{repo.Git, repo.Common} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				take(filepath.Join(dir, e.Name()), info)
			}
		}
	}
	_ = filepath.Walk(filepath.Join(repo.Common, "refs"), func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			take(path, info)
		}
		return nil
	})
	return out
}

// maxStatus bounds how many paths of git status are kept.
const maxStatus = 1000

// statusOf is what git status says of the site's tree, one line a path; nil
// outside a repository.
func statusOf(ctx context.Context, s Site) []string {
	res := asked(ctx, s.Dir, s.Env, "-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z")
	if !res.OK() {
		return nil
	}
	lines := host.Records(string(res.Stdout))
	return lines[:min(len(lines), maxStatus)]
}

// changed are the lines of one list that the other has not, of both.
func changed(before, after []string) []string {
	var out []string
	for _, line := range after {
		if !slices.Contains(before, line) {
			out = append(out, line)
		}
	}
	for _, line := range before {
		if !slices.Contains(after, line) {
			out = append(out, "no longer "+line)
		}
	}
	return out
}
