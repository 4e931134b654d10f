package host

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// with asks about a name or about what a commit would hold.
func (r *repoAt) with(op, key, value string, want map[string]any) {
	r.t.Helper()
	got, err := Local{}.Call(context.Background(), "host.git", map[string]any{"op": op, key: value}, Env{Dir: r.dir, Vars: r.env})
	if err != nil {
		r.t.Fatal(err)
	}
	sameKeys(r.t, "host.git", op, got)
	for k, w := range want {
		if !reflect.DeepEqual(got[k], w) {
			r.t.Errorf("%s %s=%q: %s: got %#v, want %#v", op, key, value, k, got[k], w)
		}
	}
}

// withRemote is a repository on main, pushed to origin.
func withRemote(t *testing.T) *repoAt {
	t.Helper()
	r := newRepo(t)
	r.commit("a.txt", "one\n")
	bare := filepath.Join(t.TempDir(), "remote.git")
	r.git("init", "-q", "--bare", "-b", "main", bare)
	r.git("remote", "add", "origin", bare)
	r.git("push", "-q", "-u", "origin", "main")
	return r
}

func TestEveryOpIsEmptyOutsideARepository(t *testing.T) {
	t.Parallel()
	out := newRepo(t).in(t.TempDir())
	for _, op := range []string{"branch", "branches", "default", "draft", "head", "identity", "in_progress", "stash", "status", "worktrees"} {
		out.expect(op, map[string]any{"repository": false})
	}
}

func TestGitBranch(t *testing.T) {
	t.Parallel()
	r := withRemote(t)
	first := r.git("rev-parse", "HEAD")
	r.commit("a.txt", "two\n")
	r.expect("branch", map[string]any{
		"name": "main", "valid": true, "exists": true, "is_default": true, "remote": "origin", "remote_ref": "refs/remotes/origin/main",
		"upstream": "origin/main", "upstream_remote": "origin", "upstream_branch": "main", "upstream_head": first, "upstream_gone": false,
		"ahead": 1, "behind": 0, "elsewhere": "",
	})
	r.git("reset", "-q", "--hard", "HEAD~1")
	r.git("commit", "-q", "--amend", "-m", "other")
	r.expect("branch", map[string]any{"ahead": 1, "behind": 1})
	r.with("branch", "name", "nope", map[string]any{"name": "nope", "valid": true, "exists": false, "is_default": false, "upstream": ""})
	for _, name := range []string{"HEAD", "a..b", "a b", "x.lock", "@{-1}", "-"} {
		r.with("branch", "name", name, map[string]any{"valid": name == "-", "exists": false})
	}
	r.git("update-ref", "refs/heads/-rf", "HEAD")
	r.with("branch", "name", "-rf", map[string]any{"valid": true, "exists": true})
	r.git("checkout", "-q", "-b", "local", "--track", "main")
	r.expect("branch", map[string]any{"upstream": "main", "upstream_remote": ".", "upstream_branch": "main", "is_default": false})
	r.expect("default", map[string]any{"name": "main", "is_default": true, "exists": true})
	r.git("update-ref", "-d", "refs/remotes/origin/main")
	r.with("branch", "name", "main", map[string]any{"upstream_gone": true, "upstream_head": "", "remote_ref": ""})
	there := filepath.Join(t.TempDir(), "there")
	r.git("worktree", "add", "-q", there, "main")
	r.with("branch", "name", "main", map[string]any{"elsewhere": r.in(there).git("rev-parse", "--show-toplevel")})
	r.in(there).expect("branch", map[string]any{"name": "main", "elsewhere": ""})
}

func TestGitDefaultBranch(t *testing.T) {
	t.Parallel()
	r := withRemote(t)
	r.git("checkout", "-q", "-b", "work")
	r.git("branch", "-q", "-D", "main")
	r.expect("default", map[string]any{"name": "main", "exists": false, "remote_ref": "refs/remotes/origin/main"})
	r.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	r.expect("branches", map[string]any{"default": "trunk"})
	r.git("remote", "remove", "origin")
	r.expect("default", map[string]any{"name": "", "valid": false})
	r.git("branch", "master")
	r.expect("branches", map[string]any{"default": "master"})
}

