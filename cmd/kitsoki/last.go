package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"kitsoki/runtime/journal"
)

func (a *app) lastVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "last",
		Short: "Print the last report of this repository",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := a.dir()
			if err != nil {
				return err
			}
			state, err := journal.StateDir(a.env)
			if err != nil {
				return err
			}
			report, err := journal.Last(state, journal.Locate(dir))
			if errors.Is(err, fs.ErrNotExist) || err == nil && report == "" {
				return &exitError{exitFindings, errors.New("nothing has been reported in this repository yet")}
			}
			if err != nil {
				return fmt.Errorf("reading the last report: %w", err)
			}
			a.printf("%s\n", plain(report))
			return nil
		},
	}
}
