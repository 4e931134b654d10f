package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrNoHome says that the environment names no place for state.
var ErrNoHome = errors.New("neither XDG_STATE_HOME nor HOME is an absolute path")

// StateDir is kitsoki's state directory: under $XDG_STATE_HOME, else under
// ~/.local/state. A relative XDG path is ignored, as its specification asks.
func StateDir(env func(string) string) (string, error) {
	if dir := env("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "kitsoki"), nil
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := env(name); filepath.IsAbs(home) {
			return filepath.Join(home, ".local", "state", "kitsoki"), nil
		}
	}
	return "", ErrNoHome
}

// offName is the file whose presence says that the person has switched kitsoki
// off. It lies in the state directory and holds nothing that counts.
const offName = "off"

// Off says whether the person has switched kitsoki off. A switch that cannot
// be read counts as off: all that is lost then is a command.
func Off(state string) bool {
	_, err := os.Lstat(OffPath(state))
	return !errors.Is(err, os.ErrNotExist)
}

// OffPath is where the switch lies.
func OffPath(state string) string { return filepath.Join(state, offName) }

// Switch switches kitsoki off, or on again.
func Switch(state string, off bool) error {
	err := os.Remove(OffPath(state))
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if off {
		err = Replace(OffPath(state), []byte("kitsoki on takes this away.\n"))
	}
	if err != nil {
		return fmt.Errorf("switching kitsoki: %w", err)
	}
	return nil
}

// TracePath is the trace file of a repository.
func TracePath(state string, r Repo) string {
	return filepath.Join(state, "trace", r.Key()+".jsonl")
}

// DriveOpen says whether a repository has a drive that was begun and not
// ended.
func DriveOpen(state string, r Repo) bool {
	return state != "" && exists(filepath.Join(state, "drives", r.Key()+".open"))
}

func lastPath(state string, r Repo) string {
	return filepath.Join(state, "last", r.Key()+".txt")
}

// SaveLast keeps a report as the repository's last one. A reader sees the old
// report or the new one, never a part.
func SaveLast(state string, r Repo, report string) error {
	if err := Replace(lastPath(state, r), []byte(report)); err != nil {
		return fmt.Errorf("saving the last report: %w", err)
	}
	return nil
}

// Replace writes a file, readable by its owner alone, so that it is seen whole
// or not at all; directories on the way are made, for the owner alone too.
func Replace(path string, data []byte) error {
	return replace(path, data, func(*os.File) error { return nil }) // CreateTemp makes it 0600
}

// ReplaceForGood is Replace for a file that somebody else would miss: with a
// mode of its own, and on the disk before it is seen.
func ReplaceForGood(path string, data []byte, mode os.FileMode) error {
	return replace(path, data, func(f *os.File) error { return errors.Join(f.Chmod(mode), f.Sync()) })
}

func replace(path string, data []byte, settle func(*os.File) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(tmp.Name()))
		}
	}()
	_, err = tmp.Write(data)
	err = errors.Join(err, settle(tmp))
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// Last is the repository's last report. It is os.ErrNotExist when there is
// none.
func Last(state string, r Repo) (string, error) {
	data, err := os.ReadFile(lastPath(state, r))
	if err != nil {
		return "", fmt.Errorf("reading the last report: %w", err)
	}
	return string(data), nil
}
