// Package agent knows the coding agents whose hooks call us: one row each,
// with how their payload is read and how they are answered.
//
// In goes what stands on a hook's standard input and the environment; out
// comes an Event, or the bytes of an answer. Every row obeys one contract,
// which a test runs over the whole table.
//
// It refuses to guess: a payload that is not certainly the named agent's is
// told apart by WrongCaller, since some agents read another's settings and
// ignore the answer, and text that no person typed by NotAPerson.
package agent

import (
	"strings"
	"time"
)

// Kind says what an event is about.
type Kind string

// The kinds of events. Other is everything that is not answered.
const (
	Prompt Kind = "prompt"
	Stop   Kind = "stop"
	Other  Kind = "other"
)

// Event is one call of a hook. A text that the payload does not have is
// empty.
type Event struct {
	Kind           Kind
	HookEventName  string
	Prompt         string
	CWD            string // as the agent gives it; not checked
	SessionID      string
	PromptID       string
	PermissionMode string
	AgentID        string // set when a sub-agent is at work
	Source         string // who wrote the prompt, where the agent says so
	TranscriptPath string
	LastMessage    string // Stop: what the assistant said last
	StopHookActive bool   // Stop: the turn goes on because of a stop hook already

	foreign string // a key that another agent's payload has
	lacks   string // a key that this agent's payload always has
}

// Plan says whether the agent is in a mode that must change nothing; Factory
// Droid calls it spec.
func (e Event) Plan() bool { return e.PermissionMode == "plan" || e.PermissionMode == "spec" }

// Env is an environment as KEY=VALUE; of two values the last counts.
type Env []string

// Get is a variable's value, "" when it is not set.
func (e Env) Get(name string) string {
	value := ""
	for _, kv := range e {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			value = v
		}
	}
	return value
}

// prefixed is the first variable with a value whose name starts so.
func (e Env) prefixed(prefix string) string {
	for _, kv := range e {
		if k, v, ok := strings.Cut(kv, "="); ok && v != "" && strings.HasPrefix(k, prefix) {
			return k
		}
	}
	return ""
}

// Capabilities say what an agent's hook can do.
type Capabilities struct {
	Block   bool // a prompt can be stopped
	Show    bool // and the person sees the report
	Answer  bool // the report stands where the model's answer would
	Context bool // a text can go along with a prompt that passes
	Drive   bool // its time-out can be raised above a drive's budget
}

// Mark says how an agent's contract is known.
type Mark string

// The marks, as README has them.
const (
	Live       Mark = "verified live"            // make e2e starts the agent itself
	Documented Mark = "documented, not verified" // built and tested against its documents
	Refused    Mark = "refused on purpose"
)

// Timeout says how long an agent waits for a hook.
type Timeout struct {
	Unit    time.Duration // of the number in its settings; 0 when it has none
	Default time.Duration // without a setting; 0 when its documents don't say
	Longest time.Duration // the most it can be told to wait; 0 for no limit
}

// Row is one coding agent.
type Row struct {
	Name    string // as in --agent
	Title   string // as people write it
	Mark    Mark
	Can     Capabilities
	Timeout Timeout

	// ByStatus says that a prompt is stopped by exit status 2 with the report
	// on standard error. Block then gives the envelope that Stderr reads.
	ByStatus bool
	// OwnDir says that the payload names no directory: the agent starts the
	// hook in the prompt's.
	OwnDir bool
	// Resends says that the hook is called again, with the prompt's id, for
	// what continues the turn.
	Resends bool

	// Decode reads a payload: one JSON value.
	Decode func(payload []byte) (Event, error)
	// WrongCaller says why a call is not this agent's, "" when it is.
	WrongCaller func(Event, Env) string
	// Unattended says why no person sits before the agent, "" when one may.
	// It is nil for an agent that does not tell.
	Unattended func(Env) string
	// Block is the answer that stops a prompt and shows the report: one JSON
	// object without a line end.
	Block func(report string) []byte
	// Context is the answer that lets a prompt pass with a text beside it.
	// It is nil for an agent that takes none.
	Context func(text string) []byte
}

// Rows lists the agents, sorted by name.
func Rows() []Row {
	return []Row{
		claude(), cline(), codex(), copilot(), cursor(), droid(), gemini(), kimi(), qwen(), vscode(), windsurf(),
	}
}

// Lookup finds an agent by its name.
func Lookup(name string) (Row, bool) {
	for _, r := range Rows() {
		if r.Name == name {
			return r, true
		}
	}
	return Row{}, false
}
