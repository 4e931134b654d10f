package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kitsoki/runtime/setup"
)

func (a *app) hookPlugin() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "plugin -o DIR",
		Short: "Write the hook as a plugin of Claude Code",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if dir == "" {
				return errors.New("-o DIR is missing: the directory that the plugin is written to")
			}
			return a.plugin(dir)
		},
	}
	c.Flags().StringVarP(&dir, "output", "o", "", "the plugin's directory; a new one, or one with a kitsoki plugin")
	return c
}

// plugin writes into a directory of its own: what else lies there is not to
// become part of a plugin.
func (a *app) plugin(dir string) error {
	path, err := a.abs(dir)
	if err != nil {
		return err
	}
	row, _ := setup.Lookup("claude")
	program, err := a.program(row)
	if err != nil {
		return err
	}
	files := setup.Plugin(row, program, version)
	if err := empty(path, files[0].Path); err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(path, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("making the plugin's directory: %w", err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return fmt.Errorf("writing the plugin: %w", err)
		}
	}
	a.printf("Wrote a plugin to %s\nTry it with: claude --plugin-dir '%s'\n", path, path)
	return nil
}

func empty(dir, manifest string) error {
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("looking into the plugin's directory: %w", err)
	}
	if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(manifest))); len(list) > 0 && err != nil {
		return &exitError{exitFindings, fmt.Errorf("%s is not empty and holds no plugin; name a new directory", dir)}
	}
	return nil
}
