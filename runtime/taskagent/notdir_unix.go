//go:build !windows

package taskagent

import (
	"errors"
	"syscall"
)

// isNotDir tells the error of a path that leads through a file.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
