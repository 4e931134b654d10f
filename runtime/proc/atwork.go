package proc

import (
	"errors"
	"slices"
	"strings"
)

// ErrUnseen says that this system does not show what other processes do.
var ErrUnseen = errors.New("what other processes do can't be seen here")

// GitAtWork names a process, as far as it can be seen, that is a git which may
// change something in one of the directories, or that has one of the files
// open; "" when there is none. A git that holds a lock need not have its file
// open: git commit has not, while its editor is. A git of which it can't be
// seen where it works counts. Where processes can't be looked at at all, the
// error is ErrUnseen.
func GitAtWork(dirs, files []string) (string, error) { return gitAtWork(dirs, files) }

// onlyReads tells a command line of git that holds no lock, however long it
// goes on: what a pager shows, and git's own servers.
func onlyReads(argv []string) bool {
	reads := []string{
		"blame", "cat-file", "credential", "credential-cache--daemon", "credential-store", "daemon", "diff", "fsmonitor--daemon",
		"grep", "help", "log", "ls-files", "rev-list", "rev-parse", "shortlog", "show",
	}
	valued := []string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"}
	for i := 1; i < len(argv); i++ {
		switch arg := argv[i]; {
		case slices.Contains(valued, arg):
			i++
		case !strings.HasPrefix(arg, "-"):
			return slices.Contains(reads, arg)
		}
	}
	return false
}
