package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/proc"
)

// drive makes one op as a drive does, and holds what it returns against its
// row.
func (r *repoAt) drive(op string, args map[string]any) (map[string]any, error) {
	r.t.Helper()
	all := map[string]any{"op": op}
	for k, v := range args {
		all[k] = v
	}
	got, err := Local{}.Call(context.Background(), "host.git", all, Env{Dir: r.dir, Vars: r.env, Drive: true, Session: "01TEST"})
	var he *Error
	if err != nil && !errors.As(err, &he) {
		r.t.Errorf("%s: no domain error: %v", op, err)
	}
	if err == nil {
		sameKeys(r.t, "host.git", op, got)
	}
	return got, err
}

// do is drive where it must succeed.
func (r *repoAt) do(op string, args map[string]any) map[string]any {
	r.t.Helper()
	got, err := r.drive(op, args)
	if err != nil {
		r.t.Fatalf("%s %v: %v", op, args, err)
	}
	return got
}

// refuse is drive where it must not, and say why.
func (r *repoAt) refuse(op string, args map[string]any, why string) {
	r.t.Helper()
	if got, err := r.drive(op, args); err == nil || !strings.Contains(err.Error(), why) {
		r.t.Errorf("%s: expected %q, observed %v, %v", op, why, err, got)
	}
}

func (r *repoAt) same(what string, got, want any) {
	r.t.Helper()
	if !reflect.DeepEqual(got, want) {
		r.t.Errorf("%s: observed %#v, expected %#v", what, got, want)
	}
}

func (r *repoAt) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Error(err)
	}
	return string(data)
}

func (r *repoAt) place() string {
	p, err := scratchPlace(Env{Vars: r.env, Session: "01TEST"})
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

func (r *repoAt) head(rev string) string { r.t.Helper(); return r.git("rev-parse", rev) }

// forked has a branch side and main, which change a.txt differently; main is
// checked out.
func forked(t *testing.T) *repoAt {
	r := newRepo(t)
	r.write(".gitignore", "node_modules/\n*.env\n")
	r.commit("a.txt", "base\n")
	r.git("checkout", "-q", "-b", "side")
	r.commit("a.txt", "side\n")
	r.commit("side.txt", "side\n")
	r.git("checkout", "-q", "main")
	r.commit("a.txt", "main\n")
	return r
}

func TestScratch(t *testing.T) {
	t.Parallel()
	r := forked(t)
	r.write("node_modules/x/index.js", "js")
	r.write("app/secret.env", "s")
	before := r.git("worktree", "list", "--porcelain")
	links := []any{"node_modules", "app/secret.env", "not-there.env"}
	got := r.do("scratch", map[string]any{"name": "side", "links": links})
	r.same("path", got["path"], r.place())
	r.same("head", got["head"], r.head("side"))
	r.same("linked", got["linked"], []any{"node_modules", "app/secret.env"})
	s := r.in(r.place())
	r.same("through the link", s.read("node_modules/x/index.js"), "js")
	r.same("branch", s.try("symbolic-ref", "-q", "HEAD").ExitCode, 1)
	r.refuse("scratch", map[string]any{"name": "side"}, "stands already")
	r.same("discarded", r.do("discard", nil)["discarded"], true)
	r.same("again", r.do("discard", nil)["discarded"], false)
	r.same("worktrees", r.git("worktree", "list", "--porcelain"), before)
	r.same("what was linked", r.read("node_modules/x/index.js"), "js")
	for _, bad := range []struct{ link, why string }{
		{"../x", "no path below"}, {".git/hooks", "no path below"}, {"a.txt", "does not ignore"}, {"/etc", "no path below"},
	} {
		r.refuse("scratch", map[string]any{"name": "side", "links": []any{bad.link}}, bad.why)
		r.do("discard", nil)
	}
	r.refuse("scratch", map[string]any{"name": "nope"}, "names no commit")
	r.refuse("scratch", map[string]any{"name": ""}, "names no commit")
}

// TestDiscardWhatIsHalfMade: whatever a git that was killed has left, it goes,
// and what is another's stays.
func TestDiscardWhatIsHalfMade(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(r *repoAt, place, record string){
		"no directory": func(_ *repoAt, place, _ string) { os.RemoveAll(place) },
		"no record":    func(_ *repoAt, _, record string) { os.RemoveAll(record) },
		"no .git":      func(_ *repoAt, place, _ string) { os.Remove(filepath.Join(place, ".git")) },
		"named nothing yet": func(_ *repoAt, place, record string) {
			os.RemoveAll(place)
			os.Remove(filepath.Join(record, "gitdir"))
		},
		"a torn note": func(_ *repoAt, place, _ string) { os.WriteFile(noteFile(place), []byte("{"), 0o600) },
		"read-only inside": func(_ *repoAt, place, _ string) {
			os.MkdirAll(filepath.Join(place, "ro", "x"), 0o700)
			os.Chmod(filepath.Join(place, "ro"), 0o500)
		},
		"mid-merge": func(r *repoAt, place, _ string) { r.in(place).try("merge", "side") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := forked(t)
			other, gone := filepath.Join(t.TempDir(), "other"), filepath.Join(t.TempDir(), "gone")
			r.git("worktree", "add", "-q", "--detach", other)
			r.git("worktree", "add", "-q", "--detach", gone)
			os.RemoveAll(gone)
			before := r.git("worktree", "list", "--porcelain")
			r.do("scratch", map[string]any{"name": "main"})
			harm(r, r.place(), filepath.Join(r.dir, ".git", "worktrees", "01TEST"))
			r.do("discard", nil)
			r.do("discard", nil)
			r.same("worktrees", r.git("worktree", "list", "--porcelain"), before)
			left, _ := os.ReadDir(filepath.Dir(r.place()))
			r.same("left", len(left), 0)
			r.do("scratch", map[string]any{"name": "main"})
		})
	}
}

