package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/hook"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

func (a *app) hookVerb() *cobra.Command {
	c := &cobra.Command{Use: "hook", Short: "Put the hook into a coding agent's settings, and what the agent starts", RunE: helpOnly}
	c.AddCommand(a.hookRun(), a.hookInstall(), a.hookUninstall(), a.hookPlugin())
	return c
}

// isHookRun tells the one verb whose exit status is no report of how it went:
// an agent would read it as a decision.
func isHookRun(args []string) bool {
	return len(args) >= 2 && args[0] == "hook" && args[1] == "run"
}

// errStopped says that a prompt is stopped, and the report was written.
var errStopped = errors.New("the prompt is stopped")

// hookStatus is 0 whatever happened, but for the one error that is a decision.
func (a *app) hookStatus(err error) int {
	if errors.Is(err, errStopped) {
		return exitStop
	}
	a.status(err)
	return exitOK
}

func (a *app) hookRun() *cobra.Command {
	var name string
	var child bool
	c := &cobra.Command{
		Use:   "run --agent NAME",
		Short: "Answer one payload on standard input",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			row, ok := agent.Lookup(name)
			if !ok {
				return noAgent(name)
			}
			if child {
				return a.hookChild(c.Context(), row)
			}
			return a.hookParent(c.Context(), row)
		},
	}
	c.Flags().StringVar(&name, "agent", "", "the coding agent that calls: "+strings.Join(agentNames(), ", "))
	c.Flags().BoolVar(&child, "child", false, "be the half that decides and executes")
	_ = c.Flags().MarkHidden("child")
	return c
}

// noAgent says why there is no such agent.
func noAgent(name string) error {
	if r, ok := agent.Refuse(name); ok {
		return fmt.Errorf("%s is refused on purpose: %s; in its place, in your shell: %s", r.Title, r.Reason, agent.Fallback)
	}
	return fmt.Errorf("there is no agent %q; there are: %s", name, strings.Join(agentNames(), ", "))
}

func agentNames() []string {
	var out []string
	for _, r := range agent.Rows() {
		out = append(out, r.Name)
	}
	return out
}

// hookParent starts this program again and passes on what it says, when it is
// one checked answer.
func (a *app) hookParent(ctx context.Context, row agent.Row) error {
	exe, err := a.exe()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	deadline := time.NewTimer(hook.PayloadLimit)
	defer deadline.Stop()
	return a.give(hook.Parent(ctx, hook.ParentConfig{
		Stdin: a.in, Deadline: deadline.C, Env: a.environ, ByStatus: row.ByStatus,
		Argv: hook.ChildArgv(exe, row),
	}))
}

// give hands the agent its answer. A stop whose report can't be written would
// stop without a word, so it is none.
func (a *app) give(answer hook.Answer) error {
	switch {
	case answer.Stop != "":
		if _, err := fmt.Fprintln(a.err, strings.TrimRight(answer.Stop, "\n")); err != nil {
			return err
		}
		return errStopped
	case answer.Out != nil:
		_, err := a.out.Write(append(answer.Out, '\n'))
		return err
	}
	return nil
}

// hookChild decides and executes.
func (a *app) hookChild(ctx context.Context, row agent.Row) error {
	hook.Harden()
	a.plant("child")
	payload, err := io.ReadAll(io.LimitReader(a.in, agent.MaxPayload))
	if err != nil {
		return fmt.Errorf("reading the payload: %w", err)
	}
	state, err := journal.StateDir(a.env)
	if err != nil {
		state = ""
	}
	dir, err := a.getwd()
	if err != nil {
		dir = ""
	}
	return hook.Child(ctx, hook.ChildConfig{
		Agent: row, Payload: payload, Env: a.environ, Out: a.out, State: state, Now: a.now, Dir: dir,
		Bind: func(cwd string) hook.Binding { return a.hookBinding(ctx, row.Name, cwd, state) },
	})
}

// plant lets a test make a fault happen here.
func (a *app) plant(place string) {
	if a.fault != nil {
		a.fault(place)
	}
}

// hookBinding finds what is bound where the prompt was typed.
func (a *app) hookBinding(ctx context.Context, agentName, cwd, state string) hook.Binding {
	a.plant("bind")
	heard := a.env(doctorVariable) == ""
	if heard {
		a.recoverAt(ctx, cwd)
	}
	conf, _ := a.configAt(ctx, cwd)
	out := hook.Binding{
		Repo: conf.Repo.Top(), Shadow: conf.Mode.V == "shadow", Trace: a.journalOf(conf, ""),
		Keep: func(report string) {
			if state != "" {
				_ = journal.SaveLast(state, conf.Repo, report) // a report is kept when it can be
			}
		},
	}
	b := &bound{conf: conf, dir: cwd}
	if out.Reason, out.Detail = a.settle(b); out.Reason == "" {
		if err := a.openGate(b, bindFlags{}, nil); err != nil {
			out.Reason, out.Detail = match.ReasonNotReady, err.Error()
		}
	}
	out.Attested = b.attested()
	a.addMemory(&out, b.conf, agentName)
	a.remember(b, out.Reason, out.Detail)
	if out.Reason != "" {
		return out
	}
	s := a.surroundings(cwd)
	var asked string
	out.Decide = func(prompt string) hook.Verdict {
		asked = prompt
		return a.verdict(ctx, b, s, prompt)
	}
	out.NoDrive, out.Busy = a.noDrive, func() bool { return a.busy(cwd) }
	if heard {
		out.Notices = func() []string { return a.notices(cwd) }
	}
	out.Explain = func(v hook.Verdict) string { return explainConfirm(b, v) }
	out.Run = func(ctx context.Context, v hook.Verdict) hook.Execution {
		if v.Hit.Drive {
			return a.driveHere(ctx, order{Dir: cwd, Prompt: asked, Intent: v.Hit.Intent, Agent: agentName})
		}
		return a.execute(ctx, b, s, v)
	}
	return out
}

func (a *app) verdict(ctx context.Context, b *bound, s intercept.Surroundings, prompt string) hook.Verdict {
	a.plant("decide")
	v := hook.Verdict{Decision: b.gate.Decide(prompt, intercept.Facts(ctx, s))}
	if v.Hit != nil {
		v.Changes = b.gate.Effect(v.Hit.Intent) != spec.Read
		v.Budget = b.gate.Budget(v.Hit.Intent)
	}
	return v
}

func (a *app) execute(ctx context.Context, b *bound, s intercept.Surroundings, v hook.Verdict) hook.Execution {
	a.plant("run")
	if err := b.unchanged(); err != nil { // nothing has run, and nothing does
		return hook.Execution{Outcome: hook.Failure}
	}
	o := b.gate.Run(ctx, v.Decision, s)
	return hook.Execution{
		Outcome: hook.Outcome(o.Kind), Hint: firstText(o.Hint, o.Detail), Facts: engine.Facts(v.Hit.Intent, o),
		Report: func(traceID string) string {
			return engine.Report(engine.ReportInput{
				Program: b.gate.Program(), Intent: v.Hit.Intent, Outcome: o, TraceID: traceID, Escape: b.conf.EscapePrefix.V,
			})
		},
	}
}

// explainConfirm says what a command that asks first would do.
func explainConfirm(b *bound, v hook.Verdict) string {
	title := artifact.ShownTitle(v.Hit.Title, v.Hit.Intent)
	return fmt.Sprintf("⌁ kitsoki — %s: nothing has run yet (%s). Send the same again within 60 s to run it.\n",
		title, b.gate.Effect(v.Hit.Intent))
}

func firstText(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
