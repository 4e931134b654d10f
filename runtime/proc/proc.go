// Package proc starts child processes and sees them to their end. It is the
// only importer of os/exec.
//
// In goes an argv with its directory, environment and input; out comes a
// Result, always: a child that can't start is a Result with Err. A child
// gets exactly the environment given, never our standard input or terminal,
// and a process group of its own, so that ending it ends what it started.
//
// Invariants: no call outlasts its limit by more than the grace period and a
// second; what is kept of the output is bounded; no child of a cut command
// is left in its group. A process that moves to another session is out of
// reach and is left alone; it can't hold the call up.
//
// It refuses programs found through the current directory: only absolute
// entries of the given PATH are searched.
package proc

import (
	"context"
	"time"
)

// Limits that hold when a Cmd names none.
const (
	// DefaultLimit is how much of each stream is kept, in bytes.
	DefaultLimit = 1 << 20
	// DefaultGrace is the time between TERM and KILL.
	DefaultGrace = 2 * time.Second
)

// settle is how long we wait for the rest of the output once the leader is
// gone and nothing more is expected.
const settle = 500 * time.Millisecond

// Cmd is one command to run.
type Cmd struct {
	Argv      []string      // Argv[0] is a name to find on PATH, or a path relative to Dir
	Dir       string        // absolute; "" is our own directory
	Env       []string      // the whole environment, KEY=VALUE, the last one of a key counts
	Stdin     []byte        // nil: empty input
	Limit     int           // bytes kept of each stream; 0: DefaultLimit
	Timeout   time.Duration // 0: only the context limits it
	Grace     time.Duration // 0: DefaultGrace
	SameGroup bool          // stay in our process group; only the process itself is ended
	Whole     bool          // once the process has ended, what it left in its group is ended too

	// Started is told of the process when it exists and before it works; when
	// it fails, or when we die, the process ends without having done anything.
	// Its Result then has the error. Nil: nobody need be told.
	Started func(Process) error
}

// Result is how a command ended. Of a stream longer than the limit the
// beginning and the end are kept, and a line in between says how much is
// missing.
type Result struct {
	Err       error // it could not be started; all else is zero but ExitCode
	ExitCode  int   // 128 + n after signal n; -1 when cut or not started
	Stdout    []byte
	Stderr    []byte
	Output    []byte // both streams as they came
	Cut       bool   // some output was dropped
	TimedOut  bool   // ended by us: Timeout or the context's deadline passed
	Cancelled bool   // ended by us: the context was cancelled, or it said too much
	Signal    string // name of the signal that ended it, "" when none did
	Duration  time.Duration
}

// OK reports whether the command ran to its end with status 0.
func (r Result) OK() bool { return r.Err == nil && r.ExitCode == 0 && !r.TimedOut && !r.Cancelled }

// Run runs a command to its end, or to its limit: then its group gets TERM,
// and KILL after the grace period. Processes the leader leaves behind with
// our pipes open are ended the same way.
func Run(ctx context.Context, c Cmd) Result {
	limit := c.limit()
	out, errs, both := newCapture(limit), newCapture(limit), newCapture(limit)
	ch, err := start(ctx, c, tee{out, both}, tee{errs, both})
	if err != nil {
		return Result{Err: err, ExitCode: -1}
	}
	end := ch.watch(ctx, c.Timeout, nil)
	r := ch.result(end)
	r.Stdout, r.Stderr, r.Output = out.bytes(), errs.bytes(), both.bytes()
	r.Cut = out.cut() || errs.cut() || both.cut()
	return r
}

func (c Cmd) limit() int {
	if c.Limit > 0 {
		return c.Limit
	}
	return DefaultLimit
}

func (c Cmd) grace() time.Duration {
	if c.Grace > 0 {
		return c.Grace
	}
	return DefaultGrace
}