func TestGitHead(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.expect("head", map[string]any{"head": "", "parents": 0, "published": false, "reachable": true})
	r = withRemote(t)
	first := r.git("rev-parse", "HEAD")
	r.expect("head", map[string]any{"head": first, "parents": 0, "parent": "", "published": true, "subject": "add a.txt"})
	r.commit("a.txt", "two\n")
	r.expect("head", map[string]any{"parent": first, "parents": 1, "published": false, "reachable": true})
	r.git("checkout", "-q", "--detach")
	r.commit("a.txt", "three\n")
	r.expect("head", map[string]any{"reachable": false})
}

func TestGitIdentity(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.expect("identity", map[string]any{"identity": true})
	r.env = append(r.env, "GIT_COMMITTER_NAME=")
	r.expect("identity", map[string]any{"identity": false})
}

func TestGitStash(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("a.txt", "one\n")
	r.expect("stash", map[string]any{"stashes": 0, "stash": "", "stash_fits": false})
	r.write("a.txt", "two\n")
	r.write("new/b.txt", "b\n")
	r.write("loose.txt", "x\n")
	r.git("add", "new")
	r.git("stash", "-q", "--include-untracked")
	fits := map[string]any{"stashes": 1, "stash_fits": true, "stash_why": "", "stash_paths": []any{"a.txt", "loose.txt", "new/b.txt"}}
	r.expect("stash", fits)
	r.commit("other.txt", "other\n")
	r.expect("stash", fits)
	for path, why := range map[string]string{
		"a.txt": "a.txt has changed since it was stashed", "loose.txt": "loose.txt stands where", "new": "new stands where",
	} {
		r.write(path, "in the way\n")
		if path == "a.txt" {
			r.git("commit", "-q", "-m", "change", "a.txt")
		}
		got := r.facts("stash")
		if got["stash_fits"] != false || !strings.HasPrefix(got["stash_why"].(string), why) {
			t.Errorf("%s: got %v", path, got["stash_why"])
		}
		if path == "a.txt" {
			r.git("reset", "-q", "--hard", "HEAD~1")
		} else if err := os.Remove(filepath.Join(r.dir, path)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGitWorktrees(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("a.txt", "one\n")
	gone := filepath.Join(t.TempDir(), "gone")
	r.git("worktree", "add", "-q", "--detach", gone)
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	got := r.facts("worktrees")
	list := got["worktrees"].([]any)
	if len(list) != 2 || got["stale"] != 1 || got["primary"] != r.git("rev-parse", "--show-toplevel") {
		t.Fatalf("got %v", got)
	}
	if w := list[1].(map[string]any); w["stale"] != true || w["detached"] != true || w["branch"] != "" {
		t.Errorf("got %v", w)
	}
	if w := list[0].(map[string]any); w["branch"] != "main" || w["stale"] != false || w["head"] == "" {
		t.Errorf("got %v", w)
	}
	place := got["primary"].(string) + "-fix---a"
	r.with("worktrees", "name", "fix/$'a", map[string]any{"path": place, "path_free": true})
	if err := os.Mkdir(place, 0o700); err != nil {
		t.Fatal(err)
	}
	r.with("worktrees", "name", "fix/$'a", map[string]any{"path": place, "path_free": false})
}

func TestGitShadowed(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("kept.txt", "one\n")
	r.commit("dir/a.txt", "one\n")
	r.commit("file", "one\n")
	r.write("loose.txt", "x")
	r.write("kept.txt", "two\n")
	r.expect("status", map[string]any{"shadowed": []any{}, "remotes": []any{}, "root": r.git("rev-parse", "--show-toplevel")})
	r.git("rm", "-q", "-r", "--cached", "dir", "file")
	if err := os.Remove(filepath.Join(r.dir, "file")); err != nil {
		t.Fatal(err)
	}
	r.write("file/below", "x")
	r.expect("status", map[string]any{"shadowed": []any{"dir/", "file/"}})
}

func TestGitDraft(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("first.txt", "x\n")
	r.git("add", "-A")
	r.with("draft", "include", "tracked", map[string]any{"message": "Add first.txt\n\n- added first.txt", "files": []any{"first.txt"}})
	r.commit("dir/old name", "some longer text that is recognised as a rename\n")
	r.with("draft", "include", "all", map[string]any{"message": "", "files": []any{}})
	r.git("mv", "dir/old name", "dir/new\tname")
	r.with("draft", "include", "staged", map[string]any{"message": "Rename dir/old name to \"dir/new\\tname\"\n\n- renamed dir/old name to \"dir/new\\tname\""})
	r.write("first.txt", "y\n")
	r.write("-n", "loose\n")
	r.with("draft", "include", "tracked", map[string]any{"message": "Change \"new\\tname\" and first.txt\n\n- renamed dir/old name to \"dir/new\\tname\"\n- changed first.txt"})
	r.with("draft", "include", "all", map[string]any{"files": []any{"dir/new\tname", "first.txt", "-n"}})
	if _, err := (Local{}).Call(context.Background(), "host.git", map[string]any{"op": "draft", "include": "some"}, Env{Dir: r.dir, Vars: r.env}); err == nil {
		t.Error("include: some is taken")
	}
}

func TestSubjects(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 80)
	many := func(n int, kind byte, dir string) (list []change) {
		for i := range n {
			list = append(list, change{kind: kind, path: dir + string(rune('a'+i))})
		}
		return list
	}
	for _, tc := range []struct {
		list []change
		want string
	}{
		{[]change{{kind: 'D', path: "a/b.go"}}, "Delete a/b.go"},
		{[]change{{kind: 'M', path: long + "/b.go"}}, "Update b.go"},
		{[]change{{kind: 'M', path: long}}, "Update " + long[:64] + "…"},
		{many(2, 'A', "x/y/"), "Add a and b"},
		{many(3, 'M', "x/y/"), "Update a, b and c"},
		{many(4, 'M', "x/y/"), "Update 4 files in x/y"},
		{append(many(4, 'M', "x/y/"), change{kind: 'D', path: "x/z"}), "Change 5 files in x"},
		{append(many(4, 'M', "x/y/"), change{kind: 'T', path: "z"}), "Change 5 files"},
		{many(4, 'A', long+"/"), "Add 4 files"},
	} {
		if got := subjectOf(tc.list); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
	if got := listing(many(26, 'A', "")); strings.Count(got, "\n") != 25 {
		t.Errorf("got %s", got)
	}
	var hundreds []change
	for range 150 {
		hundreds = append(hundreds, change{kind: 'M', path: "x"})
	}
	if got := listing(hundreds); !strings.HasSuffix(got, "\n- and 50 more") {
		t.Errorf("got %s", got)
	}
}

func TestChildrenAreKeptQuiet(t *testing.T) {
	t.Parallel()
	env := strings.Join(Environ(Env{Vars: []string{"GPG_TTY=/dev/pts/1", "ENV=x", "GIT_PAGER=less", "A=b"}}, "/", nil), "\n")
	for _, want := range []string{"A=b", "GIT_TERMINAL_PROMPT=0", "GH_PROMPT_DISABLED=1", "GIT_PAGER=less\nA=b\n"} {
		if !strings.Contains(env, want) {
			t.Errorf("%s is missing in\n%s", want, env)
		}
	}
	if strings.Contains(env, "GPG_TTY") || strings.Contains(env, "ENV=x") || strings.LastIndex(env, "GIT_PAGER=cat") < strings.Index(env, "GIT_PAGER=less") {
		t.Errorf("got\n%s", env)
	}
}
