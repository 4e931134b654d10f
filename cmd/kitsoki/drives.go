package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/drive"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/journal"
)

func (a *app) drivesVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "drives",
		Short: "List, show and remove the records of commands that take several goes",
		Long: `A command that may need several goes, such as a rebase with conflicts, is recorded
step by step: what ran, which task agents worked, how it ended.`,
		Example: "  kitsoki drives list\n  kitsoki drives show 01JF\n  kitsoki drives prune --older 90d --dry-run",
		RunE:    helpOnly,
	}
	c.AddCommand(a.drivesList(), a.drivesShow(), a.drivesPrune())
	return c
}

// stateAndRepo are where records lie, and which repository this is.
func (a *app) stateAndRepo() (string, journal.Repo, error) {
	dir, err := a.dir()
	if err != nil {
		return "", journal.Repo{}, err
	}
	state, err := journal.StateDir(a.env)
	return state, journal.Locate(dir), err
}

func (a *app) drivesList() *cobra.Command {
	var all bool
	var limit int
	var format string
	c := &cobra.Command{
		Use: "list", Short: "List this repository's drives, the newest last", Args: cobra.NoArgs,
		Example: "  kitsoki drives list\n  kitsoki drives list --all -n 0 --format json",
		RunE: func(*cobra.Command, []string) error {
			state, repo, err := a.stateAndRepo()
			if err != nil {
				return err
			}
			only := &repo
			if all {
				only = nil
			}
			list, err := drive.List(state, only)
			if err != nil {
				return fmt.Errorf("listing drives: %w", err)
			}
			if limit > 0 && len(list) > limit {
				list = list[len(list)-limit:]
			}
			return a.printDrives(list, format)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "those of all repositories")
	c.Flags().IntVarP(&limit, "limit", "n", 20, "how many; 0 for all")
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) printDrives(list []drive.Summary, format string) error {
	if format == "json" {
		return a.printJSON(struct {
			Drives []drive.Summary `json:"drives"`
		}{append([]drive.Summary{}, list...)})
	}
	for _, s := range list {
		a.printf("%s\n", plainLine(summaryLine(s)))
	}
	return nil
}

// summaryLine is one drive on one line.
func summaryLine(s drive.Summary) string {
	var damage string
	if s.Damaged != "" {
		damage = "  damaged: " + s.Damaged
	}
	if s.Intent == "" {
		return s.ID + damage
	}
	return fmt.Sprintf("%s  %s  %-16s %-30s %8s  %q  %s%s", s.ID, s.Time.Format(time.RFC3339), artifact.ShownIntent(s.Intent),
		outcomeOf(s), s.Duration.Round(100*time.Millisecond), s.Input, s.Dir, damage)
}

func outcomeOf(s drive.Summary) string {
	switch {
	case s.Outcome != "":
		return s.Outcome
	case s.Alive:
		return fmt.Sprintf("open (process %d runs it)", s.PID)
	case s.Open:
		return "open (cut off)"
	}
	return "no end is known"
}

func (a *app) drivesShow() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "show ID", Short: "Tell a drive step by step; the beginning of its id will do", Args: cobra.ExactArgs(1),
		Example: "  kitsoki drives show 01JF4\n  kitsoki drives show 01JF4 --format json",
		RunE: func(_ *cobra.Command, args []string) error {
			state, _, err := a.stateAndRepo()
			if err != nil {
				return err
			}
			return a.showDrive(state, args[0], format)
		},
	}
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) showDrive(state, beginning, format string) error {
	id, err := drive.Find(state, beginning)
	if err != nil {
		return &exitError{exitFindings, fmt.Errorf("finding %s: %w; kitsoki drives list --all names them", beginning, err)}
	}
	r, err := drive.Read(state, id)
	if err != nil {
		return err
	}
	for _, e := range r.Events {
		if err := a.printEvent(e, format); err != nil {
			return err
		}
	}
	if where := r.Unread(state, id); where != "" {
		return &exitError{exitFindings, fmt.Errorf("%s: no whole record; what stood behind it is not known", where)}
	}
	return nil
}

