package service

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"kitsoki/runtime/journal"
)

// lines is a file that lines are added to. Each is on the disk, or the file is
// as it was before.
type lines struct {
	f         *os.File
	path      string
	size      int64 // of its whole lines
	compacted int64 // its size when it was written anew
	broken    error // it could not be put back: nothing is added any more
}

// openLines opens a file, which is made for its owner alone, and reads it.
func openLines(path string) (*lines, string, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, "", err
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, "", errors.Join(err, f.Close())
	}
	return &lines{f: f, path: path, size: int64(len(data))}, string(data), nil
}

func (l *lines) close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}

// append adds a line.
func (l *lines) append(data []byte) error {
	if l.broken != nil {
		return l.broken
	}
	_, err := l.f.WriteAt(data, l.size)
	if err = errors.Join(err, l.f.Sync()); err != nil {
		l.broken = l.f.Truncate(l.size)
		return err
	}
	l.size += int64(len(data))
	return nil
}

// replace writes the file anew. When that fails and the old one can be used
// on, it is, and is given time to grow before the next attempt.
func (l *lines) replace(data []byte) error {
	if l.broken != nil {
		return l.broken
	}
	l.broken = errors.New("the service's state could not be opened again")
	if err := l.f.Close(); err != nil { // an open file can't be replaced everywhere
		return err
	}
	l.f = nil
	replaced := journal.ReplaceForGood(l.path, data, 0o600)
	f, err := os.OpenFile(l.path, os.O_RDWR, 0o600)
	if err != nil {
		return errors.Join(replaced, err)
	}
	l.f, l.broken = f, nil
	if replaced != nil {
		l.compacted = l.size
		return replaced
	}
	l.size, l.compacted = int64(len(data)), int64(len(data))
	return settle(filepath.Dir(l.path))
}

// settle puts a folder's names on the disk, where folders can be synced.
func settle(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = f.Sync() // not every system can
	return f.Close()
}
