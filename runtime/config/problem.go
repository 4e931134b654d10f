package config

import "fmt"

// Severity orders problems by what they stop.
type Severity string

// An error makes the binding inert; a warning and an info stop nothing.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Problem is one thing to say about a configuration file. Line and Col count
// from 1.
type Problem struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Col      int      `json:"col"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
}

// String is file:line:col: severity: message, then the hint on a line of its
// own.
func (p Problem) String() string {
	text := fmt.Sprintf("%s:%d:%d: %s: %s", p.File, p.Line, p.Col, p.Severity, p.Message)
	if p.Hint != "" {
		text += "\n  hint: " + p.Hint
	}
	return text
}

func firstError(list []Problem) string {
	for _, p := range list {
		if p.Severity == Error {
			return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Message)
		}
	}
	return ""
}
