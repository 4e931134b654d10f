package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// gitAtWork reads /proc; see proc_pid_cmdline(5), proc_pid_cwd(5) and
// proc_pid_fd(5).
func gitAtWork(dirs, files []string) (string, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return "", ErrUnseen
	}
	dirs, files = realPaths(dirs), realPaths(files)
	seen := false
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		seen = true
		at := filepath.Join("/proc", e.Name())
		if argv := commandLine(at); isGit(argv) && !onlyReads(argv) && worksIn(at, dirs) {
			return fmt.Sprintf("process %d (%s)", pid, strings.Join(argv[:min(len(argv), 3)], " ")), nil
		}
		if path := opened(at, files); path != "" {
			return fmt.Sprintf("process %d, which has %s open,", pid, path), nil
		}
	}
	if !seen {
		return "", ErrUnseen
	}
	return "", nil
}

// realPaths are paths without symbolic links on their way, as the system
// shows them. Of one that is gone the path itself is kept.
func realPaths(paths []string) []string {
	out := slices.Clone(paths)
	for i, p := range out {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			out[i] = real
		}
	}
	return out
}

func commandLine(at string) []string {
	data, err := os.ReadFile(filepath.Join(at, "cmdline"))
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
}

func isGit(argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	name := filepath.Base(argv[0])
	return name == "git" || strings.HasPrefix(name, "git-")
}

// worksIn tells a process that is in one of the directories or below. One that
// does not show where it is may be.
func worksIn(at string, dirs []string) bool {
	cwd, err := os.Readlink(filepath.Join(at, "cwd"))
	if err != nil {
		return !os.IsNotExist(err)
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		rel, err := filepath.Rel(dir, cwd)
		return err == nil && filepath.IsLocal(rel)
	})
}

// opened is the first of the files that a process has open, "" for none, and
// for a process whose files may not be looked at.
func opened(at string, files []string) string {
	if len(files) == 0 {
		return ""
	}
	fds, err := os.ReadDir(filepath.Join(at, "fd"))
	if err != nil {
		return ""
	}
	for _, fd := range fds {
		if path, err := os.Readlink(filepath.Join(at, "fd", fd.Name())); err == nil && slices.Contains(files, path) {
			return path
		}
	}
	return ""
}
