package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/match"
)

func (a *app) explainVerb() *cobra.Command {
	var f bindFlags
	var format string
	c := &cobra.Command{
		Use:   "explain PROMPT",
		Short: "Show why a prompt would be taken or passed; runs nothing",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.explain(c.Context(), f, strings.Join(args, " "), format)
		},
	}
	f.register(c)
	formatFlag(c, &format, "text", "json")
	return c
}

// explanation is what explain prints as JSON (kitsoki schema explain).
type explanation struct {
	Prompt  string       `json:"prompt"`
	Take    bool         `json:"take"`
	Cover   []coverPart  `json:"cover,omitempty"`
	Match   *matchPart   `json:"match,omitempty"`
	Reason  match.Reason `json:"reason,omitempty"`
	Detail  string       `json:"detail,omitempty"`
	Top     float64      `json:"top_confidence"`
	Bar     float64      `json:"gate_bar"`
	Effect  spec.Effect  `json:"effect,omitempty"`
	Story   string       `json:"story,omitempty"`
	Room    string       `json:"room,omitempty"`
	Says    []string     `json:"intents,omitempty"`
	Blocked []string     `json:"blocked_by_world,omitempty"`
	Nearest *nearestPart `json:"nearest,omitempty"`
	ToAdd   *toAddPart   `json:"to_add,omitempty"`
	slots   []match.SlotValue
}

// nearestPart is the phrase that came closest.
type nearestPart struct {
	Intent   string   `json:"intent"`
	Phrase   string   `json:"phrase"`
	Place    string   `json:"place"`
	After    string   `json:"after,omitempty"`
	Expected []string `json:"expected,omitempty"`
}

// toAddPart is what would make the prompt a command, and what else that
// would take.
type toAddPart struct {
	Intent      string `json:"intent"`
	Synonym     string `json:"synonym"`
	PassPhrases int    `json:"pass_phrases"`
	TakesPass   int    `json:"newly_taken_pass_phrases"`
	Traced      int    `json:"traced_prompts"`
	TakesTraced int    `json:"newly_taken_traced_prompts"`
}

type coverPart struct {
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"`
	Text  string `json:"text"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

type matchPart struct {
	Intent     string          `json:"intent"`
	Confidence float64         `json:"confidence"`
	Tier       match.Tier      `json:"tier"`
	Phrase     string          `json:"phrase"`
	Place      string          `json:"place"`
	Slots      json.RawMessage `json:"slots,omitempty"`
}

func (a *app) explain(ctx context.Context, f bindFlags, prompt, format string) error {
	f.cover = true
	b, err := a.bind(ctx, f)
	if err != nil {
		return err
	}
	defer b.close()
	d := match.Decision{Reason: b.reason, Detail: b.detail, Bar: b.conf.Bar.V}
	if b.gate != nil {
		d = a.gated(b, b.gate.Decide(prompt, intercept.Facts(ctx, a.surroundings(b.dir))))
	}
	e := explained(b, d, prompt)
	if d.Reason == match.ReasonNoMatch {
		a.suggest(b, &e)
	}
	if format == "json" {
		err = a.printJSON(e)
	} else {
		a.printf("%s", e.text())
	}
	if err != nil {
		return err
	}
	if d.Intercept {
		return nil
	}
	return exit(intercept.Describe(d).Exit)
}

// explained gathers what there is to say about a decision.
func explained(b *bound, d match.Decision, prompt string) explanation {
	e := explanation{
		Prompt: prompt, Take: d.Intercept, Reason: d.Reason, Detail: d.Detail, Top: d.Top, Bar: d.Bar, Story: b.shown,
	}
	if b.gate != nil {
		e.Room, e.Says, e.Blocked = b.gate.Room, b.gate.Intents(), b.gate.Blocked()
	}
	h := d.Hit
	if h == nil {
		return e
	}
	for _, c := range h.Cover {
		e.Cover = append(e.Cover, coverPart{c.Kind, c.Name, c.Text, c.Start, c.End})
	}
	e.slots = h.Slots
	e.Match = &matchPart{
		Intent: h.Intent, Confidence: h.Tier.Confidence(), Tier: h.Tier, Phrase: h.Source,
		Place: fmt.Sprintf("%s %s:%d:%d", b.shown, h.Pos.File, h.Pos.Line, h.Pos.Col), Slots: intercept.SlotsJSON(h),
	}
	e.Effect = b.gate.Effect(h.Intent)
	return e
}

// text renders one line a step.
func (e explanation) text() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-8s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("prompt", "%s", diag.Plain(e.Prompt))
	if len(e.Cover) > 0 {
		line("cover", "%s", coverText(e.Cover))
	}
	if e.Match != nil {
		line("match", "%s  %.2f %s%s", artifact.ShownIntent(e.Match.Intent), e.Match.Confidence, e.Match.Tier, e.against())
		line("phrase", "%s   %s", e.Match.Phrase, e.Match.Place)
	}
	for _, s := range e.slots {
		line("slot", "%s = %q", s.Name, s.Raw)
	}
	if !e.Take {
		line("pass", "%s: %s", e.Reason, e.Detail)
		e.advice(line)
		if len(e.Says) > 0 && e.Match == nil {
			line("room", "%s offers: %s", e.Room, strings.Join(shownIntents(e.Says), ", "))
		}
		if len(e.Blocked) > 0 && e.Match == nil {
			line("", "blocked by the world: %s", strings.Join(shownIntents(e.Blocked), ", "))
		}
		return b.String()
	}
	line("would", "%s   (dry: nothing run)", e.Effect)
	return b.String()
}

func shownIntents(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = artifact.ShownIntent(n)
	}
	return out
}

// against compares the confidence with the bar.
func (e explanation) against() string {
	if e.Match.Confidence < e.Bar {
		return fmt.Sprintf(" < %.2f", e.Bar)
	}
	return fmt.Sprintf(" ≥ %.2f", e.Bar)
}

func coverText(parts []coverPart) string {
	out := make([]string, len(parts))
	for i, c := range parts {
		switch c.Kind {
		case "phrase":
			out[i] = "[" + c.Text + "]"
		case "slot":
			out[i] = "{" + c.Name + ": " + c.Text + "}"
		case "exchange":
			out[i] = "[" + c.Text + " = " + c.Name + "]"
		case "end":
			out[i] = c.Text
		default:
			out[i] = "[" + c.Kind + ": " + c.Text + "]"
		}
	}
	return strings.Join(out, " ")
}
