package setup

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Problem says why a settings file is left as it is. Line and Col count from
// 1, Col in characters; both are 0 when the whole file is meant. Hint is what
// to do next.
type Problem struct {
	File      string `json:"file"`
	Line      int    `json:"line,omitempty"`
	Col       int    `json:"col,omitempty"`
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
	Duplicate bool   `json:"-"` // our own entry stands more than once
}

// Error is file:line:col: message, then the hint on a line of its own.
func (p *Problem) Error() string {
	if p.Hint == "" {
		return p.Finding()
	}
	return p.Finding() + "\n  hint: " + p.Hint
}

// Finding is file:line:col: message.
func (p *Problem) Finding() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Message)
}

// at makes a problem of an offset.
func (d *document) at(offset int, hint, format string, args ...any) *Problem {
	line, col := d.place(offset)
	return &Problem{File: d.file, Line: line, Col: col, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// place is the line and column of an offset.
func (d *document) place(offset int) (line, col int) {
	before := d.text[:min(offset, len(d.text))]
	line = 1 + bytes.Count(before, []byte("\n"))
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}
