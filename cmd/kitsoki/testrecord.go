package main

import (
	"fmt"
	"os"
	"path/filepath"

	"kitsoki/compiler/storytest/flow"
	"kitsoki/runtime/journal"
)

// writeRecordings adds recorded calls to their cassettes.
func (a *app) writeRecordings(src storySource, list []*flow.Recording) error {
	for _, rec := range list {
		data, err := rec.Append()
		if err != nil {
			return &exitError{exitFindings, err}
		}
		path := filepath.Join(src.dir, filepath.FromSlash(rec.File))
		err = os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = journal.ReplaceForGood(path, data, 0o644)
		}
		if err != nil {
			return fmt.Errorf("recording into %s: %w", path, err)
		}
		fmt.Fprintf(a.err, "%s/%s: %d host calls recorded\n", src.shown, rec.File, rec.Calls())
	}
	return nil
}
