package text

import "testing"

func TestFolded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src, want string
		last      Span
	}{
		{"Ab", "ab", Span{1, 2}},
		{"ｋ", "k", Span{0, 3}},
		{"é", "e\u0301", Span{0, 2}},
		{"xⓀ", "xk", Span{1, 4}},
		{"\u212a", "k", Span{0, 3}}, // KELVIN SIGN
		{"ﬁ", "fi", Span{0, 3}},
		{"a\xff", "a\uFFFD", Span{1, 2}},
		{"", "", Span{}},
	}
	for _, tt := range tests {
		got, last := "", Span{}
		for r, span := range Folded(tt.src) {
			got, last = got+string(r), span
		}
		if got != tt.want || last != tt.last {
			t.Errorf("Folded(%q) = %q, last at %v; want %q at %v", tt.src, got, last, tt.want, tt.last)
		}
	}
	for range Folded("abc") { // may be left early
		break
	}
}
