//go:build unix

package host

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDetachedCommand: it is left running once it is ready, writes to a log
// of its owner's, and one that ends before is a result like another.
func TestDetachedCommand(t *testing.T) {
	t.Parallel()
	logs := filepath.Join(t.TempDir(), "logs")
	call := func(args map[string]any) (map[string]any, error) {
		return Local{Logs: logs}.Call(context.Background(), "host.run", args, Env{Dir: t.TempDir(), Vars: vars0(), Detach: true})
	}
	got, err := call(map[string]any{"cmd": "echo up and $((1+1)); exec sleep 600", "ready": "up and 2"})
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := got["pid"].(int)
	if pid < 2 || got["ok"] != true || got["exit_code"] != 0 || got["stdout"] != "up and 2\n" {
		t.Fatalf("observed %v", got)
	}
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
		t.Errorf("process %d does not run: %v", pid, err)
	}
	log, _ := got["log"].(string)
	if st, err := os.Stat(log); err != nil || filepath.Dir(log) != logs || st.Mode().Perm() != 0o600 {
		t.Errorf("log %s: %v %v", log, st, err)
	}
	got, err = call(map[string]any{"cmd": "echo no port; exit 3", "ready": "up"})
	if err != nil || got["pid"] != 0 || got["ok"] != false || got["exit_code"] != 3 || got["stdout"] != "no port\n" {
		t.Errorf("observed %v %v", got, err)
	}
	if _, err := call(map[string]any{"cmd": "exit 3", "ready": "up", "fail_on_error": true}); err == nil {
		t.Error("fail_on_error was forgotten")
	}
	got, err = call(map[string]any{"cmd": "sleep 600", "ready": "up", "timeout": "100ms"})
	if err != nil || got["timed_out"] != true || got["pid"] != 0 {
		t.Errorf("observed %v %v", got, err)
	}
	if _, err := call(map[string]any{"cmd": "no-such-program", "args": []any{}}); err == nil {
		t.Error("a program that is not there was left running")
	}
	if _, err := (Local{}).Call(context.Background(), "host.run", map[string]any{"cmd": "true"}, Env{Dir: "/", Vars: vars0(), Detach: true}); err == nil || !strings.Contains(err.Error(), "no log") {
		t.Errorf("without a directory for logs: %v", err)
	}
}
