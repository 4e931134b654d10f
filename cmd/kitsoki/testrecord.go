package main

import (
	"fmt"
	"os"
	"path/filepath"

	"kitsoki/compiler/storytest/flow"
)

// writeRecordings adds recorded calls to their cassettes.
func (a *app) writeRecordings(src storySource, list []*flow.Recording) error {
	for _, rec := range list {
		data, err := rec.Append()
		if err != nil {
			return &exitError{exitFindings, err}
		}
		path := filepath.Join(src.dir, filepath.FromSlash(rec.File))
		if err := replaceFile(path, data); err != nil {
			return fmt.Errorf("recording into %s: %w", path, err)
		}
		fmt.Fprintf(a.err, "%s/%s: %d host calls recorded\n", src.shown, rec.File, rec.Calls())
	}
	return nil
}

// replaceFile writes a file whole or not at all; a new one gets its
// directory.
func replaceFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // after the rename there is nothing left to remove
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
