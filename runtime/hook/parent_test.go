package hook

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// childVar makes the test binary play the child in one of the ways below.
const childVar = "KITSOKI_TEST_CHILD"

func TestMain(m *testing.M) {
	if way := os.Getenv(childVar); way != "" {
		play(way)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const goodReply = `{"decision":"block","reason":"⌁ done"}`

func play(way string) {
	switch way {
	case "echo":
		payload, _ := io.ReadAll(os.Stdin)
		fmt.Printf("{\"reply\":{\"payload\":%q}}\n", payload)
	case "good":
		fmt.Printf("{\"executing\":{\"budget_ms\":1000}}\n{\"reply\":%s}\n", goodReply)
	case "good then exit 2":
		fmt.Printf("{\"reply\":%s}\n", goodReply)
		os.Exit(2)
	case "good and chatty":
		fmt.Printf("{\"reply\":%s}\n", goodReply)
		fmt.Fprintln(os.Stderr, strings.Repeat("x", 2*maxSaid))
	case "no line end":
		fmt.Printf("{\"reply\":%s}", goodReply)
	case "panic":
		panic("on purpose")
	case "panic after executing":
		fmt.Println(`{"executing":{"budget_ms":1000}}`)
		panic("on purpose")
	case "stack overflow":
		debug.SetMaxStack(1 << 20) // the default of 1 GB takes seconds to fill
		fmt.Println(deep(1))
	case "deadlock":
		select {}
	case "exit 2":
		os.Exit(2)
	case "flood":
		out := bufio.NewWriter(os.Stdout)
		fmt.Fprintf(out, "{\"reply\":{\"reason\":%q}}\n", strings.Repeat("x", 2*maxSaid))
		out.Flush()
	case "hang":
		fmt.Println(`{"executing":{"budget_ms":900000}}`)
		r, w, _ := os.Pipe()
		_, _ = io.Copy(io.Discard, r) // nobody writes: until the parent ends it
		w.Close()
	default:
		fmt.Print(way)
	}
}

func deep(n int) int {
	if n < 0 {
		return n
	}
	return deep(n+1) + 1
}

func parent(ctx context.Context, t *testing.T, way, stdin string) string {
	t.Helper()
	a := askChild(ctx, t, way, stdin, false)
	if a.Stop != "" {
		t.Errorf("%s: a stop by status: %q", way, a.Stop)
	}
	return string(a.Out)
}

// ask starts the test binary as the child of a parent.
func askChild(ctx context.Context, t *testing.T, way, stdin string, byStatus bool) Answer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{childVar + "=" + way, "PATH=" + os.Getenv("PATH"), "GOTRACEBACK=none"}
	return Parent(ctx, ParentConfig{Stdin: strings.NewReader(stdin), Argv: []string{self}, Env: env, ByStatus: byStatus})
}

func TestParent(t *testing.T) {
	t.Parallel()
	tests := []struct{ way, want string }{
		{"good", goodReply},
		{"good then exit 2", goodReply},
		{"good and chatty", goodReply},
		{"no line end", goodReply},
		{"echo", `{"payload":"{\"a\":1}"}`},
		{"panic", ""},
		{"panic after executing", ""},
		{"stack overflow", ""},
		{"deadlock", ""},
		{"exit 2", ""},
		{"flood", ""},
		{"garbage", ""},
		{`{"reply":null}`, ""},
		{`{"reply":[1]}`, ""},
		{`{"reply":"text"}`, ""},
		{`{"reply":{}}`, ""},
		{`{"decision":"block"}`, ""},
		{`{"reply":{"a":1}} {"b":2}`, ""},
		{"{\"reply\":{\"a\":1}}\n{\"reply\":{\"a\":1}}\n", ""},
		{"{\"reply\":{\"a\":1}}\nbye\n", ""},
		{"hello\n{\"reply\":{\"a\":1}}\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.way, func(t *testing.T) {
			t.Parallel()
			if got := parent(t.Context(), t, tt.way, `{"a":1} and more`); got != tt.want {
				t.Errorf("got %.80q, want %q", got, tt.want)
			}
		})
	}
}

