//go:build !linux

package main

import (
	"errors"
	"os"
	"os/exec"
)

func startInTerminal(*exec.Cmd) (*os.File, error) {
	return nil, errors.New("terminals are driven on Linux only")
}

func endGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func startedWith(string) []int { return nil }
