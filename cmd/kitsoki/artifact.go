package main

import (
	"errors"

	"github.com/spf13/cobra"

	"kitsoki/runtime/artifact"
)

func (a *app) artifactVerb() *cobra.Command {
	c := &cobra.Command{Use: "artifact", Short: "Look into an artifact, or verify it", RunE: helpOnly}
	c.AddCommand(
		&cobra.Command{
			Use:   "dump STORY|FILE",
			Short: "List what an artifact holds",
			Args:  cobra.ExactArgs(1),
			RunE:  func(_ *cobra.Command, args []string) error { return a.dump(args[0]) },
		},
		&cobra.Command{
			Use:   "check FILE",
			Short: "Verify every byte of an artifact; exit 1 names the damage",
			Args:  cobra.ExactArgs(1),
			RunE:  func(_ *cobra.Command, args []string) error { return a.check(args[0]) },
		},
	)
	return c
}

func (a *app) dump(ref string) error {
	f, err := a.openApp(ref)
	if err != nil {
		return err
	}
	defer f.Close()
	return artifact.Dump(a.out, f)
}

func (a *app) check(path string) error {
	path, err := a.abs(path)
	if err != nil {
		return err
	}
	damage := artifact.Check(path)
	for _, d := range damage {
		a.printf("%s: %s at byte %d: %s\n", path, d.Section, d.Offset, d.Detail)
	}
	if len(damage) > 0 {
		return &exitError{exitFindings, errors.New("the artifact is damaged; compile it again")}
	}
	a.printf("%s: whole\n", path)
	return nil
}