// TestParentByStatus: a stop needs the whole envelope, once, alone; whatever
// else a child does is no stop.
func TestParentByStatus(t *testing.T) {
	t.Parallel()
	const stop = `{"reply":{"stderr":"⌁ done\nok"}}`
	tests := []struct{ way, stop, out string }{
		{stop, "⌁ done\nok", ""},
		{`{"executing":{"budget_ms":1000}}` + "\n" + stop + "\n", "⌁ done\nok", ""},
		{`{"reply":{"message":"facts"}}`, "", `{"message":"facts"}`},
		{"good", "", goodReply},
		{"panic", "", ""},
		{"panic after executing", "", ""},
		{"stack overflow", "", ""},
		{"deadlock", "", ""},
		{"exit 2", "", ""},
		{"flood", "", ""},
		{"garbage", "", ""},
		{`{"stderr":"x"}`, "", ""},
		{`{"reply":null}`, "", ""},
		{`{"reply":{"stderr":""}}`, "", `{"stderr":""}`},
		{`{"reply":{"stderr":1}}`, "", `{"stderr":1}`},
		{stop + " trailing", "", ""},
		{stop + "\n" + stop + "\n", "", ""},
		{stop + "\nbye\n", "", ""},
		{"hello\n" + stop + "\n", "", ""},
		{strings.TrimSuffix(stop, "}"), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.way, func(t *testing.T) {
			t.Parallel()
			if got := askChild(t.Context(), t, tt.way, "{}", true); got.Stop != tt.stop || string(got.Out) != tt.out {
				t.Errorf("got %q and %.80q, want %q and %q", got.Stop, got.Out, tt.stop, tt.out)
			}
		})
	}
}

// TestParentKeepsTheEnvelope: for an agent that reads standard output the
// envelope of another is no stop.
func TestParentKeepsTheEnvelope(t *testing.T) {
	t.Parallel()
	if got := askChild(t.Context(), t, `{"reply":{"stderr":"x"}}`, "{}", false); got.Stop != "" {
		t.Errorf("got %+v", got)
	}
}

func TestParentWithoutPayload(t *testing.T) {
	t.Parallel()
	for _, stdin := range []string{"", "garbage", `{"a":`} {
		if got := parent(t.Context(), t, "good", stdin); got != "" {
			t.Errorf("stdin %q: got %q", stdin, got)
		}
	}
}

func TestParentWithoutProgram(t *testing.T) {
	t.Parallel()
	c := ParentConfig{Stdin: strings.NewReader("{}"), Argv: []string{t.TempDir() + "/none"}}
	for _, byStatus := range []bool{false, true} {
		c.ByStatus = byStatus
		if got := Parent(t.Context(), c); got.Out != nil || got.Stop != "" {
			t.Errorf("got %+v", got)
		}
	}
}

func TestParentCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, byStatus := range []bool{false, true} {
		if got := askChild(ctx, t, "hang", "{}", byStatus); got.Out != nil || got.Stop != "" {
			t.Errorf("got %+v", got)
		}
	}
}

func TestListener(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		lines  []string
		extend time.Duration // all lines together
		want   string
	}{
		{"reply", []string{`{"reply":{"a": 1}}`}, 0, `{"a":1}`},
		{"silence", []string{`{"reply":null}`}, 0, ""},
		{"executing", []string{`{"executing":{"budget_ms":5000}}`, `{"reply":{"a":1}}`}, 35 * time.Second, `{"a":1}`},
		{"longest", []string{`{"executing":{"budget_ms":930000,"drive":true}}`}, 16 * time.Minute, ""},
		{"too long", []string{`{"executing":{"budget_ms":930001}}`, `{"reply":{"a":1}}`}, 0, ""},
		{"no budget", []string{`{"executing":{}}`, `{"reply":{"a":1}}`}, 0, ""},
		{"negative", []string{`{"executing":{"budget_ms":-1}}`, `{"reply":{"a":1}}`}, 0, ""},
		{"twice", []string{`{"executing":{"budget_ms":1000}}`, `{"executing":{"budget_ms":1000}}`, `{"reply":{"a":1}}`}, 31 * time.Second, ""},
		{"after the reply", []string{`{"reply":{"a":1}}`, `{"executing":{"budget_ms":1000}}`}, 0, ""},
		{"two keys", []string{`{"reply":{"a":1},"executing":null}`}, 0, ""},
		{"empty line", []string{"", `{"reply":{"a":1}}`}, 0, ""},
		{"silence, then a reply", []string{`{"reply":null}`, `{"reply":{"a":1}}`}, 0, ""},
	}
	for _, tt := range tests {
		var l listener
		var extend time.Duration
		for _, line := range tt.lines {
			extend += l.line([]byte(line))
		}
		if got := string(l.answer()); got != tt.want || extend != tt.extend {
			t.Errorf("%s: got %q and %v, want %q and %v", tt.name, got, extend, tt.want, tt.extend)
		}
	}
}
