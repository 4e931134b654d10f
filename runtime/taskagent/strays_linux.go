package taskagent

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"kitsoki/runtime/proc"
)

// strayPoll is how often it is looked whether strays are gone.
const strayPoll = 10 * time.Millisecond

// endStrays ends the processes that have a variable of one attempt, which no
// others have: what an agent started in a group of its own, as coding agents
// do, would go on writing after its changes were looked at. They get TERM, and
// KILL after the grace period. What took the variable away is out of reach.
func endStrays(ctx context.Context, variable string, grace time.Duration) {
	if grace <= 0 {
		grace = proc.DefaultGrace
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace+time.Second)
	defer cancel()
	kill := time.After(grace)
	for sig := syscall.SIGTERM; ctx.Err() == nil && signalStrays(variable, sig) > 0; {
		select {
		case <-ctx.Done():
		case <-kill:
			sig = syscall.SIGKILL
		case <-time.After(strayPoll):
			if sig == syscall.SIGTERM {
				sig = 0 // it was sent; see whether they go
			}
		}
	}
}

// signalStrays counts the strays that a signal reaches.
func signalStrays(variable string, sig syscall.Signal) (n int) {
	found, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range found {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || pid == os.Getpid() {
			continue
		}
		p, err := os.FindProcess(pid) // before it is looked at, so that the number stays its own
		if err != nil {
			continue
		}
		if has(dir, variable) && p.Signal(sig) == nil {
			n++
		}
		_ = p.Release()
	}
	return n
}

func has(dir, variable string) bool {
	env, err := os.ReadFile(filepath.Join(dir, "environ"))
	return err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+variable+"\x00"))
}
