//go:build !windows

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock takes an exclusive lock that ends with the process at the latest. ok
// is false when another holds it and we are not to wait.
func lock(path string, wait bool) (release func(), ok bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, false, err
	}
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	err = syscall.Flock(int(f.Fd()), how)
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Flock(int(f.Fd()), how)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false, f.Close()
	}
	if err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, true, nil
}
