package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kitsoki/runtime/drive"
	"kitsoki/runtime/journal"
)

func (a *app) recoverVerb() *cobra.Command {
	var dry bool
	var format string
	c := &cobra.Command{
		Use:   "recover",
		Short: "Give up what a command that was cut off left open in this repository",
		Long: `Give up what a command that was cut off (a kill, a power cut) left open in this
repository, when nobody has moved the working tree on since. Every kitsoki
here, and the next prompt, does the same by itself.`,
		Example: "  kitsoki recover --dry-run\n  kitsoki recover",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.recoverHere(c.Context(), dry, format) },
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and do nothing")
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) recoverHere(ctx context.Context, dry bool, format string) error {
	dir, err := a.dir()
	if err != nil {
		return err
	}
	list, err := drive.Recover(ctx, a.site(dir), dry)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if format == "json" {
		return a.printJSON(struct {
			Recovered []drive.Recovery `json:"recovered"`
		}{append([]drive.Recovery{}, list...)})
	}
	told := a.notices(dir)
	for _, r := range list {
		if dry {
			told = append(told, r.Notice())
		}
	}
	if len(told) == 0 {
		a.printf("Nothing is open here.\n")
		return nil
	}
	for _, text := range told {
		a.printf("%s\n", text)
	}
	return nil
}

// recoverAt gives up what the dead left open around a directory. The person is
// told by the notices; what goes wrong stops no prompt.
func (a *app) recoverAt(ctx context.Context, dir string) {
	_, _ = drive.Recover(ctx, a.site(dir), false)
}

// recovering makes every verb, but for a few, give up first what the dead
// left open in this repository, and say so.
func (a *app) recovering(c *cobra.Command, _ []string) error {
	switch c.Name() {
	case "supervise", "submit", "recover", "purge", "version", "schema", "help", "run":
		return nil
	}
	dir, err := a.dir()
	if err != nil {
		return nil
	}
	list, err := drive.Recover(c.Context(), a.site(dir), false)
	if err != nil {
		fmt.Fprintf(a.err, "kitsoki: %v\n", err)
	}
	for _, r := range list {
		fmt.Fprintf(a.err, "%s\n", r.Notice())
	}
	return nil
}

// notices are what the person has to be told, once.
func (a *app) notices(dir string) []string {
	state, err := journal.StateDir(a.env)
	if err != nil {
		return nil
	}
	return drive.TakeNotices(state, journal.Locate(dir))
}
