package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/proc"
)

// repoAt is a repository with an identity and a home of its own.
type repoAt struct {
	t   *testing.T
	dir string
	env []string
}

func newRepo(t *testing.T) *repoAt {
	t.Helper()
	r := &repoAt{t: t, dir: filepath.Join(t.TempDir(), "work"), env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2024-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2024-01-01T00:00:00Z",
	}}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repoAt) in(dir string) *repoAt { return &repoAt{t: r.t, dir: dir, env: r.env} }

// try runs git and says whether it succeeded.
func (r *repoAt) try(args ...string) proc.Result {
	r.t.Helper()
	res := proc.Run(context.Background(), proc.Cmd{Argv: append([]string{"git"}, args...), Dir: r.dir, Env: append(r.env, "GIT_EDITOR=true")})
	if res.Err != nil {
		r.t.Fatal(res.Err)
	}
	return res
}

func (r *repoAt) git(args ...string) string {
	r.t.Helper()
	res := r.try(args...)
	if !res.OK() {
		r.t.Fatalf("git %v: %s", args, res.Output)
	}
	return strings.TrimSpace(string(res.Stdout))
}

func (r *repoAt) write(name, data string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repoAt) commit(name, data string) {
	r.t.Helper()
	r.write(name, data)
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "add "+name)
}

func (r *repoAt) facts(op string) map[string]any {
	r.t.Helper()
	got, err := Local{}.Call(context.Background(), "host.git", map[string]any{"op": op}, Env{Dir: r.dir, Vars: r.env})
	if err != nil {
		r.t.Fatal(err)
	}
	sameKeys(r.t, "host.git", op, got)
	return got
}

func (r *repoAt) expect(op string, want map[string]any) {
	r.t.Helper()
	got := r.facts(op)
	for k, w := range want {
		if !reflect.DeepEqual(got[k], w) {
			r.t.Errorf("%s %s: got %#v, want %#v", op, k, got[k], w)
		}
	}
}

func TestGitOutsideARepository(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	out := r.in(t.TempDir())
	out.expect("status", map[string]any{"repository": false, "clean": true, "branch": "", "staged": []any{}})
	out.expect("in_progress", map[string]any{"repository": false, "in_progress": false, "operation": ""})
	out.expect("branches", map[string]any{"repository": false, "local": []any{}})
	r.in(filepath.Join(r.dir, ".git")).expect("status", map[string]any{"repository": false})
}

func TestGitStatus(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.expect("status", map[string]any{
		"repository": true, "branch": "main", "unborn": true, "head": "", "detached": false,
		"clean": true, "has_remote": false, "remote": "", "upstream": "",
	})
	r.commit("a.txt", "one\n")
	r.commit("old name", "some longer text that is recognised as a rename\n")
	r.git("mv", "old name", "new\tname")
	r.write("a.txt", "two\n")
	r.write("ü b.txt", "x")
	r.write("dir/c.txt", "x")
	r.git("add", "dir")
	r.expect("status", map[string]any{
		"head": r.git("rev-parse", "HEAD"), "unborn": false, "clean": false,
		"staged": []any{"dir/c.txt", "new\tname"}, "unstaged": []any{"a.txt"}, "untracked": []any{"ü b.txt"}, "unmerged": []any{},
	})
	r.in(filepath.Join(r.dir, "dir")).expect("status", map[string]any{"staged": []any{"dir/c.txt", "new\tname"}})
}

func TestGitDetachedAndRemotes(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("a.txt", "one\n")
	bare := filepath.Join(t.TempDir(), "remote.git")
	r.git("init", "-q", "--bare", "-b", "main", bare)
	r.git("remote", "add", "up", bare)
	r.expect("status", map[string]any{"has_remote": true, "remote": "up", "upstream": ""})
	r.git("push", "-q", "-u", "up", "main")
	r.commit("b.txt", "two\n")
	r.expect("status", map[string]any{"upstream": "up/main", "ahead": 1, "behind": 0, "remote": "up"})
	r.git("remote", "add", "other", bare)
	r.git("checkout", "-q", "-b", "feat/x")
	r.expect("status", map[string]any{"branch": "feat/x", "remote": "", "has_remote": true, "ahead": 0})
	r.git("remote", "add", "origin", bare)
	r.expect("status", map[string]any{"remote": "origin"})
	r.git("remote", "set-head", "up", "main")
	r.expect("branches", map[string]any{
		"current": "feat/x", "local": []any{"feat/x", "main"}, "remote_branches": []any{"up/main"}, "default": "main",
	})
	r.git("checkout", "-q", "--detach")
	r.expect("status", map[string]any{"branch": "", "detached": true, "unborn": false})
	r.expect("branches", map[string]any{"current": ""})
}

