package journal

import (
	"context"
	"errors"
	"time"
)

// TryLock takes an exclusive lock on a file, which it makes if need be. The
// lock ends with the process at the latest. ok is false when another holds it.
func TryLock(path string) (release func(), ok bool, err error) { return lock(path, false) }

// WaitLock is TryLock that waits for its turn.
func WaitLock(path string) (release func(), err error) {
	release, _, err = lock(path, true)
	return release, err
}

// lockPoll is how often LockWithin tries.
const lockPoll = 3 * time.Millisecond

// ErrLocked says that another process held a lock for as long as there was time.
var ErrLocked = errors.New("another process holds it")

// LockWithin is WaitLock that ends with the context, with an error that is
// ErrLocked.
func LockWithin(ctx context.Context, path string) (release func(), err error) {
	for {
		release, ok, err := TryLock(path)
		if err != nil || ok {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, ErrLocked
		case <-time.After(lockPoll):
		}
	}
}
