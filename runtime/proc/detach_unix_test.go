//go:build unix

package proc

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func ends(text string) func([]byte, time.Duration) bool {
	return func(log []byte, _ time.Duration) bool { return bytes.Contains(log, []byte(text)) }
}

func create(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "*.log")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestDetach: a command that says it is ready is left running, with all it
// says in its log, and its group can be ended by the pid.
func TestDetach(t *testing.T) {
	t.Parallel()
	log := create(t)
	d := Detach(context.Background(), sh("echo $$; sleep 600 & echo $!; echo up >&2; wait"), log, ends("up\n"))
	if d.PID == 0 || d.Result.Err != nil {
		t.Fatalf("observed %+v", d)
	}
	text, err := os.ReadFile(log.Name())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(text))
	if lines[0] != strconv.Itoa(d.PID) || gone(d.PID) {
		t.Errorf("pid %d, log %q", d.PID, text)
	}
	if err := syscall.Kill(-d.PID, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	mustDie(t, []byte(lines[1]))
}

func TestDetachThatIsNotReady(t *testing.T) {
	t.Parallel()
	log := create(t)
	slow := sh("sleep 600 & echo $!; wait")
	slow.Timeout = 300 * time.Millisecond
	d := Detach(context.Background(), slow, log, ends("never"))
	if d.PID != 0 || !d.Result.TimedOut {
		t.Errorf("observed %+v", d)
	}
	text, err := os.ReadFile(log.Name())
	if err != nil {
		t.Fatal(err)
	}
	mustDie(t, text)
	if d := Detach(context.Background(), sh("echo no; exit 3"), create(t), ends("never")); d.PID != 0 || d.Result.ExitCode != 3 || d.Result.OK() {
		t.Errorf("observed %+v", d)
	}
	if d := Detach(context.Background(), Cmd{Argv: []string{"no-such-program"}}, create(t), ends("")); d.Result.Err == nil {
		t.Errorf("observed %+v", d)
	}
}
