package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/intercept"
)

// shownExamples is how many ways to say a command are listed.
const shownExamples = 3

// commandPart is one command that may be typed here.
type commandPart struct {
	Intent   string      `json:"intent"`
	Title    string      `json:"title"`
	Effect   spec.Effect `json:"effect"`
	Confirm  bool        `json:"confirm,omitempty"`
	Drive    bool        `json:"drive,omitempty"`
	Examples []string    `json:"examples"`
}

func (a *app) commandsVerb() *cobra.Command {
	var f bindFlags
	var format string
	c := &cobra.Command{
		Use:   "commands",
		Short: "List what may be typed here, with examples and effects",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.commands(c.Context(), f, format)
		},
	}
	f.register(c)
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) commands(ctx context.Context, f bindFlags, format string) error {
	b, err := a.bind(ctx, f)
	if err != nil {
		return err
	}
	defer b.close()
	if b.gate == nil {
		return fmt.Errorf("nothing can be typed here: %s: %s", b.reason, b.detail)
	}
	list := commandsOf(b.gate)
	if format == "json" {
		return a.printJSON(map[string]any{"story": b.shown, "room": b.gate.Room, "commands": list})
	}
	a.printf("%s, room %s\n\n", b.shown, b.gate.Room)
	width := 0
	for _, c := range list {
		width = max(width, len([]rune(c.Title)))
	}
	for _, c := range list {
		a.printf("%-*s  %s\n    %s\n", width, c.Title, c.marks(), strings.Join(c.Examples, " · "))
	}
	return nil
}

// marks says what a command reaches, and what comes before it runs.
func (c commandPart) marks() string {
	text := string(c.Effect)
	if c.Confirm {
		text += ", asks first"
	}
	if c.Drive {
		text += ", not run by this version"
	}
	return text
}

// commandsOf lists what a room offers, but for what the user's own limit
// leaves to the model.
func commandsOf(g *intercept.Gate) []commandPart {
	out := []commandPart{}
	for _, in := range g.Program().Intents {
		examples := g.Examples(in.Name, shownExamples)
		if len(examples) == 0 || !g.Offers(in.Name) {
			continue
		}
		out = append(out, commandPart{
			in.Name, artifact.ShownTitle(in.Title, in.Name), g.Effect(in.Name), in.Confirm, in.Drive, examples,
		})
	}
	return out
}
