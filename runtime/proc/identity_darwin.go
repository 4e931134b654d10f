package proc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func bootID() (string, error) { return unix.Sysctl("kern.bootsessionuuid") }

// zombie is SZOMB of sys/proc.h.
const zombie = 5

func startOf(pid int) (string, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", err
	}
	if info.Proc.P_stat == zombie {
		return "", unix.ESRCH
	}
	t := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", t.Sec, t.Usec), nil
}
