//go:build unix

package proc

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the child the leader of a session, and so of a process
// group. A session of its own has no terminal: a program that wants to ask
// for a password fails at once instead of being stopped until its time is up.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func (ch *child) terminate() { ch.signal(syscall.SIGTERM) }

func (ch *child) kill() { ch.signal(syscall.SIGKILL) }

// signal reaches the whole group, also after its leader was reaped: the
// group's number stays taken while it has a member. None left is no error.
func (ch *child) signal(sig syscall.Signal) {
	if ch.own {
		_ = syscall.Kill(-ch.cmd.Process.Pid, sig)
		return
	}
	_ = ch.cmd.Process.Signal(sig)
}

// signalled is the signal that ended a process, 0 when it exited.
func signalled(state *os.ProcessState) (int, string) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return 0, ""
	}
	return int(status.Signal()), status.Signal().String()
}

// executable reports whether path is a file we may run.
func executable(path string, _ []string) (string, bool) {
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

func sameKey(a, b string) bool { return a == b }
