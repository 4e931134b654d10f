package journal

import (
	"strings"
	"testing"
)

// asJSON is the line that encoding/json makes.
func asJSON(t *testing.T, h Head, p Passed) string {
	t.Helper()
	head, err := PlainJSON(h)
	if err != nil {
		t.Fatal(err)
	}
	tail, err := PlainJSON(p)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(head), "}") + "," + string(tail[1:]) + "\n"
}

// TestLineIsJSON: the line written field by field is the one encoding/json
// would write.
func TestLineIsJSON(t *testing.T) {
	t.Parallel()
	odd := "a\"b\\c/\b\f\n\r\t\x00\x1f\x7f<>&ü\u2028\u2029\ufffd\xff\xe2\x80𝄞"
	for _, tt := range []struct {
		h Head
		p Passed
	}{
		{Head{}, Passed{}},
		{Head{ID: "1", Time: "2", Type: TypePassed, Session: odd, Prompt: odd, Agent: odd, Repo: odd}, Passed{odd, 0.93, odd, odd}},
		{Head{Type: Type(odd), Repo: "/"}, Passed{Input: "x", TopConfidence: 1, Reason: "no_match"}},
	} {
		if got, err := encode(tt.h, tt.p); err != nil || string(got) != asJSON(t, tt.h, tt.p) {
			t.Errorf("expected %q, observed %q, %v", asJSON(t, tt.h, tt.p), got, err)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a", "b")
	f.Add("\xff\"", "\u2028")
	f.Fuzz(func(t *testing.T, a, b string) {
		h, p := Head{ID: a, Session: b, Repo: a}, Passed{Input: b, Reason: a, Detail: b}
		if got, err := encode(h, p); err != nil || string(got) != asJSON(t, h, p) {
			t.Errorf("expected %q, observed %q, %v", asJSON(t, h, p), got, err)
		}
	})
}
