//go:build unix

package artifact

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOpenRefusesWhatIsNoFile: nothing of these is read, and none waits.
func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, sparse, device := filepath.Join(dir, "pipe.kit"), filepath.Join(dir, "sparse.kit"), "/dev/zero"
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(sparse, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 2<<30); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	for path, want := range map[string]string{pipe: "not a regular file", device: "not a regular file", sparse: ""} {
		_, err := Open(path)
		var le *LoadError
		if !errors.As(err, &le) || le.Status != StatusCorrupt || le.Path != path || !strings.Contains(le.Detail, want) {
			t.Errorf("Open(%s): expected a corrupt file named so, observed %v", path, err)
		}
	}
}

// TestWriteFileReplacesFilesAlone: a pipe or a directory stays what it is, and
// a link stays a link.
func TestWriteFileReplacesFilesAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, link, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, dir, "/dev/null"} {
		if err := WriteFile(path, []byte("new")); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if st, err := os.Lstat(pipe); err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe became %v, %v", st, err)
	}
	if err := WriteFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if to, _ := os.Readlink(link); err != nil || string(data) != "new" || to != "file" {
		t.Errorf("the link leads to %q, which holds %q: %v", to, data, err)
	}
}
