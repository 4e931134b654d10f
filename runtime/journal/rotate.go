package journal

import (
	"errors"
	"os"
	"strconv"
)

// rotate moves the file aside when the next line would not fit: x becomes
// x.1, x.1 becomes x.2, and the oldest is dropped. One process rotates at a
// time; another that finds the lock held appends to the file as it is.
func (j *Journal) rotate(next int64) error {
	if !j.full(next) {
		return nil
	}
	release, ok, err := lock(j.Path+lockSuffix, false)
	if err != nil || !ok {
		return err
	}
	defer release()
	if !j.full(next) { // someone rotated between the look and the lock
		return nil
	}
	return j.shift()
}

func (j *Journal) full(next int64) bool {
	limit := j.MaxBytes
	if limit <= 0 {
		limit = maxBytes
	}
	st, err := os.Stat(j.Path)
	return err == nil && st.Size() > 0 && st.Size()+next > limit
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
