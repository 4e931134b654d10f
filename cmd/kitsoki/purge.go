package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kitsoki/runtime/binding"
	"kitsoki/runtime/journal"
)

func (a *app) purgeVerb() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "purge",
		Short: "List, or with --yes remove, all that kitsoki has recorded and cached",
		Long: `List all that kitsoki has recorded and cached, and with --yes remove it. Your
configuration stays, and so does kitsoki off: to forget is not to switch on.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			e, err := a.examine(c.Context(), "")
			if err != nil {
				return err
			}
			return a.purge(e, yes)
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "remove what is listed")
	return c
}

func (a *app) purge(e *exam, yes bool) error {
	list, err := a.remains()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		a.printf("There is nothing to remove.\n")
		return nil
	}
	for _, path := range list {
		files, size := weigh(path)
		a.printf("%s: %d files, %d KiB\n", path, files, (size+1023)/1024)
	}
	if !yes {
		for _, s := range e.found {
			if s.plugin != nil {
				a.printf("%s still starts kitsoki; before you go on, this switches it off: %s\n", s.entry.File, s.remove())
				continue
			}
			a.printf("%s still starts kitsoki; before you go on, this gives its first bytes back: kitsoki hook uninstall %s --write\n", s.entry.File, s.flags)
		}
		a.printf("Nothing was removed; --yes removes it.\n")
		return nil
	}
	if state, err := journal.StateDir(a.env); err == nil {
		if err := a.openDrives(state); err != nil {
			return err
		}
	}
	for _, path := range list {
		if err := os.RemoveAll(path); err != nil {
			return &exitError{exitFindings, fmt.Errorf("removing: %w", err)}
		}
	}
	a.printf("Removed.\n")
	return nil
}

// remains lists what can be removed: what lies in the state directory, but
// for the switch, and the cache.
func (a *app) remains() ([]string, error) {
	state, err := journal.StateDir(a.env)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(state)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("looking for what is recorded: %w", err)
	}
	var out []string
	for _, e := range entries {
		if path := filepath.Join(state, e.Name()); path != journal.OffPath(state) {
			out = append(out, path)
		}
	}
	if cache, err := binding.CacheDir(a.env); err == nil && binding.Exists(cache) {
		out = append(out, cache)
	}
	return out, nil
}

// weigh counts files and bytes; what cannot be read weighs nothing.
func weigh(path string) (files int, size int64) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			files, size = files+1, size+info.Size()
		}
		return nil
	})
	return files, size
}
