package main

import (
	"os/exec"
	"slices"
	"syscall"
	"testing"
)

// TestStartedWith: a server in a session of its own is found by the HOME it
// was given, and a process with another HOME is not.
func TestStartedWith(t *testing.T) {
	start := func(home string) *exec.Cmd {
		cmd := exec.Command("sleep", "30")
		cmd.Env = []string{"HOME=" + home}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd
	}
	home := t.TempDir()
	ours, other := start(home), start(home+"-other")
	found := startedWith("HOME=" + home)
	if !slices.Contains(found, ours.Process.Pid) || slices.Contains(found, other.Process.Pid) {
		t.Errorf("found %v, want %d and not %d", found, ours.Process.Pid, other.Process.Pid)
	}
}
