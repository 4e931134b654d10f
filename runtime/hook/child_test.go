package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

// bench is one person's agent with kitsoki's hook, all but the binding real.
type bench struct {
	t       *testing.T
	c       ChildConfig
	b       Binding
	now     time.Time
	dir     string
	payload map[string]any
	x       Execution // what Run gives
	runs    int
	kept    string
	binds   int
}

func newBench(t *testing.T) *bench {
	t.Helper()
	claude, _ := agent.Lookup("claude")
	dir := t.TempDir()
	b := &bench{t: t, dir: dir, now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	b.payload = map[string]any{
		"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt_id": "p1",
		"permission_mode": "default", "cwd": dir, "prompt": "push",
	}
	b.x = Execution{Outcome: Resolved, Report: func(id string) string { return "report " + id[:min(len(id), 2)] }, Facts: "git push: ok", Hint: "no remote"}
	b.b = Binding{
		Repo:    dir,
		Trace:   &journal.Journal{Path: filepath.Join(dir, "trace.jsonl"), Now: b.clock, Rand: zeros{}},
		Decide:  func(string) Verdict { return pushVerdict() },
		Explain: func(v Verdict) string { return "would run " + v.Hit.Intent },
		Run:     b.run,
		Keep:    func(report string) { b.kept = report },
	}
	b.c = ChildConfig{
		Agent: claude, Env: agent.Env{"CLAUDECODE=1"}, State: filepath.Join(dir, "state"), Now: b.clock,
		Bind: func(string) Binding { b.binds++; return b.b },
	}
	return b
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func (b *bench) clock() time.Time { return b.now }

func (b *bench) run(context.Context, Verdict) Execution {
	b.runs++
	return b.x
}

func pushVerdict() Verdict {
	hit := match.Hit{
		Intent: "push", Tier: match.TierGrammar, Source: "push",
		Slots: []match.SlotValue{{Name: "to", Type: artifact.SlotRef, Raw: "main", Value: "main"}},
	}
	return Verdict{Decision: match.Decision{Intercept: true, Hit: &hit, Top: 0.97, Bar: 0.9}, Changes: true, Budget: 7 * time.Second}
}

// send gives one prompt to the child and returns the reply as the parent
// would print it.
func (b *bench) send() string {
	b.t.Helper()
	payload, err := json.Marshal(b.payload)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.sendRaw(payload)
}

func (b *bench) sendRaw(payload []byte) string {
	b.t.Helper()
	var out bytes.Buffer
	b.c.Payload, b.c.Out = payload, &out
	if err := Child(context.Background(), b.c); err != nil {
		b.t.Fatal(err)
	}
	var l listener
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		l.line([]byte(line))
	}
	if l.broken || !l.replied {
		b.t.Fatalf("the child breaks the protocol: %q", out.String())
	}
	return string(l.answer())
}

func (b *bench) trace() []journal.Entry {
	b.t.Helper()
	list, err := journal.Read(b.b.Trace.Path, journal.Filter{})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

func (b *bench) lastReason() string {
	list := b.trace()
	if len(list) == 0 {
		return ""
	}
	last := list[len(list)-1]
	if last.Passed == nil {
		return "matched " + last.Matched.Outcome
	}
	return last.Passed.Reason
}

func block(reason string) string {
	claude, _ := agent.Lookup("claude")
	return string(claude.Block(reason))
}

func along(text string) string {
	claude, _ := agent.Lookup("claude")
	return string(claude.Context(text))
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	stopped, hinted, told := block("report 01"), along("kitsoki took this prompt for its command push but ran nothing: no remote"), along("git push: ok")
	tests := []struct {
		outcome        Outcome
		along, without string
	}{
		{Transitioned, stopped, stopped},
		{Resolved, stopped, stopped},
		{Terminal, stopped, stopped},
		{Rejected, hinted, ""},
		{Incomplete, hinted, ""},
		{Confirm, stopped, stopped},
		{Duplicate, stopped, stopped},
		{Failed, told, stopped},
		{TimedOut, told, stopped},
		{Aborted, stopped, stopped},
		{AbortFailed, stopped, stopped},
		{Failure, "", ""},
	}
	if len(tests) != len(table()) {
		t.Errorf("%d rows are tested of %d", len(tests), len(table()))
	}
	for _, tt := range tests {
		for takes, want := range map[bool]string{true: tt.along, false: tt.without} {
			b := newBench(t)
			b.x.Outcome = tt.outcome
			if !takes {
				b.c.Agent.Context = nil
			}
			if got := b.send(); got != want {
				t.Errorf("%s, context %v:\n got %s\nwant %s", tt.outcome, takes, got, want)
			}
			if got := b.lastReason(); got != "matched "+string(tt.outcome) {
				t.Errorf("%s: trace says %s", tt.outcome, got)
			}
			ran := tt.outcome != Rejected && tt.outcome != Failure
			if m := b.trace()[0].Matched; m.Executed != ran {
				t.Errorf("%s: trace says executed %v", tt.outcome, m.Executed)
			}
		}
	}
	if answerTo("unheard of", true) != silent {
		t.Error("an unknown outcome is not silent")
	}
}

func TestRejectedWithoutHint(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.Outcome, b.x.Hint = Rejected, ""
	if got := b.send(); got != "" {
		t.Errorf("got %s", got)
	}
}

func TestEmptyReport(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.Report = says(" \n")
	if got, want := b.send(), block("⌁ kitsoki handled this (no LLM) — push: resolved"); got != want {
		t.Errorf("got %s", got)
	}
}

func TestTraceLine(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.send()
	list := b.trace()
	if len(list) != 1 || list[0].Matched == nil {
		t.Fatalf("trace %+v", list)
	}
	m := *list[0].Matched
	if string(m.Slots) != `{"to":"main"}` || m.Tier != "grammar" || m.Confidence != 0.97 || m.GateBar != 0.9 ||
		m.Mode != "enforce" || !m.Executed || m.Outcome != "resolved" || m.Input != "push" || m.MatchReason != "grammar: push" {
		t.Errorf("matched %+v", m)
	}
	if h := list[0].Head; h.Session != "s1" || h.Prompt != "p1" || h.Agent != "claude" || h.Repo != b.dir {
		t.Errorf("head %+v", h)
	}
	if b.kept != "report 01" {
		t.Errorf("kept %q", b.kept)
	}
}

func TestReportSaysRecordedOnlyWhenItWas(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.b.Trace.Path = filepath.Join(b.dir, "no", "\x00")
	if got, want := b.send(), block("report "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b = newBench(t)
	b.b.Trace = nil
	if got, want := b.send(), block("report "); got != want {
		t.Errorf("trace off: got %s, want %s", got, want)
	}
}

func TestPasses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*bench)
		want   string // the trace's reason; "" for no line
	}{
		{"no match", func(b *bench) {
			b.b.Decide = func(string) Verdict { return Verdict{Decision: match.Decision{Reason: match.ReasonNoMatch}} }
		}, "no_match"},
		{"machine text", func(b *bench) { b.payload["prompt"] = "<task-notification>push" }, "not_a_person"},
		{"sub-agent", func(b *bench) { b.payload["agent_id"] = "a" }, "not_a_person"},
		{"nested", func(b *bench) { b.c.Env = append(b.c.Env, "KITSOKI_ACTIVE=s") }, "not_a_person"},
		{"wrong caller", func(b *bench) { b.c.Env = nil }, "wrong_caller"},
		{"plan mode", func(b *bench) { b.payload["permission_mode"] = "plan" }, "plan_mode"},
		{"shadow", func(b *bench) { b.b.Shadow = true }, "would_intercept"},
		{"untrusted", func(b *bench) { b.b.Reason = match.ReasonUntrusted }, "untrusted"},
		{"not ready", func(b *bench) { b.b.Reason = match.ReasonNotReady }, "not_ready"},
		{"not bound", func(b *bench) { b.b.Reason = match.ReasonNotBound }, ""},
		{"not bound, machine text", func(b *bench) {
			b.b.Reason, b.payload["prompt"] = match.ReasonNotBound, "<task-notification>"
		}, ""},
		{"disabled", func(b *bench) { b.b.Reason = match.ReasonDisabled }, ""},
		{"drive", func(b *bench) {
			b.drives()
			b.b.NoDrive = func() string { return "not on this system" }
		}, "no_drive"},
		{"drive of an agent that does not wait", func(b *bench) { b.drives(); b.c.Agent.Timeout.Longest = 10 * time.Minute }, "no_drive"},
		{"drive under way", func(b *bench) { b.drives(); b.b.Busy = func() bool { return true } }, "busy"},
		{"drive under way, and a change", func(b *bench) { b.b.Busy = func() bool { return true } }, "busy"},
		{"no state", func(b *bench) { b.c.State = filepath.Join(b.dir, "\x00") }, "not_ready"},
		{"panic while deciding", func(b *bench) { b.b.Decide = func(string) Verdict { panic("on purpose") } }, "not_ready"},
		{"panic while binding", func(b *bench) { b.c.Bind = func(string) Binding { panic("on purpose") } }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			tt.change(b)
			if got := b.send(); got != "" || b.runs != 0 {
				t.Errorf("got %q after %d runs", got, b.runs)
			}
			if got := b.lastReason(); got != tt.want {
				t.Errorf("trace says %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAttested: a hash in the environment stands in for the person who does
// not sit there, and for nothing else.
func TestAttested(t *testing.T) {
	t.Parallel()
	const unattended = "CLAUDE_CODE_SESSION_ATTENDED=0"
	for _, tt := range []struct {
		attested bool
		change   func(*bench)
		runs     int
	}{
		{false, func(*bench) {}, 0},
		{true, func(*bench) {}, 1},
		{true, func(b *bench) { b.payload["prompt"] = "<task-notification>push" }, 0},
		{true, func(b *bench) { b.payload["agent_id"] = "a" }, 0},
		{true, func(b *bench) { b.c.Env = append(b.c.Env, "KITSOKI_ACTIVE=s") }, 0},
		{true, func(b *bench) { b.b.Reason = match.ReasonUntrusted }, 0},
	} {
		b := newBench(t)
		b.c.Env = append(b.c.Env, unattended)
		b.b.Attested = tt.attested
		tt.change(b)
		if b.send(); b.runs != tt.runs {
			t.Errorf("attested %v: %d runs, expected %d, trace %s", tt.attested, b.runs, tt.runs, b.lastReason())
		}
	}
}

func TestPlanModeReads(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.payload["permission_mode"] = "plan"
	b.b.Decide = func(string) Verdict { v := pushVerdict(); v.Changes = false; return v }
	if got := b.send(); got != block("report 01") {
		t.Errorf("got %s", got)
	}
}

func TestIgnoredCalls(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*bench){
		"off":           func(b *bench) { b.c.Env = append(b.c.Env, "KITSOKI=off") },
		"another event": func(b *bench) { b.payload["hook_event_name"] = "SessionStart" },
		"no cwd":        func(b *bench) { delete(b.payload, "cwd") },
		"relative cwd":  func(b *bench) { b.payload["cwd"] = "." },
		"cwd gone":      func(b *bench) { b.payload["cwd"] = filepath.Join(b.dir, "gone") },
		"cwd is a file": func(b *bench) { b.payload["cwd"] = os.Args[0] },
		"not text":      func(b *bench) { b.payload["prompt"] = 7 },
	}
	for name, change := range tests {
		b := newBench(t)
		change(b)
		if got := b.send(); got != "" || b.binds != 0 || len(b.trace()) != 0 {
			t.Errorf("%s: got %q, %d bindings, trace %v", name, got, b.binds, b.trace())
		}
	}
	b := newBench(t)
	for _, raw := range []string{"", "null", "[]", "garbage", "{"} {
		if got := b.sendRaw([]byte(raw)); got != "" {
			t.Errorf("%q: got %s", raw, got)
		}
	}
}

func TestPanicWhileRunning(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.b.Run = func(context.Context, Verdict) Execution { b.runs++; panic("on purpose") }
	if got := b.send(); got != "" {
		t.Errorf("got %s", got)
	}
	if got := b.lastReason(); got != "matched error" || !b.trace()[0].Matched.Executed {
		t.Errorf("trace says %s", got)
	}
	if b.send(); b.runs != 1 {
		t.Errorf("the same prompt ran %d times", b.runs)
	}
}

func TestParentGone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.c.Payload, _ = json.Marshal(b.payload)
	b.c.Out = broken{}
	if err := Child(context.Background(), b.c); err == nil || b.runs != 0 {
		t.Errorf("error %v, %d runs", err, b.runs)
	}
	if got := b.lastReason(); got != "not_ready" {
		t.Errorf("trace says %s", got)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("closed") }
