// Package expr is the two small languages a story may use, and nothing else
// knows them: expressions (guards and {{ }} in values, by expr-lang/expr)
// and text templates (by pongo2, in a sandbox of our own).
//
// The compiler calls Check, CheckText and Split with the Scope that says
// which roots and keys are declared at that place; the engine calls Eval and
// Render with the values. Both sides configure the languages in the same
// functions, so what checks clean also runs.
//
// Invariants: the result depends on the environment given and on nothing
// else (no clock, no files, no random order); every error is a value, a
// panic of a library never leaves the package; output is bounded.
//
// It refuses: undeclared roots and keys, the clock and time-zone functions,
// functions whose result order is random, template tags that load files,
// and templates nested deeper than three loops.
package expr

import (
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// MaxSource is the most one expression or text may be, in bytes: both are
// read by recursion, and a stack that overflows ends the process.
const MaxSource = 64 << 10

// tooLong is the error of a source past MaxSource, nil for any other.
func tooLong(src string) *Error {
	if len(src) <= MaxSource {
		return nil
	}
	return &Error{Msg: "this is longer than 64 KiB", Hint: "move data out of the story's expressions and texts"}
}

// Scope is what an expression or text may name at one place of a story.
type Scope struct {
	World  []artifact.WorldKey
	Slots  []artifact.Slot // nil: the root slots is not declared here
	Result []spec.Result   // nil: there is no root result

	// ResultOpen declares result without declaring its fields.
	ResultOpen bool
	// Event, Args and Item say whether those roots are there; their keys
	// are never declared.
	Event, Args, Item bool
}

// Error is an author's mistake in an expression or text. Offset is the byte
// in the source given where it was seen; Hint is the next action or "".
type Error struct {
	Offset int
	Msg    string
	Hint   string
	// Missing is set when a name is not declared: the root that lacks a key,
	// or MissingRoot when the root itself is not known.
	Missing string
}

// MissingRoot is Error.Missing of a root that is not declared at its place.
const MissingRoot = "."

// Error is the message without place and hint.
func (e *Error) Error() string { return e.Msg }
