package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/config"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
	"kitsoki/runtime/setup"
)

// finding is one thing that was looked at. Mend is the next step when it is
// not well: a command where one does it.
type finding struct {
	OK   bool   `json:"ok"`
	What string `json:"what"`
	Mend string `json:"mend,omitempty"`
}

// exam is one look at an installation.
type exam struct {
	*app
	ctx   context.Context
	dir   string
	conf  config.Resolved
	bound *bound
	// reason and detail say why the binding is inert, "" when it is in force.
	reason match.Reason
	detail string
	only   string  // the agent to look at, "" for all
	found  []start // the entries that start kitsoki
	list   []finding
	// pending is what of commands here is not settled, for the one line.
	pending []string
}

// start is an entry of ours, and where it stands.
type start struct {
	row   setup.Row
	entry setup.Entry
	settingsOf
}

func (e *exam) well(format string, args ...any) {
	e.list = append(e.list, finding{OK: true, What: fmt.Sprintf(format, args...)})
}

func (e *exam) ill(mend, format string, args ...any) {
	e.list = append(e.list, finding{What: fmt.Sprintf(format, args...), Mend: mend})
}

func (e *exam) wrong() int {
	n := 0
	for _, f := range e.list {
		if !f.OK {
			n++
		}
	}
	return n
}

// examine looks at everything but what a call of the hook itself would show.
func (a *app) examine(ctx context.Context, only string) (*exam, error) {
	dir, err := a.dir()
	if err != nil {
		return nil, err
	}
	if _, ok := setup.Lookup(only); only != "" && !ok {
		return nil, fmt.Errorf("--agent %q: there is no such agent; there are: %s", only, strings.Join(editedAgents(), ", "))
	}
	e := &exam{app: a, ctx: ctx, dir: dir, only: only}
	e.bound = &bound{dir: dir}
	e.bound.conf, _ = a.configAt(ctx, dir)
	e.reason, e.detail = a.settle(e.bound)
	e.conf = e.bound.conf
	defer e.bound.close()
	e.agents()
	e.binding()
	e.records()
	return e, nil
}

func (a *app) doctorVerb() *cobra.Command {
	var only, format string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Look for what keeps commands from being recognised here, and name what mends it",
		Long: `Look at the settings of the agents, the binding that is in force here and what
is recorded, then send a prompt through the command that the settings name.
It changes nothing. Exit 1 when anything is not well.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			e, err := a.examine(c.Context(), only)
			if err != nil {
				return err
			}
			e.probes()
			return a.tell(e, format)
		},
	}
	c.Flags().StringVar(&only, "agent", "", "look at this agent alone: "+strings.Join(editedAgents(), ", "))
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) tell(e *exam, format string) error {
	if format == "json" {
		if err := a.printJSON(map[string]any{"findings": e.list, "wrong": e.wrong()}); err != nil {
			return err
		}
	} else {
		for _, f := range e.list {
			a.printf("%s\n", plain(f.text()))
		}
	}
	if e.wrong() > 0 {
		return exit(exitFindings)
	}
	return nil
}

func (f finding) text() string {
	if f.OK {
		return "ok     " + f.What
	}
	return "wrong  " + f.What + "\n       mend: " + f.Mend
}

func (a *app) statusVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say in one line whether commands are recognised here",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			e, err := a.examine(c.Context(), "")
			if err != nil {
				return err
			}
			a.printf("%s\n", plainLine(e.line()))
			if e.wrong() > 0 {
				return exit(exitFindings)
			}
			return nil
		},
	}
}

// line is the one-line form.
func (e *exam) line() string {
	parts := []string{"in force"}
	if e.reason != "" {
		parts = []string{fmt.Sprintf("inert (%s: %s)", e.reason, e.detail)}
	} else {
		parts = append(parts, e.conf.App.V.String())
	}
	var agents []string
	for _, s := range e.found {
		agents = append(agents, s.row.Title)
	}
	if len(agents) == 0 {
		agents = []string{"no agent starts kitsoki"}
	}
	parts = append(parts, strings.Join(agents, ", "))
	if last := e.lastCall(); last != "" {
		parts = append(parts, "last call "+last)
	}
	parts = append(parts, e.pending...)
	if n := e.wrong(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d wrong: kitsoki doctor", n))
	}
	return "kitsoki: " + strings.Join(parts, " · ")
}

// doctorSession is how the sessions of our own prompts are named.
const doctorSession = "kitsoki-doctor-"

// lastCall is how long ago an agent's prompt came by here, "" for never.
func (e *exam) lastCall() string {
	j := e.journalOf(e.conf, "")
	if j == nil {
		return ""
	}
	all, err := journal.Read(j.Path, journal.Filter{})
	if err != nil {
		return ""
	}
	for i := len(all) - 1; i >= 0; i-- {
		at, err := time.Parse(time.RFC3339Nano, all[i].Time)
		if err == nil && all[i].Agent != "" && !strings.HasPrefix(all[i].Session, doctorSession) {
			return ago(e.now().Sub(at))
		}
	}
	return ""
}

func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
