package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kitsoki/runtime/proc"
)

// inDir is a file of the worktree's own git directory.
func (r repo) inDir(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// ErrLocked says that lock files were left where they are: they belong to a
// git that works, or that was there before.
var ErrLocked = errors.New("another git works here")

// FreeLocks removes lock files that a git of ours has left when it was killed.
// One that was made before a time is somebody else's. So may be all of them
// while another git works in one of the directories, or has one of the files
// open: that is waited for a moment, and then the error wraps ErrLocked. Where
// what others do can't be seen, nothing is removed, and the error says what a
// person can do.
func FreeLocks(ctx context.Context, since time.Time, dirs []string, locks ...string) error {
	var ours []string
	var others error
	for _, lock := range locks {
		info, err := os.Lstat(lock)
		switch {
		case err != nil:
		case info.ModTime().Before(since):
			others = failLock(lock, "it was there before")
		default:
			ours = append(ours, lock)
		}
	}
	if len(ours) == 0 {
		return others
	}
	who, err := soonIdle(ctx, dirs, ours)
	if errors.Is(err, proc.ErrUnseen) {
		return failf(gitName, "whether another git still works here can't be seen; if none does: rm -f %s", strings.Join(ours, " "))
	}
	if err != nil || who != "" {
		return failLock(ours[0], who+" may hold it")
	}
	for _, lock := range ours {
		if err := os.Remove(lock); err != nil && !os.IsNotExist(err) {
			return failf(gitName, "%v", err)
		}
	}
	return others
}

type lockError struct{ msg string }

func (e lockError) Error() string { return e.msg }
func (lockError) Unwrap() error   { return ErrLocked }

func failLock(lock, why string) error {
	return lockError{gitName + ": " + lock + ": another git works here, or one has died: " + why}
}

// lockPatience is how long another git is waited for, and how long a lock must
// have had nobody at work beside it.
const lockPatience = time.Second

// soonIdle waits until no git works: a process that is being started has for a
// moment all files open that the one has which starts it. That one moment is
// quiet is not enough: git starts git.
func soonIdle(ctx context.Context, dirs, files []string) (who string, err error) {
	const looks = 3
	quiet := 0
	for end := time.Now().Add(lockPatience); ; time.Sleep(20 * time.Millisecond) {
		who, err = proc.GitAtWork(dirs, files)
		if err != nil {
			return who, err
		}
		if quiet++; who != "" {
			quiet = 0
		}
		if quiet == looks || who != "" && (ctx.Err() != nil || time.Now().After(end)) {
			return who, nil
		}
	}
}

// places are where a git of this repository works: its working tree and its
// directories, with all that is linked to them.
func (r repo) places() ([]string, error) {
	top, err := r.root()
	if err != nil {
		return nil, err
	}
	common, err := r.common()
	if err != nil {
		return nil, err
	}
	return append(Places(common), top, r.dir), nil
}

// Places are where a git of a repository may work, as far as its directory
// tells: beside and in that, and in every linked worktree.
func Places(common string) []string {
	out := []string{common}
	if filepath.Base(common) == ".git" {
		out = append(out, filepath.Dir(common))
	}
	links, _ := filepath.Glob(filepath.Join(common, "worktrees", "*", "gitdir")) // the pattern is well-formed
	for _, link := range links {
		if at, err := os.ReadFile(link); err == nil {
			out = append(out, filepath.Dir(strings.TrimSpace(string(at))))
		}
	}
	return out
}
