package journal

import (
	"errors"
	"os"
	"strconv"
)

// rotate moves a full file aside: x becomes x.1, x.1 becomes x.2, and the
// oldest is dropped. One process rotates at a time; another that finds the
// lock held leaves it to that one.
func (j *Journal) rotate() error {
	if !j.full() {
		return nil
	}
	release, ok, err := lock(j.Path+lockSuffix, false)
	if err != nil || !ok {
		return err
	}
	defer release()
	if !j.full() { // someone rotated between the look and the lock
		return nil
	}
	return j.shift()
}

func (j *Journal) full() bool {
	limit := j.MaxBytes
	if limit <= 0 {
		limit = maxBytes
	}
	st, err := os.Stat(j.Path)
	return err == nil && st.Size() >= limit
}

func (j *Journal) shift() error {
	for n := j.kept() - 1; n >= 1; n-- {
		err := os.Rename(rotated(j.Path, n), rotated(j.Path, n+1))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(j.Path, rotated(j.Path, 1))
}

func (j *Journal) kept() int {
	if j.Kept > 0 {
		return j.Kept
	}
	return kept
}

func rotated(path string, n int) string { return path + "." + strconv.Itoa(n) }
