package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// discard removes the drive's worktree apart with its record, also when it
// was only half made, and what was noted for publishing. It touches nothing
// else, and what is gone already is no error.
func discard(r repo, _ map[string]any) (map[string]any, error) {
	place, err := scratchPlace(r.env)
	if err != nil {
		return nil, err
	}
	records, err := r.worktreeRecords(place)
	if err != nil {
		return nil, err
	}
	had := exists(place) || len(records) > 0
	if err := r.removeWorktree(place, records); err != nil {
		return nil, failf(gitName, "%v", err)
	}
	if err := os.Remove(noteFile(place)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failf(gitName, "%v", err)
	}
	return map[string]any{"discarded": had}, nil
}

// removeWorktree lets git remove a whole worktree; what git can't is removed
// as a directory and a record, which is all that a worktree is.
func (r repo) removeWorktree(place string, records []string) error {
	if exists(filepath.Join(place, ".git")) && len(records) > 0 {
		_, _ = r.at(place).change("rerere", "clear") // what was begun to be remembered; there is none mostly
		_, _ = r.change("worktree", "remove", "--force", "--force", place)
	}
	if err := removeTree(place); err != nil {
		return err
	}
	for _, record := range records {
		if err := os.RemoveAll(record); err != nil {
			return err
		}
	}
	return nil
}

// removeTree removes a directory, also what tools have made read-only in it.
func removeTree(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// worktreeRecords are git's directories about the worktree at a place: those
// that name it, and one of its name that was made and names nothing yet.
func (r repo) worktreeRecords(place string) ([]string, error) {
	common, err := r.common()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failf(gitName, "%v", err)
	}
	var out []string
	for _, e := range entries {
		record := filepath.Join(common, "worktrees", e.Name())
		names, err := os.ReadFile(filepath.Join(record, "gitdir"))
		at := strings.TrimSpace(string(names))
		half := (err != nil || at == "") && e.Name() == filepath.Base(place)
		if half || at != "" && same(filepath.Dir(at), place) {
			out = append(out, record)
		}
	}
	return out, nil
}

// same tells whether two paths are one; their last element may not exist.
func same(a, b string) bool { return realPath(a) == realPath(b) }

func realPath(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, filepath.Base(path))
}
