// Package hook takes one prompt through, from a coding agent's call to the
// answer that the agent is given.
//
// It is two halves, in two processes. The parent starts the child; whatever
// becomes of that, it passes on either one JSON object that it has checked, or
// nothing, and exits 0. So no crash can look like a decision: a Go program
// that panics exits 2, and 2 means "block and erase" to most agents. For an
// agent that is stopped by that status alone, a parent says so after a whole,
// checked stop of its child, and never else. Child decides and executes. There are two parents: Parent has every payload
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
	// AbortBudget is what giving up a command may take that was driven, beyond
	// its budget.
	AbortBudget = 30 * time.Second
	// Slack is what a child gets beyond its command's budget, to end it and
	// to report.
	Slack = 30 * time.Second
)

// ParentConfig is what the parent needs. Deadline fires PayloadLimit after
// the start. Argv starts this program as the child. ByStatus says that the
// agent is stopped by exit status.
type ParentConfig struct {
	Stdin    io.Reader
	Deadline <-chan time.Time
	Argv     []string
	Env      []string
	ByStatus bool
}

// Answer is what the agent is given: Out, one JSON object for standard output
// with status 0; or Stop, the text for standard error with the status that
// stops a prompt. Both empty are silence.
type Answer struct {
	Out  []byte
	Stop string
}

// Parent reads a payload, has the child answer it, and returns the answer.
// When ctx ends, so does the child with all it started.
func Parent(ctx context.Context, c ParentConfig) Answer {
	payload, err := agent.ReadOne(c.Stdin, agent.MaxPayload, c.Deadline)
	if err != nil {
		return Answer{}
	}
	return ask(ctx, c.Argv, c.Env, payload, c.ByStatus)
}

// ask starts a child with a payload and gives its checked answer.
func ask(ctx context.Context, argv, env []string, payload []byte, byStatus bool) Answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The agent may be ended without us: who drives must hear of it.
	l := listener{driving: func() { go proc.WhenOrphaned(ctx, cancel) }}
	r := proc.Converse(ctx, proc.Cmd{
		Argv: argv, Env: env, Stdin: payload, Limit: maxSaid, Timeout: DecideLimit,
	}, l.line)
	if r.Err != nil || r.Cut && r.Cancelled { // it could not start, or said too much
		return Answer{}
	}
	out := l.answer()
	if report, stops := agent.Stderr(out); stops && byStatus {
		return Answer{Stop: report}
	}
	return Answer{Out: out}
}
