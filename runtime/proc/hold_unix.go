//go:build unix

package proc

import (
	"errors"
	"os"
	"os/exec"
)

// waiting is a shell that reads one line from its fourth file and then becomes
// the program. When the line does not come, because we refuse or are dead, it
// ends. The process keeps its number and its start time.
const waiting = `read -r _ <&3 || exit 126; exec 3<&-; exec "$@"`

// hold keeps a process from working. A nil hold keeps nothing.
type hold struct{ read, write *os.File }

// holdBack makes a command wait until it is released.
func holdBack(cmd *exec.Cmd) (*hold, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Args = append([]string{"sh", "-c", waiting, "sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	cmd.ExtraFiles = append(cmd.ExtraFiles, r)
	return &hold{r, w}, nil
}

// release lets the process work.
func (h *hold) release() error {
	_, err := h.write.WriteString("\n")
	return err
}

// drop closes our ends: a process that was not released ends.
func (h *hold) drop() {
	if h != nil {
		_ = errors.Join(h.read.Close(), h.write.Close())
	}
}
