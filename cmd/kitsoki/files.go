package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile is the most that is read of one file of a story, in bytes.
const maxFile = 64 << 20

// files is a directory of which only regular files are read: opening a pipe
// would wait for its writer, and a device need not end.
type files struct {
	dir  string
	base interface {
		fs.StatFS
		fs.ReadDirFS
		fs.ReadLinkFS
	}
}

func filesIn(dir string) fs.FS {
	return files{dir, os.DirFS(dir).(interface {
		fs.StatFS
		fs.ReadDirFS
		fs.ReadLinkFS
	})}
}

// Open opens a regular file of bounded size, or a directory.
func (f files) Open(name string) (fs.File, error) {
	st, err := f.base.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := readable(st); err != nil && !st.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f.base.Open(name)
}

// Stat describes what a name leads to.
func (f files) Stat(name string) (fs.FileInfo, error) { return f.base.Stat(name) }

// ReadDir lists a directory.
func (f files) ReadDir(name string) ([]fs.DirEntry, error) { return f.base.ReadDir(name) }

// Lstat describes a name itself.
func (f files) Lstat(name string) (fs.FileInfo, error) { return f.base.Lstat(name) }

// ReadLink reads a symbolic link.
func (f files) ReadLink(name string) (string, error) { return f.base.ReadLink(name) }

// readable says why a file is not read.
func readable(st fs.FileInfo) error {
	switch {
	case !st.Mode().IsRegular():
		return errors.New("not a regular file")
	case st.Size() > maxFile:
		return fmt.Errorf("%d bytes, more than %d", st.Size(), maxFile)
	}
	return nil
}

// readRegular reads a file of the command line.
func readRegular(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err == nil {
		err = readable(st)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", filepath.ToSlash(path), err)
	}
	return os.ReadFile(path)
}
