package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// moved has main checked out and a commit to publish on it, which changes
// a.txt, adds new/b.txt, deletes old.txt, and makes tool executable.
func moved(t *testing.T) (r *repoAt, args map[string]any) {
	r = newRepo(t)
	r.write(".gitignore", "*.env\n")
	r.commit("a.txt", "one\n")
	r.commit("old.txt", "old\n")
	r.commit("tool", "tool\n")
	r.commit("still.txt", "still\n")
	from := r.head("HEAD")
	s := r.in(filepath.Join(t.TempDir(), "made"))
	r.git("worktree", "add", "-q", "--detach", s.dir)
	s.write("a.txt", "one and two\n")
	s.write("new/b.txt", "b\n")
	s.git("rm", "-q", "old.txt")
	if err := os.Chmod(filepath.Join(s.dir, "tool"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "made")
	args = map[string]any{"name": "main", "from": from, "to": s.head("HEAD")}
	r.git("worktree", "remove", "--force", s.dir)
	if err := os.MkdirAll(filepath.Dir(r.place()), 0o700); err != nil {
		t.Fatal(err)
	}
	return r, args
}

func TestPublishHere(t *testing.T) {
	t.Parallel()
	r, args := moved(t)
	r.write("secret.env", "s")
	r.write("mine.txt", "mine")
	r.write("still.txt", "changed\n")
	got := r.do("publish", args)
	r.same("result", got, map[string]any{"repository": true, "published": true, "here": true})
	r.same("HEAD", r.head("HEAD"), args["to"])
	r.same("branch", r.git("symbolic-ref", "--short", "HEAD"), "main")
	r.same("status", r.git("status", "--porcelain"), "M still.txt\n?? mine.txt")
	r.same("a.txt", r.read("a.txt"), "one and two\n")
	r.same("secret.env", r.read("secret.env"), "s")
	r.same("complete", r.do("unpublish", args)["published"], true)
	r.same("HEAD", r.head("HEAD"), args["to"])
	r.git("reset", "-q", "--keep", args["from"].(string))
	r.same("the way back", r.read("old.txt"), "old\n")
}

func TestPublishWhereNothingIsCheckedOut(t *testing.T) {
	t.Parallel()
	r, args := moved(t)
	r.git("checkout", "-q", "-b", "work")
	r.write("a.txt", "dirty\n")
	r.same("here", r.do("publish", args)["here"], false)
	r.same("main", r.head("main"), args["to"])
	r.same("work", r.head("HEAD"), args["from"])
	r.same("status", r.git("status", "--porcelain"), "M a.txt")
	r.git("update-ref", "refs/heads/main", args["from"].(string))
	r.write(".git/refs/heads/main.lock", "") // of a git that was killed
	r.same("published", r.do("unpublish", args)["published"], false)
	r.same("status", r.git("status", "--porcelain"), "M a.txt")
	r.git("update-ref", "refs/heads/main", args["to"].(string))
}

// TestPublishRefuses: nothing is published when anything has moved, and
// nothing of the person's changes.
func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		harm func(r *repoAt)
		why  string
	}{
		"the branch moved":       {func(r *repoAt) { r.commit("c.txt", "c\n") }, "main has moved"},
		"the branch is gone":     {func(r *repoAt) { r.git("checkout", "-q", "--detach"); r.git("branch", "-q", "-D", "main") }, "is gone now"},
		"changed":                {func(r *repoAt) { r.write("a.txt", "mine\n") }, "not committed: a.txt"},
		"staged":                 {func(r *repoAt) { r.write("a.txt", "mine\n"); r.git("add", "-A") }, "not committed: a.txt"},
		"staged elsewhere":       {func(r *repoAt) { r.write("only", "v1\n"); r.git("add", "only"); r.write("only", "v2\n") }, "not committed: only"},
		"taken out elsewhere":    {func(r *repoAt) { r.git("rm", "-q", "--cached", "still.txt") }, "not committed: still.txt"},
		"meant to be added":      {func(r *repoAt) { r.write("only", "x\n"); r.git("add", "-N", "only") }, "not committed: only"},
		"deleted":                {func(r *repoAt) { os.Remove(filepath.Join(r.dir, "old.txt")) }, "not committed: old.txt"},
		"untracked in the way":   {func(r *repoAt) { r.write("new/b.txt", "mine\n") }, "overwritten: new/b.txt"},
		"ignored in the way":     {func(r *repoAt) { r.write(".git/info/exclude", "b.txt\n"); r.write("new/b.txt", "mine\n") }, "overwritten: new/b.txt"},
		"a file for a directory": {func(r *repoAt) { r.write("new", "mine\n") }, "overwritten: new"},
		"an ignored one":         {func(r *repoAt) { r.write(".git/info/exclude", "new\n"); r.write("new", "mine\n") }, "overwritten: new"},
		"a directory for a file": {func(r *repoAt) { r.write("new/b.txt/x.env", "mine\n") }, "overwritten: new/b.txt/x.env"},
		"an operation":           {func(r *repoAt) { r.git("bisect", "start") }, "a bisect is in progress"},
		"another git":            {func(r *repoAt) { r.write(".git/index.lock", "") }, "index.lock"},
		"checked out elsewhere": {func(r *repoAt) {
			r.git("checkout", "-q", "--detach")
			r.git("worktree", "add", "-q", filepath.Join(r.dir, "..", "w"), "main")
		}, "in use in another worktree"},
		"rebased in another": {rebasedElsewhere, "in use in another worktree"},
		"no such commit":     {func(r *repoAt) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, args := moved(t)
			tc.harm(r)
			if tc.why == "" {
				args["to"] = "nope"
				tc.why = "names no commit"
			}
			ref := r.git("for-each-ref")
			before := r.git("status", "--porcelain", "--ignored") + r.git("ls-files", "--stage")
			r.refuse("publish", args, tc.why)
			r.same("refs", r.git("for-each-ref"), ref)
			r.same("tree", r.git("status", "--porcelain", "--ignored")+r.git("ls-files", "--stage"), before)
			args["to"] = args["from"].(string) + "~1"
			r.do("unpublish", args)
			r.same("tree", r.git("status", "--porcelain", "--ignored")+r.git("ls-files", "--stage"), before)
		})
	}
}

