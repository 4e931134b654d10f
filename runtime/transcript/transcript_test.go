package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// file writes a transcript of entries.
func file(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, strings.Join(lines, "\n")+"\n")
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func quoted(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// typed is a person's prompt.
func typed(id, text string) string {
	return `{"type":"user","promptId":"` + id + `","message":{"role":"user","content":` + quoted(text) + `},"timestamp":"2026-12-01T10:00:00.5Z"}`
}

// spoke is an entry of the model with blocks.
func spoke(id string, blocks ...string) string {
	return `{"type":"assistant","requestRef":"r","message":{"id":"` + id + `","role":"assistant","content":[` + strings.Join(blocks, ",") + `],"usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":100}},"timestamp":"2026-12-01T10:00:01Z"}`
}

func text(s string) string { return `{"type":"text","text":` + quoted(s) + `}` }

func tool(name, input string) string {
	return `{"type":"tool_use","id":"t","name":"` + name + `","input":` + input + `}`
}

func result(id string) string {
	return `{"type":"user","promptId":"` + id + `","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"out"}]}}`
}

func said(list []Message) (out []string) {
	for _, m := range list {
		out = append(out, m.Role+": "+m.Text)
	}
	return out
}

// TestMessagesAreWhatPeopleAndTheModelSaid, the last ones, the oldest first.
func TestMessagesAreWhatPeopleAndTheModelSaid(t *testing.T) {
	t.Parallel()
	path := file(t,
		typed("p0", "too old"),
		typed("p1", "one"),
		`{"type":"queue-operation","content":"one"}`,
		spoke("m1", `{"type":"thinking","thinking":"hm"}`),
		spoke("m1", text("first half")),
		spoke("m1", text("second half"), tool("Read", `{}`)),
		result("p1"),
		`{"type":"user","isMeta":true,"message":{"role":"user","content":"a note"}}`,
		`{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"a summary"}}`,
		`{"type":"user","isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"seen only"}}`,
		`{"type":"user","isSidechain":true,"message":{"role":"user","content":"to a sub-agent"}}`,
		`{"type":"assistant","isSidechain":true,"message":{"role":"assistant","content":"of a sub-agent"}}`,
		`{"type":"user","message":{"role":"user","content":"Stop hook feedback:\n- kitsoki: look first"}}`,
		`{"type":"system","subtype":"local_command","content":"x"}`,
		typed("p2", "  two\u2028lines\r\n "),
		spoke("m2", text(" ")),
		spoke("m2", text("answer")),
		`not JSON at all`,
		`{"type":"user","message":{"role":"user","content":"being writ`,
	)
	got, err := Messages(path, 4, nil)
	want := []string{"user: one", "assistant: first half\n\nsecond half", "user: two\u2028lines", "assistant: answer"}
	if err != nil || !slices.Equal(said(got), want) {
		t.Errorf("expected %q, observed %q, %v", want, said(got), err)
	}
	if at := time.Date(2026, 12, 1, 10, 0, 0, 5e8, time.UTC); len(got) == 4 && !got[0].Time.Equal(at) {
		t.Errorf("the time: %v", got[0].Time)
	}
	if got, err := Messages(path, 2, func(m Message) bool { return m.Text == "answer" }); err != nil || !slices.Equal(said(got), want[1:3]) {
		t.Errorf("with some left out: %q, %v", said(got), err)
	}
	if got, err := Answer(path); err != nil || got != "answer" {
		t.Errorf("the answer: %q, %v", got, err)
	}
}

// TestTwoRequestsAreTwoMessages though the model calls them the same.
func TestTwoRequestsAreTwoMessages(t *testing.T) {
	t.Parallel()
	path := file(t, typed("p", "x"), spoke("m", text("a")), strings.Replace(spoke("m", text("b")), `"r"`, `"q"`, 1))
	if got, _ := Messages(path, 4, nil); !slices.Equal(said(got), []string{"user: x", "assistant: a", "assistant: b"}) {
		t.Errorf("observed %q", said(got))
	}
}

// TestInvalidUTF8IsReplaced, and a line ends at \n only.
func TestInvalidUTF8IsReplaced(t *testing.T) {
	t.Parallel()
	path := file(t, "{\"type\":\"user\",\"message\":{\"content\":\"a\xff\u0085b\"}}")
	if got, err := Messages(path, 4, nil); err != nil || !slices.Equal(said(got), []string{"user: a\ufffd\u0085b"}) {
		t.Errorf("observed %q, %v", said(got), err)
	}
}

// TestLongTranscripts: lines of a megabyte, and a file of five, are read from
// the end, two megabytes back.
func TestLongTranscripts(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 1<<20)
	lines := []string{typed("p", "out of reach"), spoke("m0", text("also"))}
	for range 4 {
		lines = append(lines, `{"type":"user","message":{"content":[{"type":"tool_result","content":"`+big+`"}]}}`)
	}
	lines = append(lines, typed("p", "within"), spoke("m1", text("reach")))
	path := file(t, lines...)
	got, err := Messages(path, 4, nil)
	if err != nil || !slices.Equal(said(got), []string{"user: within", "assistant: reach"}) {
		t.Errorf("observed %q, %v", said(got), err)
	}
	path = file(t, typed("p", "small"), spoke("m1", text(big)))
	if got, err := Messages(path, 4, nil); err != nil || len(got) != 2 || got[1].Text != big {
		t.Errorf("a message of a megabyte: %d, %v", len(got), err)
	}
}

