// Package flow runs a story's flow tests, flows/*.yaml: turns of a session
// whose host calls are answered by the test.
//
// In: a story's files, its artifact, and the tests. Out: one Result a flow,
// one Step a turn. Invariants: turns are run by the engine itself and free
// text is decided about by the gate itself, only the host is another; state
// and world carry on from turn to turn; nothing shells out and nobody waits,
// since a delay passes in simulated time. Only a runner that records makes
// real calls, for what a cassette lacks.
//
// It refuses tests that name what the story does not have, each at its
// place. A call that nothing answers fails its turn.
package flow

import (
	"time"

	"kitsoki/compiler/diag"
)

// Flow is one flow test that has been read and checked.
type Flow struct {
	File     string // such as flows/hub.yaml
	state    string // where the first turn is taken
	world    map[string]any
	stubs    map[string]stub // by host call
	cassette *cassette       // nil: none is named
	turns    []turn
	noErrors *strictness
	end      []expectation
}

// strictness is what expect_no_errors says: holds forbids every error, its
// contrary those that are not expected.
type strictness struct {
	pos   diag.Pos
	holds bool
}

// turn is one turn: an intent with its slots, or an input.
type turn struct {
	pos    diag.Pos
	intent string
	slots  map[string]any
	input  string
	expect []expectation
	errors bool // it says which error is expected
}

// answer is how a call is answered: Data beside Err is what a call that
// failed had to say, nil when it did not start.
type answer struct {
	data  map[string]any
	err   string
	infra string // an error that no story can handle
	delay time.Duration
}

// stub holds the answers for one host call; top is nil when only some of
// its calls are answered.
type stub struct {
	top    *answer
	byCall map[string]*answer
	byOp   map[string]*answer
}

// find gives the answer for a call: by its id, else by its op, else the
// common one; nil for none.
func (s stub) find(id, op string) *answer {
	if a := s.byCall[id]; a != nil {
		return a
	}
	if a := s.byOp[op]; a != nil {
		return a
	}
	return s.top
}

// Result is what became of a flow. Unplayed names the episodes of its
// cassette that answered nothing.
type Result struct {
	File     string   `json:"file"`
	OK       bool     `json:"ok"`
	Steps    []Step   `json:"steps"`
	Unplayed []string `json:"unplayed,omitempty"`
}

// Step is a turn, or, with Turn 0, the flow's end. Trace tells what happened
// in the turn, a line each.
type Step struct {
	Turn     int       `json:"turn,omitempty"` // from 1
	Name     string    `json:"name"`
	Pos      diag.Pos  `json:"pos"`
	OK       bool      `json:"ok"`
	State    string    `json:"state"` // where the session is afterwards
	Failures []Failure `json:"failures,omitempty"`
	Trace    []string  `json:"trace,omitempty"`
}

// Failure is an expectation that does not hold. Expect is its key; "turn"
// for what every turn must do.
type Failure struct {
	Pos      diag.Pos `json:"pos"`
	Expect   string   `json:"expect"`
	Expected string   `json:"expected"`
	Got      string   `json:"got"`
}
