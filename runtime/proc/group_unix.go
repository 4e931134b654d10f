//go:build unix

package proc

import (
	"context"
	"syscall"
	"time"
)

// EndGroup ends the group that a process leads, which may be dead itself: TERM,
// and KILL after DefaultGrace; it returns when no member is left, or ctx ends.
// A number that was given to another process since is left alone.
func EndGroup(ctx context.Context, p Process) {
	if boot, err := bootID(); err != nil || boot != p.Boot || !p.Alive() && exists(p.PID) {
		return
	}
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if syscall.Kill(-p.PID, sig) != nil {
			return
		}
		if emptied(ctx, p.PID) {
			return
		}
	}
}

// exists tells a process, or one that has ended and was not waited for.
func exists(pid int) bool {
	_, err := startOf(pid)
	return err == nil
}

// emptied waits until a group has no member, DefaultGrace at most.
func emptied(ctx context.Context, group int) bool {
	limit := time.NewTimer(DefaultGrace)
	defer limit.Stop()
	for syscall.Kill(-group, 0) == nil {
		select {
		case <-ctx.Done():
			return false
		case <-limit.C:
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
	return true
}
