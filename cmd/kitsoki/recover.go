package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/drive"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

func (a *app) recoverVerb() *cobra.Command {
	var dry, silent bool
	var format string
	c := &cobra.Command{
		Use:   "recover",
		Short: "Give up what a command that was cut off left open in this repository",
		Long: `Give up what a command that was cut off (a kill, a power cut) left open in this
repository, when nobody has moved the working tree on since. Every kitsoki
here, and the next prompt, does the same by itself.`,
		Example: "  kitsoki recover --dry-run\n  kitsoki recover",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if silent {
				return a.recoverSilently(c.Context())
			}
			return a.recoverHere(c.Context(), dry, format)
		},
	}
	c.Flags().BoolVar(&silent, "silent", false, "leave it to the next prompt to tell the person")
	_ = c.Flags().MarkHidden("silent")
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

func (a *app) recoverSilently(ctx context.Context) error {
	dir, err := a.dir()
	if err != nil {
		return err
	}
	_, err = drive.Recover(ctx, a.site(dir), false)
	return err
}

// recoverPatience is how long a prompt waits for what was cut off to be given
// up. The hook's parent waits longer.
const recoverPatience = 3 * time.Second

// recoverAt has given up what the dead left open around a directory, by a
// process of its own: it goes on when the prompt waits no longer, and the
// prompt then finds the repository busy. The person is told by the notices;
// what goes wrong stops no prompt.
func (a *app) recoverAt(ctx context.Context, dir string) {
	state, err := journal.StateDir(a.env)
	if err != nil || !drive.Open(state, journal.Locate(dir)) {
		return
	}
	exe, err := a.exe()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recoverPatience)
	defer cancel()
	_, _ = proc.Entrust(ctx, proc.Cmd{Argv: []string{exe, "recover", "--silent"}, Dir: dir, Env: a.environ}, nil, 0)
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
