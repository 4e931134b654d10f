package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/drive"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

func (a *app) recoverVerb() *cobra.Command {
	var dry, all, silent bool
	var format string
	c := &cobra.Command{
		Use:   "recover",
		Short: "Give up what a command that was cut off left open in this repository",
		Long: `Give up what a command that was cut off (a kill, a power cut) left open in this
repository, when nobody has moved the working tree on since. Most verbs of
kitsoki here, and the next prompt, do the same by themselves.`,
		Example: "  kitsoki recover --dry-run\n  kitsoki recover\n  kitsoki recover --all",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if silent {
				return a.recoverSilently(c.Context())
			}
			return a.recoverNow(c.Context(), all, dry, format)
		},
	}
	c.Flags().BoolVar(&silent, "silent", false, "leave it to the next prompt to tell the person")
	_ = c.Flags().MarkHidden("silent")
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and do nothing")
	c.Flags().BoolVar(&all, "all", false, "in all repositories, also those that are not there any more")
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) recoverNow(ctx context.Context, all, dry bool, format string) error {
	dir, err := a.dir()
	if err != nil {
		return err
	}
	rec := drive.Recover
	if all {
		rec = drive.RecoverEverywhere
	}
	list, err := rec(ctx, a.site(dir), dry)
	if format == "json" && err == nil {
		return a.printJSON(struct {
			Recovered []drive.Recovery `json:"recovered"`
		}{append([]drive.Recovery{}, list...)})
	}
	told := a.untold(dir, dry)
	for _, r := range list {
		if text := plain(r.Notice()); !slices.Contains(told, text) {
			told = append(told, text)
		}
		if !dry && r.Dir != "" {
			a.told(r.Dir, r.Notice())
		}
	}
	for _, text := range told {
		a.printf("%s\n", text)
	}
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if len(told) == 0 {
		a.printf("Nothing is open%s.\n", map[bool]string{false: " here"}[all])
	}
	return nil
}

// untold is what the person was not told yet; in a dry run that stays so.
func (a *app) untold(dir string, dry bool) []string {
	if !dry {
		return a.notices(dir)
	}
	state, err := journal.StateDir(a.env)
	if err != nil {
		return nil
	}
	_, list := drive.Pending(state, journal.Locate(dir))
	return plainAll(list)
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
	if !recovers(c) {
		return nil
	}
	dir, err := a.dir()
	if err != nil {
		return nil
	}
	list, err := drive.Recover(c.Context(), a.site(dir), false)
	if err != nil {
		fmt.Fprintf(a.err, "kitsoki: %s\n", plain(err.Error()))
	}
	for _, r := range list {
		fmt.Fprintf(a.err, "%s\n", plain(r.Notice()))
	}
	return nil
}

// recovers tells the verbs that recover first from those that see to it
// themselves, that only look, and that have nothing to do with a repository.
func recovers(c *cobra.Command) bool {
	if !c.HasParent() || c.Name() == "run" {
		return false
	}
	for c.Parent().HasParent() {
		c = c.Parent()
	}
	switch c.Name() {
	case "supervise", "submit", "recover", "purge", "doctor", "version", "schema", "help", "completion", cobra.ShellCompRequestCmd:
		return false
	}
	return true
}

// notices are what the person has to be told, once.
func (a *app) notices(dir string) []string {
	state, err := journal.StateDir(a.env)
	if err != nil {
		return nil
	}
	return plainAll(drive.TakeNotices(state, journal.Locate(dir)))
}