// TestEveryBlockBoundary: wherever the blocks meet that are read, the same
// lines come out.
func TestEveryBlockBoundary(t *testing.T) {
	t.Parallel()
	for _, pad := range []int{0, 1, 2, 5, 90, 150, 200, 300} {
		last := typed("p", "last")
		filler := `{"type":"x","pad":"` + strings.Repeat("y", readAtOnce-len(last)-pad) + `"}`
		path := file(t, typed("p", "first"), filler, last)
		if got, err := Messages(path, 4, nil); err != nil || !slices.Equal(said(got), []string{"user: first", "user: last"}) {
			t.Errorf("%d: %q, %v", pad, said(got), err)
		}
	}
	path := filepath.Join(t.TempDir(), "t")
	write(t, path, typed("p", "no line end"))
	if got, err := Messages(path, 4, nil); err != nil || !slices.Equal(said(got), []string{"user: no line end"}) {
		t.Errorf("observed %q, %v", said(got), err)
	}
}

// TestCompacted: the newest record counts, wherever it lies, and talk about one
// is none.
func TestCompacted(t *testing.T) {
	t.Parallel()
	boundary := func(at string) string {
		return `{"type":"system","subtype":"compact_boundary","content":"Conversation compacted","timestamp":"` + at + `"}`
	}
	talk := typed("p", `what does "subtype":"compact_boundary" mean?`)
	quotes := `{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]},"toolUseResult":{"subtype":"compact_boundary"}}`
	filler := func(n int) string { return `{"type":"x","pad":"` + strings.Repeat("y", n) + `"}` }
	old, last := "2026-12-01T08:00:00Z", "2026-12-01T09:00:00Z"
	for name, tc := range map[string]struct {
		lines []string
		want  string
	}{
		"none":             {[]string{typed("p", "x")}, ""},
		"talk":             {[]string{talk, spoke("m", text(`"subtype":"compact_boundary"`)), quotes}, ""},
		"the newest":       {[]string{boundary(old), typed("p", "x"), boundary(last), talk}, last},
		"far back":         {[]string{boundary(last), filler(5 << 20), talk}, last},
		"across blocks":    {[]string{boundary(last), filler(readAtOnce - 40)}, last},
		"across blocks, 2": {[]string{boundary(last), filler(readAtOnce - 120)}, last},
	} {
		at, ok, err := Compacted(file(t, tc.lines...))
		if err != nil || ok != (tc.want != "") || ok && at.Format(time.RFC3339) != tc.want {
			t.Errorf("%s: observed %v %v %v", name, at, ok, err)
		}
	}
}

