package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/memory/index"
	"kitsoki/runtime/memory/turns"
)

// selection says which turns are meant.
type selection struct {
	session, text string
	older         age
	all           bool
}

func (s *selection) register(c *cobra.Command) {
	c.Flags().StringVar(&s.session, "session", "", "those of a session")
	c.Flags().StringVar(&s.text, "text", "", "those with this text in the prompt or the answer, whatever its case")
}

// takes tells whether a turn is meant; ids are named ones, a beginning will do.
func (s selection) takes(t turns.Turn, ids []string, now time.Time) bool {
	named := len(ids) == 0
	for _, id := range ids {
		named = named || strings.HasPrefix(t.ID, id) || strings.HasPrefix(strings.TrimPrefix(t.ID, "turn:"), id)
	}
	lower := strings.ToLower(t.Query + "\x00" + t.Answer)
	return named && (s.session == "" || t.Session == s.session) && strings.Contains(lower, strings.ToLower(s.text)) &&
		(s.older == 0 || now.Sub(t.Started) > time.Duration(s.older))
}

// kept lists the turns that are meant.
func (a *app) kept(ctx context.Context, s selection, ids []string) (turns.Store, []turns.Turn, error) {
	m, _, err := a.memoryHere(ctx)
	if err != nil {
		return m.Store, nil, err
	}
	list, err := m.Store.Turns()
	if err != nil {
		return m.Store, nil, &exitError{exitFindings, err}
	}
	out := []turns.Turn{}
	for _, t := range list {
		if s.takes(t, ids, a.now()) {
			out = append(out, t)
		}
	}
	return m.Store, out, nil
}

func (a *app) memoryList() *cobra.Command {
	var s selection
	var limit int
	var format string
	c := &cobra.Command{
		Use: "list", Short: "List the turns that were kept, the newest last", Args: cobra.NoArgs,
		Example: "  kitsoki memory list\n  kitsoki memory list --text deploy -n 0 --format json",
		RunE: func(c *cobra.Command, _ []string) error {
			_, list, err := a.kept(c.Context(), s, nil)
			if err != nil {
				return err
			}
			if limit > 0 && len(list) > limit {
				list = list[len(list)-limit:]
			}
			if format == "json" {
				return a.printJSON(map[string]any{"turns": list})
			}
			for _, t := range list {
				a.printf("%s  %s  %s\n", t.Started.Local().Format("2006-01-02 15:04"), t.ID, clipped(plainLine(t.Query)))
			}
			return nil
		},
	}
	s.register(c)
	c.Flags().IntVarP(&limit, "limit", "n", 20, "how many; 0 for all")
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) memoryShow() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "show TURN", Short: "Show a turn; the beginning of its id will do", Args: cobra.ExactArgs(1),
		Example: "  kitsoki memory show turn:e9ac85\n  kitsoki memory show e9ac85 --format json",
		RunE: func(c *cobra.Command, args []string) error {
			_, list, err := a.kept(c.Context(), selection{}, args)
			switch {
			case err != nil:
				return err
			case len(list) == 0:
				return &exitError{exitFindings, fmt.Errorf("no turn begins with %s; kitsoki memory list -n 0 names them", args[0])}
			case len(list) > 1:
				return &exitError{exitFindings, fmt.Errorf("%d turns begin with %s; name more of it", len(list), args[0])}
			case format == "json":
				return a.printJSON(list[0])
			}
			a.showTurn(list[0])
			return nil
		},
	}
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) showTurn(t turns.Turn) {
	a.printf("%s\nsession  %s\nstarted  %s\n", t.ID, plainLine(t.Session), t.Started.Local().Format(time.RFC3339))
	if !t.Ended.IsZero() {
		a.printf("ended    %s\n", t.Ended.Local().Format(time.RFC3339))
	}
	for _, row := range [][2]string{{"cwd", t.CWD}, {"branch", t.Branch}, {"tools", strings.Join(t.Tools, ", ")}} {
		if row[1] != "" {
			a.printf("%-8s %s\n", row[0], plainLine(row[1]))
		}
	}
	a.printf("\n%s\n", plain(t.Query))
	if t.Answer != "" {
		a.printf("\n%s\n", plain(t.Answer))
	}
}

func (a *app) memoryForget() *cobra.Command {
	var s selection
	var dry bool
	c := &cobra.Command{
		Use: "forget [TURN...]", Short: "Take turns out, for good",
		Long: `Take turns out of what was kept, for good: they are given no more at once, and
their text is removed from the files, the index among them. Name turns, or say
which are meant; --all means all.`,
		Example: "  kitsoki memory forget turn:e9ac85\n  kitsoki memory forget --text \"project x\" --dry-run\n  kitsoki memory forget --older 90d",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && s == (selection{}) {
				return errors.New("name turns, or say which with --text, --session, --older or --all")
			}
			return a.forget(c.Context(), s, args, dry)
		},
	}
	s.register(c)
	c.Flags().Var(&s.older, "older", "those that began longer ago, as in 90d or 12h")
	c.Flags().BoolVar(&s.all, "all", false, "all of them")
	c.Flags().BoolVar(&dry, "dry-run", false, "only list them")
	return c
}

func (a *app) forget(ctx context.Context, s selection, ids []string, dry bool) error {
	store, list, err := a.kept(ctx, s, ids)
	if err != nil {
		return err
	}
	for _, t := range list {
		a.printf("%s  %s\n", t.ID, clipped(plainLine(t.Query)))
	}
	if dry {
		a.printf("Nothing was removed; without --dry-run these %d turns are.\n", len(list))
		return nil
	}
	n, err := store.Forget(ctx, func(t turns.Turn) bool { return s.takes(t, ids, a.now()) }, a.now())
	if err != nil {
		return &exitError{exitFindings, err}
	}
	a.printf("Forgotten: %d turns.\n", n)
	return a.dropFromIndex(ctx, n)
}

// dropFromIndex builds the index anew without what was forgotten, where there is
// one.
func (a *app) dropFromIndex(ctx context.Context, n int) error {
	m, conf, err := a.memoryHere(ctx)
	if err != nil || n == 0 || stateOfIndex(ctx, m).State == string(index.StateMissing) {
		return err
	}
	if err := a.buildIndex(ctx, m, conf, true, "text"); err != nil {
		return fmt.Errorf("they are given no more, but their text may still be in the index; run kitsoki memory index --fresh: %w", err)
	}
	return nil
}

func (a *app) memoryExport() *cobra.Command {
	var s selection
	c := &cobra.Command{
		Use: "export", Short: "Write the kept turns as lines of JSON", Args: cobra.NoArgs,
		Example: "  kitsoki memory export >turns.jsonl\n  kitsoki memory export --session s-1",
		RunE: func(c *cobra.Command, _ []string) error {
			_, list, err := a.kept(c.Context(), s, nil)
			if err != nil {
				return err
			}
			for _, t := range list {
				if err := a.printLine(t); err != nil {
					return err
				}
			}
			return nil
		},
	}
	s.register(c)
	return c
}
