package drive

import (
	"encoding/json"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

// Kind names what a record tells.
type Kind string

// The kinds. Escalated comes first, and exactly one of Resolved and Aborted
// last.
const (
	Escalated     Kind = "intercept.escalated"
	IntentTaken   Kind = "intent.taken"
	StateEntered  Kind = "state.entered"
	WorldSet      Kind = "world.set"
	HostStarted   Kind = "host.started"
	HostProcess   Kind = "host.process" // a process exists, and does not work yet
	HostFinished  Kind = "host.finished"
	AgentStarted  Kind = "agent.started"
	AgentFinished Kind = "agent.finished"
	AbortStarted  Kind = "abort.started"
	Resolved      Kind = "intercept.resolved"
	Aborted       Kind = "intercept.aborted"
)

// Kinds are all kinds of records.
func Kinds() []Kind {
	return []Kind{
		Escalated, IntentTaken, StateEntered, WorldSet, HostStarted, HostProcess, HostFinished,
		AgentStarted, AgentFinished, AbortStarted, Resolved, Aborted,
	}
}

// Event is one record of a drive. Seq counts from 1; Time is RFC 3339 with
// nanoseconds, UTC. Of the other fields those are set that the kind has: State
// where the drive was, Intent for intent.taken, Key and Value for world.set,
// Call for the host's and the agents', Process for host.process, Tree for what
// changes something, Opening and Closing for the first and the last.
type Event struct {
	Seq     int             `json:"seq"`
	Time    string          `json:"time"`
	Kind    Kind            `json:"kind"`
	Session string          `json:"session"`
	State   string          `json:"state,omitempty"`
	Intent  string          `json:"intent,omitempty"`
	Key     string          `json:"key,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
	Call    *Call           `json:"call,omitempty"`
	Process *proc.Process   `json:"process,omitempty"`
	Tree    *Tree           `json:"tree,omitempty"`
	Moved   bool            `json:"moved,omitempty"` // somebody else has moved the tree on
	Opening *Opening        `json:"opening,omitempty"`
	Closing *Closing        `json:"closing,omitempty"`
}

// whole tells a record that has what its kind must have. A kind that is not
// known here may have anything.
func (e *Event) whole() bool {
	switch e.Kind {
	case Escalated:
		return e.Opening != nil && e.Opening.Plan != nil
	case HostStarted, HostFinished, AgentStarted, AgentFinished:
		return e.Call != nil
	case HostProcess:
		return e.Process != nil
	case Resolved, Aborted:
		return e.Closing != nil
	}
	return true
}

// Call is one host call. N counts the calls that change something from 1, 0
// for one that only reads. Cost is in US dollars, as the agent reports it.
type Call struct {
	N          int             `json:"n,omitempty"`
	Name       string          `json:"name"`
	Args       json.RawMessage `json:"args,omitempty"`
	Effect     string          `json:"effect,omitempty"`
	OK         bool            `json:"ok,omitempty"`
	Error      string          `json:"error,omitempty"`
	DurationMS int             `json:"duration_ms,omitempty"`
	Agent      string          `json:"agent,omitempty"`
	Attempts   int             `json:"attempts,omitempty"`
	Cost       float64         `json:"cost_usd,omitempty"`
	Tokens     int             `json:"tokens,omitempty"`
	Files      []string        `json:"files_changed,omitempty"`
	PutBack    []string        `json:"put_back,omitempty"`
	Meanwhile  []string        `json:"changed_meanwhile,omitempty"`
	SetAside   string          `json:"set_aside,omitempty"`
}

// Opening is what must be known to give a drive up from another process: who
// drives, where it began, and the way back.
type Opening struct {
	Supervisor proc.Process      `json:"supervisor"`
	Dir        string            `json:"dir"`
	Repo       string            `json:"repo,omitempty"` // the repository's key, which outlives Dir
	Room       string            `json:"room"`
	Intent     string            `json:"intent"`
	Input      string            `json:"input,omitempty"` // the prompt, secrets masked
	Agent      string            `json:"agent,omitempty"` // the coding agent it was typed to
	Start      Tree              `json:"start"`
	Status     []string          `json:"status,omitempty"` // git status at the start, one line a path
	World      json.RawMessage   `json:"world"`            // when the drive was opened
	Passed     []string          `json:"passed,omitempty"` // flagged states entered before that
	Plan       *artifact.Program `json:"plan"`
}

// placed is an opening that names its repository.
func (o Opening) placed() *Opening {
	o.Repo = o.key()
	return &o
}

// key is the repository's; records of an earlier version do not name it.
func (o *Opening) key() string {
	if o.Repo != "" {
		return o.Repo
	}
	return journal.Locate(o.Dir).Key()
}

// Closing is how a drive ended. By says who closed it: the supervisor, or a
// later process that found it dead.
type Closing struct {
	Outcome  string `json:"outcome"`
	Reason   string `json:"reason,omitempty"`
	Verified bool   `json:"verified"` // what Outcome says was looked at afterwards
	Rounds   int    `json:"rounds"`   // how often a task agent was asked
	By       string `json:"by"`
}

// Who closes a drive.
const (
	BySupervisor = "supervisor"
	ByRecovery   = "recovery"
)