func TestDrivesHaveNames(t *testing.T) {
	t.Parallel()
	r := forked(t)
	for _, session := range []string{"", "../x", ".", "a/b", "-x"} {
		_, err := Local{}.Call(context.Background(), "host.git", map[string]any{"op": "scratch", "name": "main"}, Env{Dir: r.dir, Vars: r.env, Drive: true, Session: session})
		if err == nil || !strings.Contains(err.Error(), "no name of a drive") {
			t.Errorf("%q: observed %v", session, err)
		}
	}
	_, err := Local{}.Call(context.Background(), "host.git", map[string]any{"op": "discard"}, Env{Dir: r.dir, Vars: []string{"PATH=" + os.Getenv("PATH")}, Drive: true, Session: "s"})
	if err == nil || !strings.Contains(err.Error(), "no place") {
		t.Errorf("observed %v", err)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	r := forked(t)
	ask := func(name string) map[string]any {
		got, err := Local{}.Call(context.Background(), "host.git", map[string]any{"op": "compare", "name": name}, Env{Dir: r.dir, Vars: r.env})
		if err != nil {
			t.Fatal(err)
		}
		sameKeys(t, "host.git", "compare", got)
		return got
	}
	got := ask("side")
	r.same("side", got, map[string]any{
		"repository": true, "name": "side", "commit": r.head("side"), "ref": "refs/heads/side", "base": r.head("main~1"),
		"mine": 1, "theirs": 2, "merges": 0, "subjects": []any{"add a.txt"},
	})
	r.git("tag", "side", "main")
	r.same("a branch comes before a tag", ask("side")["commit"], r.head("refs/heads/side"))
	r.same("a tag", ask("main~1")["ref"], "")
	r.same("by default", ask("")["name"], "main")
	r.git("update-ref", "refs/remotes/origin/far", "side~1")
	r.git("remote", "add", "origin", r.dir)
	r.same("on the remote", ask("far")["ref"], "refs/remotes/origin/far")
	r.same("by its whole name", ask("origin/far")["ref"], "refs/remotes/origin/far")
	for _, none := range []string{"nope", "-x", "--all"} {
		r.same(none, ask(none)["commit"], "")
	}
	r.git("merge", "-q", "-s", "ours", "refs/heads/side")
	r.same("merges", ask("side")["merges"], 1)
	r.git("checkout", "-q", "--orphan", "alone")
	r.git("commit", "-q", "-m", "alone")
	r.same("no base", ask("main")["base"], "")
}

func TestAbort(t *testing.T) {
	t.Parallel()
	for op, start := range map[string][]string{
		"merge": {"merge", "side"}, "rebase": {"rebase", "side"}, "cherry-pick": {"cherry-pick", "side~1"},
		"revert": {"revert", "--no-edit", "HEAD~1"}, "bisect": {"bisect", "start", "HEAD", "HEAD~1"},
	} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			r := forked(t)
			r.commit("a.txt", "again\n")
			r.write("secret.env", "s")
			before := r.git("rev-parse", "HEAD", "HEAD^{tree}")
			r.try(start...)
			r.expect("in_progress", map[string]any{"operation": op})
			r.write(".git/index.lock", "") // of a git that was killed
			r.same("aborted", r.do("abort", nil)["aborted"], op)
			r.same("again", r.do("abort", nil)["aborted"], "")
			r.same("HEAD", r.git("rev-parse", "HEAD", "HEAD^{tree}"), before)
			r.same("branch", r.git("symbolic-ref", "--short", "HEAD"), "main")
			r.same("status", r.git("status", "--porcelain"), "")
			r.same("secret.env", r.read("secret.env"), "s")
		})
	}
	r := forked(t)
	r.write(".git/rebase-merge/interactive", "") // all that a git wrote before it was killed
	r.same("half begun", r.do("abort", nil)["aborted"], "rebase")
	r.expect("in_progress", map[string]any{"in_progress": false})
}

// TestChangesAreTold: every process that changes something is told of before
// it works, and does not work when that fails.
func TestChangesAreTold(t *testing.T) {
	t.Parallel()
	r := forked(t)
	env := Env{Dir: r.dir, Vars: r.env, Drive: true, Session: "01TEST"}
	told := 0
	env.Started = func(proc.Process) error { told++; return nil }
	if _, err := (Local{}).Call(context.Background(), "host.git", map[string]any{"op": "scratch", "name": "side"}, env); err != nil || told != 1 {
		t.Errorf("told %d times, %v", told, err)
	}
	args := map[string]any{"op": "publish", "name": "main", "from": "main", "to": "main~1"}
	env.Started = func(proc.Process) error { return errors.New("full disk") }
	at := r.head("main")
	if _, err := (Local{}).Call(context.Background(), "host.git", args, env); err == nil || r.head("main") != at {
		t.Errorf("it was published: %v", err)
	}
}

// lockHeld: a lock that a process has open is not taken from it.
func TestLocksThatAreHeld(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("no /proc")
	}
	path := filepath.Join(t.TempDir(), "index.lock")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	free := func(since time.Time, locks ...string) error {
		return FreeLocks(context.Background(), since, nil, locks...)
	}
	if err := free(time.Time{}, path); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "has "+path) {
		t.Errorf("held: %v", err)
	}
	f.Close()
	if err := free(time.Now().Add(time.Hour), path); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "was there before") {
		t.Errorf("older: %v", err)
	}
	if err := free(time.Time{}, path, path+"2"); err != nil || exists(path) {
		t.Errorf("left: %v", err)
	}
}
