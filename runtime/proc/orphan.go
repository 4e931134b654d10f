package proc

import (
	"context"
	"os"
	"time"
)

// orphanPoll is how often a process looks whether its parent is still there.
const orphanPoll = 100 * time.Millisecond

// WhenOrphaned calls act once the process that started us has ended, and
// returns; or returns when ctx ends.
func WhenOrphaned(ctx context.Context, act func()) {
	parent := os.Getppid()
	tick := time.NewTicker(orphanPoll)
	defer tick.Stop()
	for os.Getppid() == parent {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	act()
}
