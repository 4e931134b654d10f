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
