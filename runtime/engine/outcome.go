package engine

import (
	"time"

	"kitsoki/runtime/host/spec"
)

// Kind is how a command ended.
type Kind string

// The outcomes of the executor. Resolved is a drive that came to rest; a
// one-shot that did is Transitioned.
const (
	Transitioned Kind = "transitioned"
	Resolved     Kind = "resolved"
	Terminal     Kind = "terminal"
	Rejected     Kind = "rejected"
	Incomplete   Kind = "incomplete"
	Failed       Kind = "failed"
	TimedOut     Kind = "timed_out"
	Errored      Kind = "error"
	Aborted      Kind = "aborted"      // given up, and all is as it was
	AbortFailed  Kind = "abort_failed" // given up, and not all is
)

// Kinds are all outcomes of the executor.
func Kinds() []Kind {
	return []Kind{Transitioned, Resolved, Terminal, Rejected, Incomplete, Failed, TimedOut, Errored, Aborted, AbortFailed}
}

// The exit codes of a command that ran to an outcome.
const (
	ExitDone     = 0
	ExitNotDone  = 1
	ExitTerminal = 2
	ExitError    = 3
)

// ExitCode is the status kitsoki intercept ends with.
func (k Kind) ExitCode() int {
	switch k {
	case Transitioned, Resolved:
		return ExitDone
	case Terminal:
		return ExitTerminal
	case Rejected, Incomplete, Failed, TimedOut, Aborted:
		return ExitNotDone
	}
	return ExitError
}

// Done reports whether the command did what it says.
func (k Kind) Done() bool { return k == Transitioned || k == Resolved || k == Terminal }

// Code says why a command was not done.
type Code string

// The codes.
const (
	GuardFailed        Code = "GUARD_FAILED"
	PreconditionFailed Code = "PRECONDITION_FAILED"
	IntentNotAllowed   Code = "INTENT_NOT_ALLOWED_IN_STATE"
	MissingSlots       Code = "MISSING_SLOTS"
	InvalidSlotValue   Code = "INVALID_SLOT_VALUE"
	HostError          Code = "HOST_ERROR"
	HopLimitReached    Code = "HOP_LIMIT"
)

// Outcome is how a command ended and what it did on the way.
type Outcome struct {
	Kind   Kind   `json:"outcome"`
	Code   Code   `json:"code,omitempty"`
	Hint   string `json:"hint,omitempty"`   // the story's own words to the person
	Detail string `json:"detail,omitempty"` // what exactly went wrong
	State  string `json:"state"`            // where it rests
	Say    string `json:"say,omitempty"`
	View   string `json:"view,omitempty"` // first line of the landing view
	// MissingSlots are the required slots that were not given, in the order
	// of their declaration.
	MissingSlots []string `json:"missing_slots,omitempty"`
	// Elsewhere: it rests neither in the bound room nor where the story says
	// the job is done.
	Elsewhere    bool       `json:"elsewhere,omitempty"`
	WorldChanges []Change   `json:"world_changes,omitempty"` // sorted by key
	HostCalls    []HostCall `json:"host_calls,omitempty"`    // in order, preconditions left out
}

// Change is a world key that differs from the start.
type Change struct {
	Key string `json:"key"`
	Old any    `json:"old"`
	New any    `json:"new"`
}

// HostCall is one call that was made. ExitCode is nil when the call has
// none. Output is its last lines, without control codes.
type HostCall struct {
	Call       string         `json:"call"`
	ID         string         `json:"id,omitempty"`
	Args       map[string]any `json:"args,omitempty"`
	Effect     spec.Effect    `json:"effect"`
	ExitCode   *int           `json:"exit_code,omitempty"`
	OK         bool           `json:"ok"`
	TimedOut   bool           `json:"timed_out,omitempty"`
	DurationMS int            `json:"duration_ms"`
	Error      string         `json:"error,omitempty"`
	Output     string         `json:"output,omitempty"`

	command string // what host.run ran, as it says itself
	pid     int    // of a command that was left running
	log     string // where it writes to
}

// EventKind names what an observer sees.
type EventKind string

// The events.
const (
	IntentTaken  EventKind = "intent.taken"
	StateEntered EventKind = "state.entered"
	WorldSet     EventKind = "world.set"
	HostStarted  EventKind = "host.started"
	HostFinished EventKind = "host.finished"
)

// Event is one step of a run, told as it happens. State is always set;
// Intent and Slots, as converted and with their defaults, for intent.taken,
// which comes before a guard is asked; Key and Value for world.set; Call for
// the host events.
type Event struct {
	Kind  EventKind
	Time  time.Time
	State string

	Intent string
	Slots  map[string]any
	Key    string
	Value  any
	Call   *HostCall
}

func (r *run) observe(e Event) {
	if r.req.Observe == nil {
		return
	}
	e.Time, e.State = r.now(), r.state
	r.req.Observe(e)
}

func (r *run) now() time.Time {
	if r.req.Clock == nil {
		return time.Time{}
	}
	return r.req.Clock()
}
