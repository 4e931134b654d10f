//go:build unix

package artifact

import (
	"os"
	"syscall"
)

// mapFile maps n bytes of f read-only. A file that is replaced by rename, as
// WriteFile does, stays whole under the mapping; one that is cut in place
// faults, which the program's main turns into a pass.
func mapFile(f *os.File, n int) ([]byte, func() error, error) {
	data, err := syscall.Mmap(int(f.Fd()), 0, n, syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}