func TestGitOperations(t *testing.T) {
	t.Parallel()
	for op, start := range map[string]func(r *repoAt) []string{
		"merge":       func(*repoAt) []string { return []string{"merge", "side"} },
		"rebase":      func(*repoAt) []string { return []string{"rebase", "side"} },
		"cherry-pick": func(*repoAt) []string { return []string{"cherry-pick", "side"} },
		"revert":      func(r *repoAt) []string { return []string{"revert", "--no-edit", r.git("rev-parse", "HEAD~1")} },
		"bisect":      func(*repoAt) []string { return []string{"bisect", "start"} },
		"am": func(r *repoAt) []string {
			r.git("format-patch", "-q", "-1", "side", "-o", filepath.Join(r.dir, ".git", "patches"))
			return []string{"am", filepath.Join(r.dir, ".git", "patches", "0001-add-a.txt.patch")}
		},
	} {
		t.Run(op, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			r.commit("a.txt", "base\n")
			r.git("checkout", "-q", "-b", "side")
			r.commit("a.txt", "side\n")
			r.git("checkout", "-q", "main")
			r.commit("a.txt", "main\n")
			r.commit("a.txt", "main again\n")
			r.expect("in_progress", map[string]any{"in_progress": false, "operation": ""})
			r.try(start(r)...)
			r.expect("in_progress", map[string]any{"in_progress": true, "operation": op})
			if op == "merge" {
				r.expect("status", map[string]any{"unmerged": []any{"a.txt"}, "clean": false})
				r.expect("unmerged", map[string]any{"unmerged": []any{"a.txt"}})
			}
		})
	}
}

func TestGitOperationOfAnotherWorktreeIsNotOurs(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("a.txt", "base\n")
	r.git("checkout", "-q", "-b", "side")
	r.commit("a.txt", "side\n")
	r.git("checkout", "-q", "main")
	r.commit("a.txt", "main\n")
	linked := r.in(filepath.Join(t.TempDir(), "linked"))
	r.git("worktree", "add", "-q", "-b", "third", linked.dir)
	linked.try("merge", "side")
	linked.expect("in_progress", map[string]any{"operation": "merge"})
	linked.expect("status", map[string]any{"branch": "third", "unmerged": []any{"a.txt"}})
	r.expect("in_progress", map[string]any{"operation": ""})
	r.expect("status", map[string]any{"clean": true})
}

func TestWhatOnlyADriveDoes(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("a.txt", "one\n")
	before := r.git("rev-parse", "HEAD")
	row, _ := spec.Lookup(gitName)
	for _, op := range row.DriveOps {
		args := map[string]any{"op": op}
		if gitWork(op) == nil {
			t.Errorf("there is no op %s", op)
		}
		if _, err := (Local{}).Call(context.Background(), "host.git", args, Env{Dir: r.dir, Vars: os.Environ()}); err == nil || !strings.Contains(err.Error(), "only a drive") {
			t.Errorf("%v: observed %v", args, err)
		}
	}
	for _, name := range []string{"host.agent.task", "host.agent.decide"} {
		if _, err := (Local{}).Call(context.Background(), name, nil, Env{}); err == nil || !strings.Contains(err.Error(), "only a drive") {
			t.Errorf("%s: observed %v", name, err)
		}
	}
	if after := r.git("rev-parse", "HEAD"); after != before {
		t.Error("the repository has changed")
	}
}

func TestGitRunsNoProgramOfTheRepository(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	mark := filepath.Join(t.TempDir(), "ran")
	r.git("config", "core.fsmonitor", "touch "+mark)
	r.facts("status")
	if _, err := os.Stat(mark); err == nil {
		t.Error("the repository's monitor ran")
	}
}

func TestGitErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		op  any
		env Env
	}{
		"no git":     {"status", Env{Dir: t.TempDir(), Vars: []string{"PATH=/nonexistent"}}},
		"no such op": {"nope", Env{Dir: t.TempDir(), Vars: vars0()}},
		"no op":      {nil, Env{Dir: t.TempDir(), Vars: vars0()}},
		"no dir":     {"status", Env{Dir: filepath.Join(t.TempDir(), "gone"), Vars: vars0()}},
	} {
		_, err := Local{}.Call(context.Background(), "host.git", map[string]any{"op": tc.op}, tc.env)
		var he *Error
		if !errors.As(err, &he) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
