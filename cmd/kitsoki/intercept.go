package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/config"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

type interceptFlags struct {
	bindFlags
	input, trace string
	yes, dryRun  bool
}

func (a *app) interceptVerb() *cobra.Command {
	var f interceptFlags
	c := &cobra.Command{
		Use:   "intercept",
		Short: "Decide about a prompt and run the command it is; prints one JSON document",
		Long: `Decide about a prompt (--input, else standard input: text, or a JSON object
with a "prompt"), run the command it is, and print one JSON document
(kitsoki schema intercept). Exit: 0 done, 1 not done, 2 done and the session
has ended, 3 usage, no binding or an error, 10 the prompt is the model's.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.intercept(c.Context(), f, c.Flags().Changed("input"))
		},
	}
	f.register(c)
	c.Flags().StringVar(&f.input, "input", "", "the prompt (default: standard input)")
	c.Flags().StringVar(&f.trace, "trace", "", "record the decision in this file")
	c.Flags().BoolVar(&f.yes, "yes", false, "run an intent that asks for a confirmation")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "decide, run and record nothing")
	return c
}

// maxPrompt bounds a prompt on standard input.
const maxPrompt = 16 << 20

// prompt gives the prompt of a verb.
func (a *app) prompt(input string, given bool) (string, error) {
	if given {
		return input, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.in, maxPrompt))
	if err != nil {
		return "", fmt.Errorf("reading the prompt: %w", err)
	}
	data = []byte(strings.TrimPrefix(string(data), "\ufeff"))
	if t := strings.TrimSpace(string(data)); strings.HasPrefix(t, "{") {
		var doc struct{ Prompt *string }
		if err := json.Unmarshal(data, &doc); err == nil && doc.Prompt != nil {
			return *doc.Prompt, nil
		}
	}
	return string(data), nil
}

func (a *app) intercept(ctx context.Context, f interceptFlags, given bool) error {
	began := a.now()
	prompt, err := a.prompt(f.input, given)
	if err != nil {
		return err
	}
	b, err := a.bind(ctx, f.bindFlags)
	var le *artifact.LoadError
	if errors.As(err, &le) {
		b.reason, b.detail, err = match.ReasonNotReady, le.Error(), nil
	}
	if err != nil {
		return err
	}
	defer b.close()
	d := match.Decision{Reason: b.reason, Detail: b.detail, Bar: b.conf.Bar.V}
	if b.gate != nil {
		s := a.surroundings(b.dir)
		d = a.gated(b, b.gate.Decide(prompt, intercept.Facts(ctx, s)))
	}
	doc, d := a.act(ctx, f, b, prompt, d)
	if !f.dryRun {
		doc.TraceID = a.record(b, f.trace, prompt, d, doc, a.now().Sub(began))
	}
	if err := a.printJSON(doc); err != nil {
		return err
	}
	return exit(doc.Exit)
}

// gated adds what only the caller knows: an intent that drives, shadow mode.
func (a *app) gated(b *bound, d match.Decision) match.Decision {
	switch {
	case !d.Intercept:
	case b.shadow():
		d.Intercept, d.Reason, d.Detail = false, match.ReasonWouldIntercept, d.Hit.Shown()
	default:
		if reason, detail := a.held(b, d.Hit); reason != "" {
			d.Intercept, d.Reason, d.Detail = false, reason, detail
		} else if err := b.unchanged(); err != nil {
			d.Intercept, d.Reason, d.Detail = false, match.ReasonUntrusted, err.Error()
		}
	}
	return d
}

// held says why a command can't be run just now, or not here.
func (a *app) held(b *bound, hit *match.Hit) (match.Reason, string) {
	if hit.Drive && a.noDrive() != "" {
		return match.ReasonNoDrive, a.noDrive()
	}
	if (hit.Drive || b.gate.Effect(hit.Intent) != spec.Read) && a.busy(b.dir) {
		return match.ReasonBusy, "another command is under way in this repository"
	}
	return "", ""
}

func (b *bound) shadow() bool { return !b.own && b.conf.Mode.V == config.Shadow }

// act runs what was decided and describes it. The decision is another when a
// drive has begun in the meantime.
func (a *app) act(ctx context.Context, f interceptFlags, b *bound, prompt string, d match.Decision) (intercept.Document, match.Decision) {
	doc := intercept.Describe(d)
	switch {
	case !d.Intercept:
	case f.dryRun:
		doc.Matched, doc.Outcome, doc.Exit = true, "", exitOK
	case d.Hit.Confirm && !f.yes:
		doc.Matched, doc.Outcome, doc.Exit = true, "confirm", exitFindings
		doc.Detail = d.Hit.Shown() + " asks for a confirmation: run it again with --yes"
	case d.Hit.Drive:
		r, err := a.driveGate(ctx, f, b, prompt, d)
		switch {
		case err != nil:
			doc.Ran(engine.Outcome{Kind: engine.Errored, State: b.gate.Room, Detail: err.Error()})
		case r.Busy:
			d.Intercept, d.Reason, d.Detail = false, match.ReasonBusy, r.Outcome.Detail
			return intercept.Describe(d), d
		default:
			doc.Ran(r.Outcome)
			doc.Drive = r.id()
		}
	default:
		doc.Ran(a.runGate(ctx, b, d))
	}
	return doc, d
}

// runGate executes, and counts the seconds on a terminal's standard error
// while a command takes long.
func (a *app) runGate(ctx context.Context, b *bound, d match.Decision) engine.Outcome {
	stop := a.elapsed()
	defer stop()
	return b.gate.Run(ctx, d, a.surroundings(b.dir))
}

// record writes the trace line and gives its id, "" when nothing was
// recorded.
func (a *app) record(b *bound, path, prompt string, d match.Decision, doc intercept.Document, took time.Duration) string {
	j := a.journalOf(b.conf, path)
	if j == nil || b.dir == "" {
		return ""
	}
	h := journal.Head{Repo: b.conf.Repo.Top()}
	var id string
	var err error
	if d.Intercept {
		id, err = j.Matched(h, journal.Matched{
			Input: prompt, Intent: doc.Intent, Slots: doc.Slots, Confidence: doc.Confidence, Tier: string(doc.Tier),
			MatchReason: doc.MatchReason, GateBar: doc.GateBar, Mode: "enforce", Executed: doc.Result != nil,
			Outcome: doc.Outcome, DurationUS: took.Microseconds(), Drive: doc.Drive,
		})
	} else {
		id, err = j.Passed(h, journal.Passed{Input: prompt, TopConfidence: d.Top, Reason: string(d.Reason), Detail: d.Detail})
	}
	if err != nil {
		return ""
	}
	return id
}
