//go:build linux

package host

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLocksOfAPersonsGit: a git that works holds its lock, also when it has the
// file not open, as a commit has not while its editor is; one that only shows
// something holds none.
func TestLocksOfAPersonsGit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args []string
		held bool
	}{
		"commit":        {[]string{"commit", "--allow-empty"}, true},
		"behind flags":  {[]string{"-c", "x.y=z", "-C", ".", "commit", "--allow-empty"}, true},
		"from below":    {[]string{"-C", "sub", "commit", "--allow-empty"}, true},
		"only cat-file": {[]string{"-c", "x.y=z", "cat-file", "--batch"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			r.commit("sub/a.txt", "a\n")
			wait, ended := filepath.Join(t.TempDir(), "wait"), filepath.Join(t.TempDir(), "started")
			if err := exec.Command("mkfifo", wait).Run(); err != nil {
				t.Skip("no mkfifo")
			}
			c := exec.Command("git", tc.args...)
			c.Dir, c.Env = r.dir, append(r.env, "GIT_EDITOR=touch '"+ended+"'; cat '"+wait+"' >/dev/null; false")
			in, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			for tc.held && !exists(ended) {
				time.Sleep(5 * time.Millisecond)
			}
			lock := filepath.Join(r.dir, ".git", "x.lock")
			r.write(".git/x.lock", "")
			err = FreeLocks(context.Background(), time.Time{}, Places(filepath.Join(r.dir, ".git")), lock)
			if errors.Is(err, ErrLocked) != tc.held || exists(lock) != tc.held {
				t.Errorf("held %v: %v, it is there: %v", tc.held, err, exists(lock))
			}
			in.Close()
			if tc.held {
				if err := os.WriteFile(wait, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_ = c.Wait()
			if err := FreeLocks(context.Background(), time.Time{}, Places(filepath.Join(r.dir, ".git")), lock); err != nil || exists(lock) {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// TestPublishWithTheBranchLocked: what can't be moved is not half published,
// whether another git holds the branch before or the moment it is moved.
func TestPublishWithTheBranchLocked(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(r *repoAt){
		"before": func(r *repoAt) { r.write(".git/refs/heads/main.lock", "") },
		"then": func(r *repoAt) {
			r.write(".git/hooks/reference-transaction", "#!/bin/sh\n[ \"$1\" != prepared ] || { git status >/dev/null; exit 1; }\n")
			if err := os.Chmod(filepath.Join(r.dir, ".git/hooks/reference-transaction"), 0o755); err != nil {
				r.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, args := moved(t)
			r.write("still.txt", "mine\n")
			before := r.git("status", "--porcelain", "--ignored") + r.git("ls-files", "--stage")
			harm(r)
			r.refuse("publish", args, "nothing was published")
			r.same("tree", r.git("status", "--porcelain", "--ignored")+r.git("ls-files", "--stage"), before)
			r.same("main", r.head("main"), args["from"])
			r.same("still.txt", r.read("still.txt"), "mine\n")
		})
	}
}

// TestUnpublishWithTheBranchLocked: the files are taken back whatever holds the
// branch.
func TestUnpublishWithTheBranchLocked(t *testing.T) {
	t.Parallel()
	r, args := moved(t)
	before := r.git("status", "--porcelain", "--ignored") + r.git("ls-files", "--stage")
	r.write(".git/refs/heads/main.lock", "")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(r.dir, ".git/refs/heads/main.lock"), old, old); err != nil {
		t.Fatal(err)
	}
	noteNow(r, args)
	r.git("read-tree", "-m", "-u", args["from"].(string), args["to"].(string)) // all but the branch
	r.same("half done", r.read("a.txt"), "one and two\n")
	r.same("published", r.do("unpublish", args)["published"], false)
	r.same("tree", r.git("status", "--porcelain", "--ignored")+r.git("ls-files", "--stage"), before)
}

// noteNow notes that publishing begins.
func noteNow(r *repoAt, args map[string]any) {
	r.t.Helper()
	q := repo{ctx: context.Background(), env: Env{Dir: r.dir, Vars: r.env, Session: "01TEST"}}
	m, err := q.moveOf(args)
	if err == nil {
		err = q.note(m)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// TestAKilledGitHasNoAnswer: that it was killed is no answer "".
func TestAKilledGitHasNoAnswer(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("a.txt", "a\n")
	bin := t.TempDir()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\ncase \"$*\" in *symbolic-ref*) kill -9 $$ ;; esac\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	env := Env{Dir: r.dir, Vars: append(r.env, "PATH="+bin+":"+os.Getenv("PATH"))}
	_, err = (Local{}).Call(context.Background(), "host.git", map[string]any{"op": "branches"}, env)
	if err == nil || !strings.Contains(err.Error(), "ended by a signal") {
		t.Errorf("the branch is said to be known: %v", err)
	}
}

// TestDecided: what git could not merge and left as one side is no resolution.
func TestDecided(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		attributes, base, main, side string
		resolve                      string // "": left as it is
		why                          string
	}{
		"a NUL":             {"", "b\x00\n", "m\x00\n", "s\x00\n", "", "stands as git has left it"},
		"a NUL, resolved":   {"", "b\x00\n", "m\x00\n", "s\x00\n", "m\x00s\n", ""},
		"binary by name":    {"a.txt binary\n", "b\n", "m\n", "s\n", "", "stands as git has left it"},
		"not to be merged":  {"a.txt -merge\n", "b\n", "m\n", "s\n", "", "stands as git has left it"},
		"one side by will":  {"", "b\n", "m\n", "s\n", "m\n", ""},
		"short markers":     {"a.txt conflict-marker-size=3\n", "b\n", "m\n", "s\n", "", "a conflict marker is left in a.txt, line 1: <<<"},
		"long markers":      {"a.txt conflict-marker-size=32\n", "b\n", "m\n", "s\n", "", "a conflict marker is left in a.txt"},
		"UTF-16":            {"a.txt text working-tree-encoding=UTF-16LE\n", utf16le("b\n"), utf16le("m\n"), utf16le("s\n"), "", "a conflict marker is left in a.txt"},
		"UTF-16, resolved":  {"a.txt text working-tree-encoding=UTF-16LE\n", utf16le("b\n"), utf16le("m\n"), utf16le("s\n"), utf16le("m and s\n"), ""},
		"gone":              {"", "b\n", "m\n", "s\n", "gone", "a.txt is gone, and both sides have it"},
		"markers, no blank": {"", "b\n", "m\n", "s\n", "x\n>>>>>>>\n", "line 2: >>>>>>>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			r.commit(".gitattributes", tc.attributes+"# ok\n")
			r.commit("a.txt", tc.base)
			r.git("checkout", "-q", "-b", "side")
			r.commit("a.txt", tc.side)
			r.git("checkout", "-q", "main")
			r.commit("a.txt", tc.main)
			r.try("merge", "side")
			if tc.resolve == "gone" {
				r.git("rm", "-q", "--force", "--", "a.txt")
			} else if tc.resolve != "" {
				r.write("a.txt", tc.resolve)
			}
			if tc.why != "" {
				r.refuse("add_resolved", map[string]any{"paths": []any{"a.txt"}}, tc.why)
				return
			}
			r.same("added", r.do("add_resolved", map[string]any{"paths": []any{"a.txt"}})["added"], []any{"a.txt"})
		})
	}
}

func utf16le(s string) string {
	var out strings.Builder
	for _, c := range []byte(s) {
		out.WriteString(string([]byte{c, 0}))
	}
	return out.String()
}

// TestOtherKindsOfConflicts: a file removed on one side may be kept; where git
// has made room for two things of one name, somebody has to decide.
func TestOtherKindsOfConflicts(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("a.txt", "base\n")
	r.git("checkout", "-q", "-b", "side")
	r.git("rm", "-q", "a.txt")
	r.git("commit", "-q", "-m", "gone")
	r.commit("d/x.txt", "x\n")
	r.git("checkout", "-q", "main")
	r.commit("a.txt", "changed\n")
	r.commit("d", "a file\n")
	r.try("merge", "side")
	r.same("kept", r.do("add_resolved", map[string]any{"paths": []any{"a.txt"}})["added"], []any{"a.txt"})
	r.refuse("add_resolved", map[string]any{"paths": []any{"d~HEAD"}}, "nobody has resolved it")
}

// TestPublishWhereGitIsElsewhere: in a submodule, or with the directory of git
// apart, the main worktree is not beside it.
func TestPublishWhereGitIsElsewhere(t *testing.T) {
	t.Parallel()
	r, args := moved(t)
	at := filepath.Join(t.TempDir(), "elsewhere")
	r.git("init", "-q", "--separate-git-dir", at)
	r.same("result", r.do("publish", args)["here"], true)
	r.same("HEAD", r.head("HEAD"), args["to"])
	r.same("status", r.git("status", "--porcelain"), "")
}
