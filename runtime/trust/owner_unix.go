//go:build unix

package trust

import (
	"io/fs"
	"syscall"
)

// foreign says why somebody else may write a file, "" when nobody may but its
// owner's group: that is how teams share a checkout. What root owns is as
// safe as the system.
func foreign(st fs.FileInfo, uid int) string {
	if st.Mode().Perm()&0o002 != 0 {
		return "may be written by everybody"
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if ok && uid >= 0 && int(sys.Uid) != uid && sys.Uid != 0 {
		return "belongs to another user"
	}
	return ""
}