// printEvent prints one record: in JSON as it is, with the whole plan, in text
// on one line.
func (a *app) printEvent(e drive.Event, format string) error {
	if format == "json" {
		return a.printLine(e)
	}
	if line := eventLine(e); line != "" {
		a.printf("%s\n", plainLine(line))
	}
	return nil
}

// eventLine is one record on one line.
func eventLine(e drive.Event) string {
	at := e.Time
	if t, err := time.Parse(time.RFC3339Nano, e.Time); err == nil {
		at = t.Format("15:04:05.000")
	}
	return at + "  " + strings.TrimRight(fmt.Sprintf("%-20s %s", e.Kind, eventText(e)), " ")
}

func eventText(e drive.Event) string {
	switch {
	case e.Opening != nil:
		return fmt.Sprintf("%s %q in %s, by process %d", artifact.ShownIntent(e.Opening.Intent), e.Opening.Input, e.Opening.Dir, e.Opening.Supervisor.PID)
	case e.Closing != nil:
		return closingText(*e.Closing)
	case e.Kind == drive.WorldSet:
		return e.Key + " = " + clipped(string(e.Value))
	case e.Process != nil:
		return fmt.Sprintf("process %d", e.Process.PID)
	case e.Call != nil:
		return callText(e)
	case e.Intent != "":
		return artifact.ShownIntent(e.Intent)
	}
	return e.State
}

func closingText(c drive.Closing) string {
	text := c.Outcome
	if c.Verified {
		text += ", verified"
	}
	if c.By != drive.BySupervisor {
		text += ", by a later process"
	}
	return strings.TrimSuffix(text+": "+clipped(c.Reason), ": ")
}

func callText(e drive.Event) string {
	c := e.Call
	if e.Kind == drive.HostStarted || e.Kind == drive.AgentStarted {
		return strings.TrimRight(c.Name+" "+c.Agent+" "+clipped(string(c.Args)), " ")
	}
	text := c.Name + ": ok"
	if !c.OK {
		text = c.Name + ": failed " + clipped(c.Error)
	}
	text += fmt.Sprintf(" · %.1f s", float64(c.DurationMS)/1000)
	if e.Kind == drive.AgentFinished {
		text += fmt.Sprintf(" · %s, %d attempts, $%.2f, %d tokens, files: %s", c.Agent, c.Attempts, c.Cost, c.Tokens, strings.Join(c.Files, ", "))
		for _, also := range []struct{ what, names string }{
			{"put back", strings.Join(c.PutBack, ", ")},
			{"what stood there is in", c.SetAside},
			{"changed elsewhere meanwhile", strings.Join(c.Meanwhile, ", ")},
		} {
			if also.names != "" {
				text += "; " + also.what + ": " + clipped(also.names)
			}
		}
	}
	return text
}

