//go:build unix

package proc

import "syscall"

// NoCore keeps a crash of this process, and of what it starts, from leaving a
// core file in the person's directory.
func NoCore() {
	var lim syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &lim) == nil {
		lim.Cur = 0
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &lim)
	}
}
