package proc

import (
	"fmt"
	"os"
)

// Process tells one process from every other, also after its number was given
// to another: the number, when it started, and which start of the machine that
// was in. It leads a group of its own number.
type Process struct {
	PID   int    `json:"pid"`
	Start string `json:"start"` // as the system counts; only equality means something
	Boot  string `json:"boot"`  // the machine's start
}

// Self is this process.
func Self() (Process, error) { return identify(os.Getpid()) }

// Alive says whether the process still exists. One that has ended and was not
// waited for does not count.
func (p Process) Alive() bool {
	now, err := identify(p.PID)
	return err == nil && now == p
}

func identify(pid int) (Process, error) {
	boot, err := bootID()
	if err != nil {
		return Process{}, fmt.Errorf("finding out which start of the machine this is: %w", err)
	}
	start, err := startOf(pid)
	if err != nil {
		return Process{}, fmt.Errorf("looking at process %d: %w", pid, err)
	}
	return Process{PID: pid, Start: start, Boot: boot}, nil
}