// clipped is a text on one line of bearable length.
func clipped(s string) string {
	const most = 160
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

func (a *app) drivesPrune() *cobra.Command {
	older := age(30 * day)
	var dry bool
	c := &cobra.Command{
		Use: "prune", Short: "Remove the records of drives that ended long ago", Args: cobra.NoArgs,
		Example: "  kitsoki drives prune --dry-run\n  kitsoki drives prune --older 12h",
		RunE: func(*cobra.Command, []string) error {
			state, err := journal.StateDir(a.env)
			if err != nil {
				return err
			}
			list, err := drive.Prune(state, a.now().Add(-time.Duration(older)), dry)
			for _, s := range list {
				a.printf("%s\n", plainLine(summaryLine(s)))
			}
			if err != nil {
				return &exitError{exitFindings, fmt.Errorf("removing records: %w", err)}
			}
			verb := "removed"
			if dry {
				verb = "would be removed"
			}
			a.printf("%d %s.\n", len(list), verb)
			return nil
		},
	}
	c.Flags().Var(&older, "older", "those that ended longer ago than this")
	c.Flags().BoolVar(&dry, "dry-run", false, "only say what would be removed")
	return c
}

const day = 24 * time.Hour

// age is how long ago, as a flag: in whole days, or as Go writes durations.
type age time.Duration

func (d *age) Type() string { return "age" }

func (d *age) String() string {
	if *d >= age(day) && *d%age(day) == 0 {
		return fmt.Sprintf("%dd", *d/age(day))
	}
	return time.Duration(*d).String()
}

// Set reads a flag's value. A century is more than any record's age.
func (d *age) Set(s string) error {
	const most = 36500
	if n, err := strconv.Atoi(strings.TrimSuffix(s, "d")); err == nil && strings.HasSuffix(s, "d") && n >= 0 && n <= most {
		*d = age(n) * age(day)
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return errors.New("expected a duration such as 30d or 12h")
	}
	*d = age(v)
	return nil
}

// followDrive prints one drive's records until it is closed, or nobody is left
// who would.
func (a *app) followDrive(ctx context.Context, beginning, format string) error {
	state, _, err := a.stateAndRepo()
	if err != nil {
		return err
	}
	id, err := drive.Find(state, beginning)
	if err != nil {
		return &exitError{exitFindings, fmt.Errorf("finding %s: %w", beginning, err)}
	}
	tail := drive.Follow(state, id)
	for quiet := 0; ; quiet++ {
		events, err := tail.Next()
		if err != nil {
			return err
		}
		a.sayGaps(tail.Gap())
		for _, e := range events {
			if err := a.printEvent(e, format); err != nil {
				return err
			}
			if e.Closing != nil {
				return nil
			}
			quiet = 0
		}
		if why := cutOff(state, id, quiet); why != "" {
			return &exitError{exitFindings, errors.New(why)}
		}
		if !waited(ctx) {
			return nil
		}
	}
}

// sayGaps says where records are missing.
func (a *app) sayGaps(gaps ...string) {
	for _, gap := range gaps {
		if gap != "" {
			fmt.Fprintf(a.err, "kitsoki: %s: no whole record; what stood there is not known\n", plain(gap))
		}
	}
}

// The looks after which a drive counts as cut off whose supervisor is dead: it
// may be being given up just now, and that is given its time when the
// repository is locked.
const (
	quietLooks  = int(time.Second / followEvery)
	lockedLooks = int((engine.AbortBudget + 5*time.Second) / followEvery)
)

// cutOff says that nothing will come of a drive any more, and what to do, after
// some looks that showed nothing new; "" when something may.
func cutOff(state, id string, quiet int) string {
	if quiet == 0 || quiet%quietLooks != 0 {
		return ""
	}
	s := drive.Look(state, id)
	held := s.Dir != "" && drive.Held(state, journal.Locate(s.Dir))
	switch {
	case s.Outcome != "":
		return "it is over (" + s.Outcome + "), and its last record has no end"
	case s.Alive, held && quiet < lockedLooks:
		return ""
	case s.Open && s.Dir != "":
		return "it was cut off; to give it up: kitsoki recover in " + s.Dir + ", or kitsoki recover --all"
	case s.Open:
		return "it was cut off, and its records can't be read (" + s.Damaged + "); to settle that: kitsoki recover --all"
	case s.Damaged != "":
		return "it is over; how it ended can't be read: " + s.Damaged
	}
	return "it is over; how it ended was not recorded"
}

// openDrives refuses what would take the way back from a command that may not
// have ended.
func (a *app) openDrives(state string) error {
	open, err := drive.OpenAnywhere(state)
	if err != nil || len(open) == 0 {
		return err
	}
	s, next := open[0], "kitsoki recover --all"
	what := "a command was cut off in " + s.Dir
	switch {
	case s.Alive:
		what, next = "a command is under way in "+s.Dir, "wait for its end, as kitsoki trace --follow "+s.ID+" does"
	case s.Dir == "":
		what = "a command was cut off whose records can't be read (" + s.Damaged + ")"
	}
	return &exitError{exitFindings, errors.New(what + ": its way back would be lost; before: " + next)}
}
