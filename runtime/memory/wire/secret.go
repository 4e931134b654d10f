package wire

import (
	"fmt"
	"io"
)

// hidden is what a secret prints as.
const hidden = "[secret]"

// Secret is a text that is never printed, encoded or logged as it is. The zero
// Secret is none. It holds an address: printed as a field that a printer may
// not ask, it shows that and not the text.
type Secret struct{ text *string }

// NewSecret hides a text; an empty one gives the zero Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// IsZero tells whether there is no secret.
func (s Secret) IsZero() bool { return s.text == nil }

// Reveal is the text itself, for the one place that sends or compares it.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// String hides the text.
func (s Secret) String() string { return hidden }

// Format hides the text from every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText hides the text from JSON and its like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Sendable tells whether the text can stand in a header: visible ASCII.
func (s Secret) Sendable() bool {
	for _, b := range []byte(s.Reveal()) {
		if b <= ' ' || b > '~' {
			return false
		}
	}
	return !s.IsZero()
}