// TestTurnOf: what was done from a prompt to the end, and nothing of other
// prompts.
func TestTurnOf(t *testing.T) {
	t.Parallel()
	lines := []string{
		typed("p1", "one"), spoke("m1", text("earlier"), tool("Bash", `{"command":"ls"}`)), result("p1"), spoke("m2", text("done one")),
		typed("p2", "two"),
		spoke("m3", text("let me look")), spoke("m3", tool("Read", `{"file_path":"a"}`), tool("Grep", `{}`)), result("p2"),
		`{"type":"assistant","isSidechain":true,"message":{"content":[` + tool("Edit", `{}`) + `]}}`,
		`{"type":"user","isMeta":true,"promptId":"p2","message":{"content":"Stop hook feedback:\nx"}}`,
		strings.Replace(spoke("m3", text("first")), `"r"`, `"r2"`, 1), spoke("m4", text("last")),
	}
	path := file(t, lines...)
	sub := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-1.jsonl")
	early := strings.ReplaceAll(spoke("s0", tool("Write", `{}`)), "2026-12-01T10:00:01Z", "2026-12-01T09:59:59Z")
	write(t, sub, early+"\n"+spoke("s1", tool("WebFetch", `{}`))+"\n")
	got, err := TurnOf(path, "p2")
	names := func(t Turn) (out []string) {
		for _, u := range t.Tools {
			out = append(out, fmt.Sprint(u.Name, u.Sub))
		}
		return out
	}
	if err != nil || !got.Found || got.Prompt != "two" || got.Text != "first\n\nlast" || !slices.Equal(names(got), []string{"Readfalse", "Grepfalse", "Edittrue", "WebFetchtrue"}) {
		t.Errorf("observed %+v, %v", got, err)
	}
	if got.Tokens != 3*115 {
		t.Errorf("tokens: %d", got.Tokens)
	}
	if string(got.Tools[0].Input) != `{"file_path":"a"}` {
		t.Errorf("input: %s", got.Tools[0].Input)
	}
	if last, err := TurnOf(path, ""); err != nil || !slices.Equal(names(last), names(got)) {
		t.Errorf("the last one: %+v, %v", last, err)
	}
	if none, err := TurnOf(path, "p9"); err != nil || none.Found || none.Tools != nil {
		t.Errorf("of no prompt: %+v, %v", none, err)
	}
	after := file(t, append(slices.Clone(lines), typed("p3", "three"), spoke("m5", tool("Write", `{}`)))...)
	if got, err := TurnOf(after, "p1"); err != nil || !slices.Equal(names(got), []string{"Bashfalse"}) || got.Text != "done one" {
		t.Errorf("an earlier one: %+v, %v", got, err)
	}
	silent := file(t, typed("p", "x"), spoke("m", text("before"), tool("Edit", `{}`)), result("p"))
	if got, err := TurnOf(silent, "p"); err != nil || got.Text != "" {
		t.Errorf("one that ends in a tool: %+v, %v", got, err)
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "none"), dir} {
		if _, err := Messages(path, 1, nil); err == nil || !strings.Contains(err.Error(), "reading the transcript") {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := TurnOf(path, ""); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
	empty := filepath.Join(dir, "empty")
	write(t, empty, "")
	if list, err := Messages(empty, 1, nil); err != nil || list != nil {
		t.Errorf("an empty one: %v, %v", list, err)
	}
}

// FuzzRead: nothing that stands in a file is a panic, and a message is never
// empty.
func FuzzRead(f *testing.F) {
	f.Add([]byte(typed("p", "x") + "\n" + spoke("m", text("y"), tool("Read", `{}`))))
	f.Add([]byte("{\"type\":\"user\",\"timestamp\":7,\"message\":{\"content\":[1,{\"type\":3}]}}\n\n{\"type\":\"system\",\"subtype\":\"compact_boundary\"}"))
	f.Add(bytes.Repeat([]byte("\xff\n"), 9))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "f")
		write(t, path, string(data))
		list, err := Messages(path, 4, nil)
		for _, m := range list {
			if m.Text == "" || m.Role != User && m.Role != Assistant {
				t.Errorf("observed %+v", m)
			}
		}
		_, _, err2 := Compacted(path)
		_, err3 := TurnOf(path, "p")
		if err != nil || err2 != nil || err3 != nil || len(list) > 4 {
			t.Errorf("%v %v %v, %d messages", err, err2, err3, len(list))
		}
	})
}
