package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/drive"
	"kitsoki/runtime/journal"
)

type traceFlags struct {
	format, reason string
	limit          int
	follow         bool
}

func (a *app) traceVerb() *cobra.Command {
	var f traceFlags
	c := &cobra.Command{
		Use:   "trace",
		Short: "List this repository's decisions, the newest last",
		Long: `List this repository's decisions, the newest last. With --follow it goes on, and
tells the drives of this repository step by step as they happen; with the id of
a drive, that drive alone, to its end.`,
		Example: "  kitsoki trace -n 5\n  kitsoki trace --follow\n  kitsoki trace --follow 01JF4",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return a.trace(c.Context(), f, args) },
	}
	c.Flags().IntVarP(&f.limit, "limit", "n", 20, "how many decisions; 0 for all")
	c.Flags().StringVar(&f.reason, "reason", "", "only those that passed for this reason")
	c.Flags().BoolVar(&f.follow, "follow", false, "go on and print decisions as they happen")
	formatFlag(c, &f.format, "text", "json")
	c.AddCommand(a.traceShow())
	return c
}

// errNoTrace says that decisions are not recorded; drives are all the same.
var errNoTrace = errors.New("nothing is recorded here: intercept.trace is off, or there is no state directory")

// tracePath is the file this repository's decisions stand in.
func (a *app) tracePath(ctx context.Context) (string, error) {
	conf, _, err := a.resolve(ctx)
	if err != nil {
		return "", err
	}
	j := a.journalOf(conf, "")
	if j == nil {
		return "", errNoTrace
	}
	return j.Path, nil
}

func (a *app) trace(ctx context.Context, f traceFlags, args []string) error {
	switch {
	case len(args) == 1 && !f.follow:
		return fmt.Errorf("kitsoki trace show %s shows one decision; --follow follows a drive", args[0])
	case len(args) == 1:
		return a.followDrive(ctx, args[0], f.format)
	}
	path, err := a.tracePath(ctx)
	if f.follow && (err == nil || errors.Is(err, errNoTrace)) {
		return a.followTrace(ctx, path, f)
	}
	if err != nil {
		return err
	}
	entries, err := journal.Read(path, journal.Filter{Reason: f.reason, Limit: f.limit})
	if err != nil {
		return fmt.Errorf("reading the trace: %w", err)
	}
	return a.printEntries(entries, f.format)
}

func (a *app) printEntries(entries []journal.Entry, format string) error {
	for _, e := range entries {
		if format == "json" {
			a.printf("%s\n", e.Raw)
			continue
		}
		a.printf("%s\n", plainLine(entryLine(e)))
	}
	return nil
}

// entryLine is one decision on one line.
func entryLine(e journal.Entry) string {
	switch {
	case e.Matched != nil:
		return fmt.Sprintf("%s  %s  took    %-20s %-12s %q", e.ID, e.Time, artifact.ShownIntent(e.Matched.Intent), e.Matched.Outcome, e.Matched.Input)
	case e.Passed != nil:
		return fmt.Sprintf("%s  %s  passed  %-20s %-12s %q", e.ID, e.Time, e.Passed.Reason, "", e.Passed.Input)
	}
	return fmt.Sprintf("%s  %s  %s", e.ID, e.Time, e.Type)
}

// followTrace prints what is appended, and what is recorded of drives, until
// the context ends. Without a path there are no decisions to be printed.
func (a *app) followTrace(ctx context.Context, path string, f traceFlags) error {
	tail := journal.NewTail(path)
	state, repo, err := a.stateAndRepo()
	if err != nil {
		return err
	}
	watch, err := drive.NewWatch(state, repo)
	if err != nil {
		return fmt.Errorf("following drives: %w", err)
	}
	for {
		entries, err := tail.Next()
		if err != nil {
			return fmt.Errorf("following the trace: %w", err)
		}
		steps, err := watch.Next()
		if err != nil {
			return err
		}
		a.sayGaps(watch.Gaps()...)
		for _, e := range steps {
			if err := a.printEvent(e, f.format); err != nil {
				return err
			}
		}
		if err := a.printEntries(entries, f.format); err != nil {
			return err
		}
		if !waited(ctx) {
			return nil
		}
	}
}

// followEvery is how often it is looked for news.
const followEvery = 200 * time.Millisecond

// waited waits until it is worth looking again; false when nobody wants to
// know any more.
func waited(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(followEvery):
		return true
	}
}

func (a *app) traceShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Print one decision, or the records of a drive, as JSON",
		Args:  cobra.ExactArgs(1),
		RunE:  func(c *cobra.Command, args []string) error { return a.showEntry(c.Context(), args[0]) },
	}
}

// showEntry shows a decision, else the drive with that id.
func (a *app) showEntry(ctx context.Context, id string) error {
	path, noPath := a.tracePath(ctx)
	if noPath != nil && !errors.Is(noPath, errNoTrace) {
		return noPath
	}
	e, err := journal.Entry{}, journal.ErrNotFound
	if noPath == nil {
		e, err = journal.Find(path, id)
	}
	if errors.Is(err, journal.ErrNotFound) {
		if state, _, stateErr := a.stateAndRepo(); stateErr == nil {
			if _, driveErr := drive.Find(state, id); driveErr == nil {
				return a.showDrive(state, id, "json")
			}
		}
	}
	switch {
	case noPath != nil:
		return noPath
	case err != nil:
		return &exitError{exitFindings, fmt.Errorf("finding %s: %w", id, err)}
	}
	var v any
	if err := json.Unmarshal(e.Raw, &v); err != nil {
		return fmt.Errorf("reading the entry: %w", err)
	}
	return a.printJSON(v)
}
