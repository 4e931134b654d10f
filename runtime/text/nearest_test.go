package text

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	tests := []struct{ word, candidates, want string }{
		{"exmaples", "examples synonyms", "examples"},
		{"sya", "say set", "say"},
		{"licence", "license", "license"},
		{"sat", "set say", "say"},
		{"traget", "target when", "target"},
		{"foo", "bar", ""},
		{"abcdef", "abcxyz", ""},
		{"on", "on_enter", ""},
		{"länge", "laenge lange", "lange"},
		{"same", "same", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, strings.Fields(tt.candidates)); got != tt.want {
			t.Errorf("Nearest(%q, %s) = %q, want %q", tt.word, tt.candidates, got, tt.want)
		}
	}
}
