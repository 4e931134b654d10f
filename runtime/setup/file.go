package setup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// maxFile bounds a settings file, in bytes. People write them by hand.
const maxFile = 4 << 20

// Settings is a settings file as it was read. Path is where it lies, behind
// all symbolic links; Exists is false when there is none.
type Settings struct {
	Path   string
	Data   []byte
	Exists bool
	mode   os.FileMode
}

// Read reads a settings file. One that is absent is empty. The error is a
// *Problem when the file must not be written: it is read-only, no regular
// file, a link that leads nowhere, or too large.
func Read(path string) (Settings, error) {
	s := Settings{Path: path}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		s.Path = real
	} else if _, linked := os.Lstat(path); linked == nil {
		return s, &Problem{File: path, Message: "the link leads nowhere", Hint: "make the file that it names, or remove the link"}
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		s.Path = filepath.Join(dir, filepath.Base(path))
	}
	st, err := os.Stat(s.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return s, nil
	case err != nil:
		return s, fmt.Errorf("reading the settings: %w", err)
	case !st.Mode().IsRegular():
		return s, &Problem{File: path, Message: "it is not a regular file", Hint: "name a file with --settings"}
	case st.Size() > maxFile:
		return s, &Problem{File: path, Message: fmt.Sprintf("it is larger than %d bytes", maxFile), Hint: "name another file with --settings"}
	}
	s.Exists, s.mode = true, st.Mode().Perm()
	if s.Data, err = os.ReadFile(s.Path); err != nil {
		return s, fmt.Errorf("reading the settings: %w", err)
	}
	return s, nil
}

// writable says why the file must not be written, nil when it may.
func (s Settings) writable() error {
	if s.Exists && s.mode&0o200 == 0 {
		return &Problem{File: s.Path, Message: "the file is read-only", Hint: fmt.Sprintf("chmod u+w '%s', then run the same again", s.Path)}
	}
	return nil
}

// unchanged says whether the file still holds what was read.
func (s Settings) unchanged() bool {
	now, err := os.ReadFile(s.Path)
	if err != nil {
		return !s.Exists && errors.Is(err, os.ErrNotExist)
	}
	return s.Exists && bytes.Equal(now, s.Data)
}
