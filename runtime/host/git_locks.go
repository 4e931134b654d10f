package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// inDir is a file of the worktree's own git directory.
func (r repo) inDir(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// freeLocks removes lock files that a git which was killed has left. One that
// was made before a time, or that some process has open, belongs to somebody
// else. Where it can't be seen who has it open, it is left.
func freeLocks(since time.Time, locks ...string) error {
	for _, lock := range locks {
		info, err := os.Lstat(lock)
		if err != nil {
			continue
		}
		if info.ModTime().Before(since) {
			return failf(gitName, "%s was there before: another git works here, or one has died", lock)
		}
		if err := soonUnheld(lock); err != nil {
			return failf(gitName, "%v", err)
		}
		if err := os.Remove(lock); err != nil && !os.IsNotExist(err) {
			return failf(gitName, "%v", err)
		}
	}
	return nil
}

// soonUnheld is unheld, asked a few times: a process that is being started has
// for a moment all files open that the one has which starts it.
func soonUnheld(path string) (err error) {
	for range 10 {
		if err = unheld(path); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// unheld looks through the open files of all processes that may be looked at;
// see proc(5), /proc/pid/fd.
func unheld(path string) error {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		return fmt.Errorf("whether a git still works here can't be seen; if none does, remove %s", path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil // it is gone
	}
	open, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return err
	}
	for _, fd := range open {
		if at, err := os.Readlink(fd); err == nil && at == real {
			return fmt.Errorf("process %s has %s open", strings.Split(fd, "/")[2], path)
		}
	}
	return nil
}
