// Package diag is what the compiler says about a story: diagnostics with a
// stable code, a place, a hint, and the printers for them. It refuses
// nothing and decides nothing.
package diag

import "kitsoki/runtime/artifact"

// Pos is a place in a story's source.
type Pos = artifact.Pos

// Severity orders diagnostics by what they stop.
type Severity string

// An error stops a compile, a warning stops lint, info stops nothing.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Code names a kind of diagnostic for good: KIT1xx source and schema, 2xx
// names and phrases, 3xx templates, slots, expressions, 4xx hosts and
// shell, 5xx lint.
type Code string

// Related is a second place a diagnostic speaks of.
type Related struct {
	Pos     Pos    `json:"pos"`
	Message string `json:"message"`
}

// Diagnostic is one thing to say about a story.
type Diagnostic struct {
	Pos      Pos       `json:"pos"`
	Severity Severity  `json:"severity"`
	Code     Code      `json:"code"`
	Message  string    `json:"message"`
	Hint     string    `json:"hint,omitempty"`
	Related  []Related `json:"related,omitempty"`
}

// List collects diagnostics; the zero List is empty and ready.
type List []Diagnostic
