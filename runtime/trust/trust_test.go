package trust

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/journal"
)

func now() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }

// bench is one repository and one store.
type bench struct {
	t     *testing.T
	dir   string
	repo  journal.Repo
	store Store
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, dir: filepath.Join(dir, "repo"), store: Store{Dir: filepath.Join(dir, "trust"), UID: os.Geteuid()}}
	b.repo = journal.Repo{Dir: b.dir, Root: b.dir, Common: filepath.Join(b.dir, ".git")}
	b.write("conf", "one\n")
	b.write("story/app", "two\n")
	b.write(".git/HEAD", "x")
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) collect(names ...string) (*Collector, Closure) {
	b.t.Helper()
	c := &Collector{Roots: []string{b.dir}, UID: os.Geteuid()}
	for _, name := range names {
		if err := c.Add(b.path(name), ""); err != nil {
			b.t.Fatal(err)
		}
	}
	closure, err := c.Closure(b.path("conf"))
	if err != nil {
		b.t.Fatal(err)
	}
	return c, closure
}

// TestHash: the hash follows every byte and every name, and nothing else.
func TestHash(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, base := b.collect("conf", "story/app")
	if h := base.Hash(); !strings.HasPrefix(h, "sha256:") || len(h) != len("sha256:")+64 {
		t.Errorf("observed %s", h)
	}
	if _, again := b.collect("story/app", "conf", "conf"); again.Hash() != base.Hash() {
		t.Error("the order of adding counts")
	}
	other := newBench(t)
	if _, there := other.collect("conf", "story/app"); there.Hash() != base.Hash() {
		t.Error("where the repository lies counts")
	}
	if _, less := b.collect("conf"); less.Hash() == base.Hash() {
		t.Error("a file less does not count")
	}
	b.write("story/app", "two!")
	if _, changed := b.collect("conf", "story/app"); changed.Hash() == base.Hash() {
		t.Error("a changed byte does not count")
	}
	split := Closure{Config: "a", Files: []File{{Name: "b", Sum: "1"}, {Name: "c", Sum: "2"}}}
	joined := Closure{Config: "a", Files: []File{{Name: "b 1\n1:c", Sum: "2"}}}
	if split.Hash() == joined.Hash() {
		t.Error("a name can look like two files")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("open", "x")
	if err := os.Chmod(b.path("open"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(b.dir), b.path("out")); err != nil {
		t.Skip("no symbolic links here")
	}
	outside := filepath.Join(filepath.Dir(b.dir), "outside")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path string
		uid  int
		want string
	}{
		{b.path("conf"), os.Geteuid(), ""},
		{b.path("conf"), -1, ""},
		{b.path("open"), os.Geteuid(), "may be written by everybody"},
		{outside, os.Geteuid(), "lies outside of the repository"},
		{b.path("out/outside"), os.Geteuid(), "is linked out of the repository"},
		{b.path("story"), os.Geteuid(), "is no regular file"},
	}
	if os.Geteuid() != 0 { // what root owns is never another user's
		tests = append(tests, struct {
			path string
			uid  int
			want string
		}{b.path("conf"), os.Geteuid() + 1, "belongs to another user"})
	}
	for _, tt := range tests {
		c := &Collector{Roots: []string{b.dir}, UID: tt.uid}
		err := c.Add(tt.path, "")
		var refused *RefusedError
		if (err != nil) != (tt.want != "") || tt.want != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: expected %q, observed %v", tt.path, tt.want, err)
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c, closure := b.collect("conf", "story/app")
	if err := c.Verify(closure); err != nil {
		t.Error(err)
	}
	b.write("story/app", "two?")
	var changed *ChangedError
	if err := c.Verify(closure); !errors.As(err, &changed) || changed.Name != "story/app" {
		t.Errorf("observed %v", err)
	}
	if err := b.store.Accept(b.repo, closure, now()); !errors.As(err, &changed) {
		t.Errorf("accepted what has changed: %v", err)
	}
	if err := os.Remove(b.path("story/app")); err != nil {
		t.Fatal(err)
	}
	if c.Verify(closure) == nil {
		t.Error("a missing file is not noticed")
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, first := b.collect("conf", "story/app")
	r, err := b.store.Load(b.repo)
	if err != nil || r.Has(first) || r.Denied {
		t.Fatalf("nothing was said: %+v %v", r, err)
	}
	b.accept(first)
	if r := b.load(); !r.Has(first) || len(r.Grants) != 1 {
		t.Errorf("observed %+v", r)
	}
	b.write("conf", "three\n")
	_, second := b.collect("conf", "story/app")
	if b.load().Has(second) {
		t.Error("what changed is trusted")
	}
	b.accept(second)
	r = b.load()
	if last, ok := r.Last("conf"); !r.Has(first) || !r.Has(second) || !ok || last.Hash != second.Hash() {
		t.Errorf("observed %+v", r)
	}
	if r.Has(Closure{Config: "other", Files: first.Files}) {
		t.Error("another configuration file is trusted")
	}
	if err := b.store.Deny(b.repo); err != nil {
		t.Fatal(err)
	}
	if r := b.load(); !r.Denied || r.Has(second) {
		t.Errorf("denied: observed %+v", r)
	}
	if had, err := b.store.Revoke(b.repo); !had || err != nil || b.load().Denied {
		t.Errorf("revoked: %v %v", had, err)
	}
	if had, err := b.store.Revoke(b.repo); had || err != nil {
		t.Errorf("revoked twice: %v %v", had, err)
	}
}

func (b *bench) accept(c Closure) {
	b.t.Helper()
	if err := b.store.Accept(b.repo, c, now()); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) load() Repository {
	b.t.Helper()
	r, err := b.store.Load(b.repo)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func TestGrantsAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, first := b.collect("conf")
	b.accept(first)
	for i := range maxGrants {
		b.write("conf", strings.Repeat("x", i+1))
		_, c := b.collect("conf")
		b.accept(c)
	}
	if r := b.load(); len(r.Grants) != maxGrants || r.Has(first) {
		t.Errorf("%d grants, the first among them: %v", len(r.Grants), r.Has(first))
	}
}

// TestWhatOthersMayWriteGrantsNothing: neither may what is not readable, or
// was copied from another repository.
func TestWhatOthersMayWriteGrantsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, c := b.collect("conf")
	b.accept(c)
	path := b.store.Path(b.repo)
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	if st, err := os.Stat(b.store.Dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	other := b.repo
	other.Common += "2"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.store.Path(other), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Load(other); err == nil {
		t.Error("another repository's file is taken")
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Load(b.repo); err == nil {
		t.Error("a file that everybody may write is taken")
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Load(b.repo); err == nil {
		t.Error("a damaged file is taken")
	}
}

func TestListAndPrune(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, c := b.collect("conf", "story/app")
	b.accept(c)
	gone := journal.Repo{Dir: b.path("gone")}
	if err := b.store.Deny(gone); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.store.kept("unused"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := b.store.List()
	if err != nil || len(list) != 2 || list[0].Path != b.repo.Common || list[1].Path != gone.Dir {
		t.Errorf("observed %+v %v", list, err)
	}
	pruned, err := b.store.Prune()
	if err != nil || !slices.Equal(pruned, []string{gone.Dir}) {
		t.Errorf("observed %v %v", pruned, err)
	}
	kept, err := os.ReadDir(filepath.Join(b.store.Dir, "files"))
	if err != nil || len(kept) != 2 || !b.load().Has(c) {
		t.Errorf("kept %v %v", kept, err)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("conf", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n")
	b.write("same", "x\n")
	b.write("old", "was here")
	_, before := b.collect("conf", "same", "old", "story/app")
	b.accept(before)
	last, _ := b.load().Last("conf")
	if got := b.store.Diff(last, before); got != "" {
		t.Errorf("no change is shown as %q", got)
	}
	b.write("conf", "a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nl\nm\n")
	b.write("new", "n\n")
	b.write("story/app", "\x00")
	_, after := b.collect("conf", "same", "new", "story/app")
	want := `--- a/conf
+++ b/conf
@@ -1,5 +1,5 @@
 a
-b
+B
 c
 d
 e
@@ -8,5 +8,5 @@
 h
 i
 j
-k
 l
+m
--- /dev/null
+++ b/new
@@ -1,0 +1,1 @@
+n
--- a/old
+++ /dev/null
@@ -1,1 +1,0 @@
-was here
\ No newline at end of file
--- a/story/app
+++ b/story/app
(differs; too large, or no text, to be shown)
`
	if got := b.store.Diff(last, after); got != want {
		t.Errorf("observed\n%s", got)
	}
}

func TestSumIsTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := &Collector{Roots: []string{b.dir}, UID: os.Geteuid()}
	if err := c.Add(b.path("conf"), journal.Sum([]byte("compiled"))); err != nil {
		t.Fatal(err)
	}
	closure, err := c.Closure(b.path("conf"))
	if err != nil || closure.Files[0].Sum != journal.Sum([]byte("compiled")) {
		t.Errorf("the digest of what was compiled is not kept: %+v %v", closure, err)
	}
	var changed *ChangedError
	if err := c.Verify(closure); !errors.As(err, &changed) {
		t.Errorf("what was compiled is not what stands there, observed %v", err)
	}
}
