package agent

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestReadOne(t *testing.T) {
	t.Parallel()
	big := `{"prompt":"` + strings.Repeat("x", 10<<20) + `"}`
	tests := []struct{ name, in, want string }{
		{"one", `{"a":1}`, `{"a":1}`},
		{"blanks", " \n{\"a\":1}\n", `{"a":1}`},
		{"byte order mark", "\ufeff{\"a\":1}", `{"a":1}`},
		{"a second object", `{"a":1}{"b":2}`, `{"a":1}`},
		{"rubbish after", `{"a":"}"}]]`, `{"a":"}"}`},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "{\"a\":\"\xff\"}"},
		{"10 MB", big, big},
	}
	for _, tt := range tests {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(tt.in), "left open": &open{in: tt.in}, "byte by byte": bytewise(tt.in),
		} {
			got, err := ReadOne(r, MaxPayload, nil)
			if err != nil || string(got) != tt.want {
				t.Errorf("%s, %s: got %.40q, %v", tt.name, name, got, err)
			}
		}
	}
}

// bytewise gives small texts a byte at a time.
func bytewise(in string) io.Reader {
	if len(in) > 1000 {
		return strings.NewReader(in)
	}
	return iotest.OneByteReader(strings.NewReader(in))
}

// open is a stream that stays open after its text: a further read is a hang,
// shown as a panic.
type open struct {
	in string
}

func (o *open) Read(p []byte) (int, error) {
	if o.in == "" {
		panic("read beyond the value")
	}
	n := copy(p, o.in)
	o.in = o.in[n:]
	return n, nil
}

func TestReadOneRefuses(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", "   ", "garbage", `{"a":`, "\xef\xbb", "\xef\xbb{}", "\xff\xfe{\x00}\x00", strings.Repeat("[", 100_000),
	} {
		if got, err := ReadOne(strings.NewReader(in), MaxPayload, nil); err == nil {
			t.Errorf("%.20q is read as %q", in, got)
		}
	}
	failing := iotest.ErrReader(errors.New("broken"))
	if _, err := ReadOne(failing, MaxPayload, nil); err == nil {
		t.Error("a failing stream is read")
	}
}

func TestReadOneCap(t *testing.T) {
	t.Parallel()
	value := `{"a":"` + strings.Repeat("x", 92) + `"}` // 100 bytes
	if got, err := ReadOne(strings.NewReader(value), len(value), nil); err != nil || string(got) != value {
		t.Errorf("a value of the cap's size: %v", err)
	}
	if _, err := ReadOne(strings.NewReader(value), len(value)-1, nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
}

func TestReadOneDeadline(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	now := make(chan time.Time, 1)
	now <- time.Time{}
	if _, err := ReadOne(r, MaxPayload, now); !errors.Is(err, ErrDeadline) {
		t.Errorf("got %v, want ErrDeadline", err)
	}
}
