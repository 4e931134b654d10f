package proc

import (
	"errors"
	"os/exec"
)

// hold is what unix keeps a process back with.
type hold struct{}

func holdBack(*exec.Cmd) (*hold, error) {
	return nil, errors.New("a process can't be held back on Windows")
}

func (*hold) release() error { return nil }

func (*hold) drop() {}
