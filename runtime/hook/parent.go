// Package hook takes one prompt through, from a coding agent's call to the
// answer on its standard output.
//
// It is two halves, in two processes. The parent starts the child; whatever
// becomes of that, it passes on either one JSON object that it has checked, or
// nothing, and exits 0. So no crash can look like a decision: a Go program
// that panics exits 2, and 2 means "block and erase" to Claude Code. Child
// decides and executes. There are two parents: Parent has every payload
// answered by the child; Run, which is kitsoki-hook, decides by the binding's
// record first, and lets go on to the model by itself what certainly goes there.
//
// In go the payload, the environment, a clock, and functions that know the
// binding; out comes the answer. Invariants: only the outcomes in one table
// stop a prompt; all else fails open. A prompt that is not certainly a
// person's, from the agent that was named, is never executed. It refuses to
// read configuration files or to know what a command is: cmd brings both.
package hook

import (
	"context"
	"io"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/proc"
)

// The time limits of a call.
const (
	// PayloadLimit is how long the payload may take to arrive.
	PayloadLimit = 2 * time.Second
	// DecideLimit is how long the child may take to decide.
	DecideLimit = 5 * time.Second
	// leastBudget is the budget of a command that declares none.
	leastBudget = 5 * time.Second
	// MaxBudget is the longest budget of a command.
	MaxBudget = 15 * time.Minute
	// Slack is what a child gets beyond its command's budget, to end it and
	// to report.
	Slack = 30 * time.Second
)

// ParentConfig is what the parent needs. Deadline fires PayloadLimit after
// the start. Argv starts this program as the child.
type ParentConfig struct {
	Stdin    io.Reader
	Deadline <-chan time.Time
	Argv     []string
	Env      []string
}

// Parent reads a payload, has the child answer it, and returns the JSON
// object to print, nil for silence. When ctx ends, so does the child with all
// it started.
func Parent(ctx context.Context, c ParentConfig) []byte {
	payload, err := agent.ReadOne(c.Stdin, agent.MaxPayload, c.Deadline)
	if err != nil {
		return nil
	}
	return ask(ctx, c.Argv, c.Env, payload)
}

// ask starts a child with a payload and gives its checked answer, nil for
// silence.
func ask(ctx context.Context, argv, env []string, payload []byte) []byte {
	var l listener
	r := proc.Converse(ctx, proc.Cmd{
		Argv: argv, Env: env, Stdin: payload, Limit: maxSaid, Timeout: DecideLimit,
	}, l.line)
	if r.Err != nil || r.Cut && r.Cancelled { // it could not start, or said too much
		return nil
	}
	return l.answer()
}
