package host

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fileTree is a directory with links out of it, and what they lead to.
func fileTree(t *testing.T) (dir, outside string) {
	t.Helper()
	dir, outside = t.TempDir(), t.TempDir()
	for path, data := range map[string]string{
		filepath.Join(dir, "a.txt"): "hello\n", filepath.Join(dir, "blob"): "\xff\x00",
		filepath.Join(dir, "big"): strings.Repeat("x", maxFile+1), filepath.Join(outside, "secret"): "s",
	} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"sub", ".git"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"out": filepath.Join(outside, "secret"), "outdir": outside, "in": "a.txt", "gitdir": ".git",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	return dir, outside
}

func TestFileRead(t *testing.T) {
	t.Parallel()
	dir, outside := fileTree(t)
	for path, want := range map[string][2]string{
		"a.txt": {"hello\n", ""}, "./sub/../a.txt": {"hello\n", ""}, "in": {"hello\n", ""}, "none": {"", ""}, "sub/none": {"", ""},
		"out": {"", "escapes"}, "outdir/secret": {"", "escapes"}, "../x": {"", "no path inside"}, ".": {"", "no path inside"},
		filepath.Join(outside, "secret"): {"", "no path inside"}, "sub": {"", "no regular file"}, "blob": {"", "no text"}, "big": {"", "longer"},
	} {
		res, err := Local{}.Call(context.Background(), "host.file.read", map[string]any{"path": path}, Env{Dir: dir})
		if want[1] != "" {
			if err == nil || !strings.Contains(err.Error(), want[1]) {
				t.Errorf("%s: expected an error with %q, observed %v %v", path, want[1], res, err)
			}
			continue
		}
		if err != nil || res["content"] != want[0] || res["exists"] != (want[0] != "") {
			t.Errorf("%s: observed %v %v", path, res, err)
		}
		sameKeys(t, "host.file.read", "", res)
	}
}

func TestFileWrite(t *testing.T) {
	t.Parallel()
	dir, outside := fileTree(t)
	for path, want := range map[string]string{
		"a.txt": "", "new/deep/b.txt": "", "sub/c": "",
		"out": "no regular file", "outdir/x": "escapes", "in": "no regular file", "../x": "no path inside", "sub": "no regular file",
		".git/config": "below .git", ".GIT/hooks/post-commit": "below .git", "gitdir/hooks/x": "symbolic link",
	} {
		_, statErr := os.Stat(filepath.Join(dir, path))
		res, err := Local{}.Call(context.Background(), "host.file.write", map[string]any{"path": path, "content": "new\n"}, Env{Dir: dir})
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: expected an error with %q, observed %v %v", path, want, res, err)
			}
			continue
		}
		data, readErr := os.ReadFile(filepath.Join(dir, path))
		if err != nil || readErr != nil || string(data) != "new\n" || res["bytes"] != 4 || res["created"] != (statErr != nil) {
			t.Errorf("%s: observed %v %v, %q", path, res, err, data)
		}
		sameKeys(t, "host.file.write", "", res)
	}
	if info, err := os.Stat(filepath.Join(dir, "a.txt")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of an old file: %v %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
		t.Errorf("written outside: %v %v", left, err)
	}
	if _, err := (Local{}).Call(context.Background(), "host.file.write", map[string]any{"path": "x"}, Env{Dir: dir}); err == nil {
		t.Error("nothing was written without content")
	}
}
