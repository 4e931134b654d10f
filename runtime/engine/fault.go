package engine

import (
	"context"
	"errors"
)

// fault is why a run stopped. A refusal (a guard, a precondition, a slot)
// is the story working as written; a break is not.
type fault struct {
	refusal  bool
	timedOut bool
	code     Code
	hint     string
	detail   string
	missing  []string // the required slots that were not given
}

func refused(code Code, hint, detail string) *fault {
	return &fault{refusal: true, code: code, hint: hint, detail: detail}
}

func broken(code Code, detail string) *fault { return &fault{code: code, detail: detail} }

// kind judges a fault by what had started: only a run that touched nothing
// may say rejected or error.
func (f *fault) kind(effectful bool) Kind {
	switch {
	case effectful && f.timedOut:
		return TimedOut
	case effectful:
		return Failed
	case f.refusal:
		return Rejected
	}
	return Errored
}

// outOfTime is the fault of a run whose context has ended, nil when it has
// not. Whoever ends the context may say by its cause that time is over.
func (r *run) outOfTime() *fault {
	err := context.Cause(r.ctx)
	if err == nil {
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &fault{code: HostError, timedOut: true, detail: "the time limit of " + budget(r.req).String() + " passed"}
	}
	return broken(HostError, "cancelled")
}
