package host

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProject: host.project finds the repository's command upwards, and
// host.run runs it where it belongs.
func TestProject(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for path, text := range map[string]string{"Makefile": "test:\n\t@pwd; echo $(X)\nlint:\n\t@exit 3\n", "sub/x": "", ".git": "gitdir: elsewhere"} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := Env{Dir: filepath.Join(root, "sub"), Vars: vars0()}
	call := func(name string, args map[string]any) map[string]any {
		t.Helper()
		out, err := Local{}.Call(context.Background(), name, args, env)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := call("host.project", map[string]any{"find": "test"}); got["found"] != true || got["command"] != "make test" || got["dir"] != root || got["tool"] != "make" {
		t.Errorf("observed %v", got)
	}
	if got := call("host.project", map[string]any{"find": "build"}); got["found"] != false || got["reason"] == "" {
		t.Errorf("observed %v", got)
	}
	got := call("host.run", map[string]any{"project": "test", "args": []any{"X=more"}})
	if out, _ := got["stdout"].(string); got["command"] != "make test X=more" || !strings.Contains(out, "more\n") || !strings.Contains(out, filepath.Base(root)+"\n") {
		t.Errorf("observed %v", got)
	}
	if got := call("host.run", map[string]any{"project": "lint"}); got["ok"] != false {
		t.Errorf("observed %v", got)
	}
	if _, err := (Local{}).Call(context.Background(), "host.run", map[string]any{"project": "build"}, env); err == nil || !strings.Contains(err.Error(), "no build command") {
		t.Errorf("observed %v", err)
	}
}