// rebasedElsewhere has another worktree in the middle of a rebase of main.
func rebasedElsewhere(r *repoAt) {
	r.git("checkout", "-q", "-b", "onto", "HEAD~1")
	r.commit("still.txt", "theirs\n")
	w := r.in(filepath.Join(r.dir, "..", "w"))
	r.git("worktree", "add", "-q", w.dir, "main")
	w.try("rebase", "onto")
}

// stopped is a publishing that was noted and never ended.
func (r *repoAt) stopped(args map[string]any) {
	r.t.Helper()
	data, err := json.Marshal(note{args["name"].(string), args["from"].(string), args["to"].(string), time.Now()})
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(noteFile(r.place()), data, 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// TestUnpublish: whatever git had come to when it was killed, the tree is as
// it was before; what git has not written stays.
func TestUnpublish(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		harm func(r *repoAt, to string)
		kept []any
	}{
		"not begun":       {func(*repoAt, string) {}, nil},
		"the lock alone":  {func(r *repoAt, _ string) { r.write(".git/index.lock", "") }, nil},
		"one file":        {func(r *repoAt, _ string) { r.write("a.txt", "one and two\n"); r.write(".git/index.lock", "") }, nil},
		"half a file":     {func(r *repoAt, _ string) { r.write("a.txt", "one an") }, nil},
		"an empty file":   {func(r *repoAt, _ string) { r.write("new/b.txt", "") }, nil},
		"room for a file": {func(r *repoAt, _ string) { os.Remove(filepath.Join(r.dir, "a.txt")) }, nil},
		"a deleted file":  {func(r *repoAt, _ string) { os.Remove(filepath.Join(r.dir, "old.txt")) }, nil},
		"all the files": {func(r *repoAt, to string) {
			r.git("restore", "--source="+to, "--worktree", "a.txt", "new", "old.txt", "tool")
		}, nil},
		"and the index": {func(r *repoAt, to string) { r.git("read-tree", "-u", "-m", "HEAD", to) }, nil},
		"and locks of refs": {func(r *repoAt, to string) {
			r.git("read-tree", "-u", "-m", "HEAD", to)
			r.write(".git/HEAD.lock", "")
			r.write(".git/refs/heads/main.lock", "")
		}, nil},
		"changed since": {func(r *repoAt, to string) { r.git("read-tree", "-u", "-m", "HEAD", to); r.write("a.txt", "mine\n") }, []any{"a.txt"}},
		"added since":   {func(r *repoAt, _ string) { r.write("new/b.txt", "mine\n") }, []any{"new/b.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, args := moved(t)
			r.write("secret.env", "s")
			r.write("still.txt", "changed\n")
			r.stopped(args)
			tc.harm(r, args["to"].(string))
			got := r.do("unpublish", args)
			r.same("published", got["published"], false)
			want := tc.kept
			if want == nil {
				want = []any{}
				r.same("status", r.git("status", "--porcelain"), "M still.txt")
				r.same("index", r.git("write-tree"), r.head("HEAD^{tree}"))
			}
			r.same("kept", got["kept"], want)
			r.same("index", r.git("write-tree"), r.head("HEAD^{tree}"))
			r.same("secret.env", r.read("secret.env"), "s")
			r.same("still.txt", r.read("still.txt"), "changed\n")
			r.same("HEAD", r.head("main"), args["from"])
			again := r.do("unpublish", args)
			r.same("again", again["restored"], []any{})
			for _, p := range want {
				r.same("kept", r.read(p.(string)), "mine\n")
			}
		})
	}
}

// TestUnpublishWithoutANote: nothing was begun, so a content that is the same
// by chance is the person's own.
func TestUnpublishWithoutANote(t *testing.T) {
	t.Parallel()
	r, args := moved(t)
	r.write("a.txt", "one and two\n")
	r.do("unpublish", args)
	r.same("a.txt", r.read("a.txt"), "one and two\n")
	r.write(noteFile("x"), "")
	if err := os.WriteFile(noteFile(r.place()), []byte(`{"Name":"ma`), 0o600); err != nil {
		t.Fatal(err)
	}
	r.do("unpublish", args)
	r.same("a torn note", r.read("a.txt"), "one and two\n")
	r.stopped(args)
	r.git("checkout", "-q", "-b", "other")
	r.do("unpublish", args)
	r.same("on another branch", r.read("a.txt"), "one and two\n")
	for _, bad := range []map[string]any{
		{"name": "main", "from": "main"}, {"name": "a..b", "from": "main", "to": "main"}, {"name": "HEAD", "from": "main", "to": "main"},
	} {
		if _, err := r.drive("unpublish", bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

// TestUnpublishFilesAndDirectories: a file that became a directory, and one
// that a directory became.
func TestUnpublishFilesAndDirectories(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("dir/a.txt", "a\n")
	r.commit("file", "file\n")
	from := r.head("HEAD")
	r.git("rm", "-q", "-r", "dir", "file")
	r.write("file/x.txt", "x\n")
	r.commit("dir", "now a file\n")
	to := r.head("HEAD")
	r.git("reset", "-q", "--hard", from)
	args := map[string]any{"name": "main", "from": from, "to": to}
	if err := os.MkdirAll(filepath.Dir(r.place()), 0o700); err != nil {
		t.Fatal(err)
	}
	r.stopped(args)
	r.git("read-tree", "-u", "-m", from, to)
	r.same("written", r.read("dir"), "now a file\n")
	r.do("unpublish", args)
	r.same("status", r.git("status", "--porcelain"), "")
	r.same("dir/a.txt", r.read("dir/a.txt"), "a\n")
}
