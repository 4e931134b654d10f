package proc

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

func bootID() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id)), err
}

// startField is where a process's start stands behind its name, in clock ticks
// since the machine's start; stateField where its state does. See proc(5),
// /proc/pid/stat.
const (
	stateField = 0
	startField = 19
)

func startOf(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	// The name stands in brackets and may hold anything.
	_, rest, _ := cutLast(string(stat), ")")
	fields := strings.Fields(rest)
	if len(fields) <= startField {
		return "", errors.New("its stat file is not as expected")
	}
	if fields[stateField] == "Z" || fields[stateField] == "X" {
		return "", os.ErrProcessDone
	}
	return fields[startField], nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
