package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
)

func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestLocate(t *testing.T) {
	t.Parallel()
	base := tempDir(t)
	at := func(parts ...string) string { return filepath.Join(append([]string{base}, parts...)...) }
	write(t, at("main", ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, at("main", "a", "b", "file"), "")
	write(t, at("tree", ".git"), "gitdir: "+at("main", ".git", "worktrees", "tree")+"\n")
	write(t, at("main", ".git", "worktrees", "tree", "commondir"), "../..\n")
	write(t, at("main", "sub", ".git"), "gitdir: ../.git/modules/sub\n")
	write(t, at("main", ".git", "modules", "sub", "HEAD"), "")
	write(t, at("bare-tree", ".git"), "gitdir: "+at("bare.git", "worktrees", "w"))
	write(t, at("bare.git", "worktrees", "w", "commondir"), "../..")
	write(t, at("broken", ".git"), "nonsense")
	write(t, at("plain", "file"), "")

	tests := []struct {
		name, dir string
		want      Repo
	}{
		{"root", at("main"), Repo{Root: at("main"), Git: at("main", ".git"), Common: at("main", ".git")}},
		{"below", at("main", "a", "b"), Repo{Root: at("main"), Git: at("main", ".git"), Common: at("main", ".git")}},
		{"worktree", at("tree"), Repo{Root: at("tree"), Git: at("main", ".git", "worktrees", "tree"), Common: at("main", ".git"), Primary: at("main")}},
		{"submodule", at("main", "sub"), Repo{Root: at("main", "sub"), Git: at("main", ".git", "modules", "sub"), Common: at("main", ".git", "modules", "sub")}},
		{"worktree of a bare one", at("bare-tree"), Repo{Root: at("bare-tree"), Git: at("bare.git", "worktrees", "w"), Common: at("bare.git")}},
		{"broken pointer", at("broken"), Repo{Root: at("broken")}},
		{"none", at("plain"), Repo{}},
	}
	for _, tt := range tests {
		tt.want.Dir = tt.dir
		if got := Locate(tt.dir); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
	if a, b := Locate(at("main", "a")).Key(), Locate(at("tree")).Key(); a != b {
		t.Errorf("a worktree has a key of its own: %s, %s", a, b)
	}
	sum := sha256.Sum256([]byte(at("main", ".git")))
	if got, want := Locate(at("main")).Key(), hex.EncodeToString(sum[:8]); got != want {
		t.Errorf("key %s, want %s", got, want)
	}
	if a, b := Locate(at("plain")).Key(), Locate(at("broken")).Key(); a == b {
		t.Error("two directories have one key")
	}
}

func TestLocateThroughALink(t *testing.T) {
	t.Parallel()
	base := tempDir(t)
	write(t, filepath.Join(base, "repo", ".git", "HEAD"), "")
	write(t, filepath.Join(base, "repo", "sub", "file"), "")
	link := filepath.Join(base, "link")
	if err := os.Symlink(filepath.Join(base, "repo", "sub"), link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if got := Locate(link).Root; got != filepath.Join(base, "repo") {
		t.Errorf("root %q", got)
	}
}
