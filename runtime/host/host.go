// Package host makes the host calls of a story: one file and one row a call,
// compared with the signatures in host/spec by a test.
//
// In goes a call's name with its arguments as values of a story (nil, bool,
// int, float64, string, []any, map[string]any); out comes the result as its
// signature says, or an error.
//
// An Error is a domain error: the call could not do its work, and the story
// may handle it by on_error. A command that ran and exited non-zero is data.
// Every other error is a fault of the caller.
//
// It refuses arguments that can't be passed on unchanged (NUL, over 120 KiB)
// before anything starts.
package host

import (
	"context"
	"fmt"
	"time"

	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/proc"
)

// Caller makes host calls. The engine takes one; tests give it a fake.
type Caller interface {
	// Call makes one call. It returns an *Error for a domain error; the
	// error may carry a result.
	Call(ctx context.Context, name string, args map[string]any, env Env) (map[string]any, error)
}

// Env is where a call works.
type Env struct {
	Dir      string        // the working directory, absolute
	Vars     []string      // the environment, KEY=VALUE
	Session  string        // told to children as KITSOKI_ACTIVE; "" tells 1
	Grace    time.Duration // between TERM and KILL; 0: proc's default
	ReadOnly bool          // the call only reads: git takes no optional locks
	ID       string        // what the story calls this call, "" for nothing; changes no call
	Detach   bool          // host.run leaves the command running once it is ready
	Logs     string        // the directory for the output of such commands, set by Local
	Drive    bool          // a drive makes the call: calls and ops that only a drive makes are open to it

	// Roots is what a text that the call fills may name: the story's world and
	// slots. Nil: nothing.
	Roots map[string]any

	// Started is told of each process that may change something, before it
	// works; when it fails, the process does nothing. Nil: nobody need be told.
	Started func(proc.Process) error
}

// Error is a domain error. Result is what the call had to say all the same,
// nil when it did not start. TimedOut says its own time-out ended it.
type Error struct {
	Call     string
	Msg      string
	Result   map[string]any
	TimedOut bool
}

// Error is the call's name and what went wrong.
func (e *Error) Error() string { return e.Call + ": " + e.Msg }

func failf(call, format string, args ...any) *Error {
	return &Error{Call: call, Msg: fmt.Sprintf(format, args...)}
}

// Local makes host calls on this machine. Logs is the directory for the
// output of commands that are left running; without one none is. Tasks makes
// the calls of task agents; without it there are none.
type Local struct {
	Logs  string
	Tasks Caller
}

type call func(ctx context.Context, args map[string]any, env Env) (map[string]any, error)

// lookup is the table of calls.
func lookup(name string) call {
	switch name {
	case "host.run":
		return run
	case "host.git":
		return git
	case "host.project":
		return findProject
	case readName:
		return readFile
	case writeName:
		return writeFile
	}
	return nil
}

// Call makes one call; a name without a row is a domain error.
func (l Local) Call(ctx context.Context, name string, args map[string]any, env Env) (map[string]any, error) {
	row, _ := spec.Lookup(name)
	if row.Drives && (!env.Drive || l.Tasks == nil) {
		return nil, failf(name, "only a drive makes this call")
	}
	if row.Drives {
		return l.Tasks.Call(ctx, name, args, env)
	}
	c := lookup(name)
	if c == nil {
		return nil, failf(name, "there is no such host call")
	}
	env.Logs = l.Logs
	return c(ctx, args, env)
}
