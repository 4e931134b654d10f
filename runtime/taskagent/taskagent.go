// Package taskagent makes the host calls that run a task agent: a program
// that gets a prompt on its standard input, may work on files, and hands in a
// verdict.
//
// In goes a call of host.agent.task or host.agent.decide; out comes its
// result, with what was handed in, or a *host.Error that says why no attempt
// was accepted.
//
// Invariants: a verdict was handed in by the attempt it is taken from, fits
// every schema, and passed the story's own command; after each attempt every
// file outside of the task, the index and HEAD are as they were before, byte
// for byte, and so is what decides in the shared git directory which programs
// git runs, before a git of ours could run them; no attempt is accepted whose
// agent changed that, or a ref that was not the person's to change at the same
// time; what may be the person's own work is never undone, but named, and
// nothing that was in the way is thrown away; no process of an attempt outlives
// it in its group, nor, on Linux, with its variables; the files of an attempt
// are gone when it has ended.
//
// It refuses a call before anything starts when the agent, a file, a schema
// or an argument is not usable, and when what it would have to put back is too
// much to keep. Files that git ignores are not watched unless the task names
// them.
package taskagent

import (
	"context"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
)

// The calls that a Runner makes.
const (
	taskName   = "host.agent.task"
	decideName = "host.agent.decide"
)

// Runner makes the calls of one story.
type Runner struct {
	Program *artifact.Program // its agents, and the files they are given
	Kitsoki string            // path of the kitsoki executable, which serves the tool submit; "": agents do without
	Temp    string            // an existing directory for what an attempt needs; "" is the system's own
	Records string            // kitsoki's directory of records: left alone if it lies in the working tree; "" for none
}

// Call makes one call. Every error it returns is a *host.Error: without a
// result when no agent was started.
func (r Runner) Call(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	t, err := r.task(name, args, env)
	if err != nil {
		return nil, &host.Error{Call: name, Msg: err.Error()}
	}
	before, err := t.snapshot(ctx)
	if err != nil {
		return nil, &host.Error{Call: name, Msg: err.Error()}
	}
	res, err := t.perform(ctx, before)
	if left := before.forget(); err == nil && left != nil {
		err = &host.Error{Call: name, Msg: "clearing up: " + left.Error(), Result: res}
	}
	return res, err
}

// refusal is why an attempt was not accepted.
type refusal struct {
	why   string
	late  bool // its time was over
	final bool // another attempt would be of no use
}

// perform attempts the task until an attempt is accepted.
func (t *task) perform(ctx context.Context, before *snapshot) (map[string]any, error) {
	var rep report
	var no *refusal
	for rep.attempts <= t.retries {
		rep.attempts++
		if no = t.attempt(ctx, before, &rep); no == nil {
			return rep.result(t, before), nil
		}
		rep.reason = no.why
		if no.final || ctx.Err() != nil {
			break
		}
	}
	failed := &host.Error{Call: t.call, Msg: no.why, TimedOut: no.late}
	if rep.started {
		failed.Result = rep.result(t, before)
	}
	return failed.Result, failed
}
