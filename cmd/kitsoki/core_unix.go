//go:build unix

package main

import "syscall"

// noCore keeps a crash from leaving a core file in the person's directory.
func noCore() {
	var lim syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_CORE, &lim) == nil {
		lim.Cur = 0
		_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &lim)
	}
}
