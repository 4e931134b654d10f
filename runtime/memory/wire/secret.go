package wire

import (
	"fmt"
	"io"
)

// hidden is what a secret prints as.
const hidden = "[secret]"

// Secret is a text that is never printed, encoded or logged as it is.
type Secret string

// Reveal is the text itself, for the one place that sends or compares it.
func (s Secret) Reveal() string { return string(s) }

// String hides the text.
func (s Secret) String() string { return hidden }

// Format hides the text from every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText hides the text from JSON and its like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Sendable tells whether the text can stand in a header: visible ASCII.
func (s Secret) Sendable() bool {
	for _, b := range []byte(s) {
		if b <= ' ' || b > '~' {
			return false
		}
	}
	return s != ""
}
