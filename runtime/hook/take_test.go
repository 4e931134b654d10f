package hook

import (
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/match"
)

// next is the same words sent again under a new id, d later.
func (b *bench) next(d time.Duration) string {
	b.t.Helper()
	b.now = b.now.Add(d)
	b.payload["prompt_id"] = b.payload["prompt_id"].(string) + "+"
	return b.send()
}

func TestOncePerPrompt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.send()
	if second := b.send(); second != first || b.runs != 1 {
		t.Errorf("second answer %s after %d runs", second, b.runs)
	}
}

func TestDuplicate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.send()
	b.payload["prompt"] = " PUSH "
	if got := b.next(30 * time.Second); got != block(duplicateReport) || b.runs != 1 {
		t.Errorf("slip of the key: %s after %d runs", got, b.runs)
	}
	if got := b.next(time.Second); got != block("report 01") || b.runs != 2 {
		t.Errorf("sent again: %s after %d runs", got, b.runs)
	}
}

func TestNoDuplicate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*bench)
		wait   time.Duration
	}{
		{"later", func(*bench) {}, 31 * time.Second},
		{"other words", func(b *bench) { b.payload["prompt"] = "push now" }, 0},
		{"other session", func(b *bench) { b.payload["session_id"] = "s2" }, 0},
		{"the clock was put back", func(*bench) {}, -time.Second},
		{"reads only", func(b *bench) {
			b.b.Decide = func(string) Verdict { v := pushVerdict(); v.Changes = false; return v }
		}, 0},
	}
	for _, tt := range tests {
		b := newBench(t)
		b.send()
		tt.change(b)
		if b.next(tt.wait); b.runs != 2 {
			t.Errorf("%s: %d runs", tt.name, b.runs)
		}
	}
	b := newBench(t)
	b.x.Outcome = Failed
	b.send()
	if b.next(0); b.runs != 2 {
		t.Errorf("after a failure: %d runs", b.runs)
	}
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.b.Decide = func(string) Verdict { v := pushVerdict(); v.Hit.Confirm = true; return v }
	asked := block("would run push")
	if got := b.send(); got != asked || b.runs != 0 || b.lastReason() != "matched confirm" {
		t.Errorf("first: %s after %d runs, trace %s", got, b.runs, b.lastReason())
	}
	if got := b.next(61 * time.Second); got != asked || b.runs != 0 {
		t.Errorf("too late: %s after %d runs", got, b.runs)
	}
	if got := b.next(60 * time.Second); got != block("report 01") || b.runs != 1 {
		t.Errorf("in time: %s after %d runs", got, b.runs)
	}
	if got := b.next(time.Second); got != asked || b.runs != 1 {
		t.Errorf("once more: %s after %d runs", got, b.runs)
	}
}

func TestConfirmNeedsTheSameWords(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.b.Decide = func(string) Verdict { v := pushVerdict(); v.Hit.Confirm = true; return v }
	b.send()
	b.payload["prompt"] = "push it"
	if b.next(time.Second); b.runs != 0 {
		t.Error("another prompt counted as the answer")
	}
}

func TestTheModelIsToldOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.send()
	b.now = b.now.Add(time.Minute)
	b.x.Facts = "git fetch: ok"
	b.next(0)
	pass := func(string) Verdict { return Verdict{Decision: match.Decision{Reason: match.ReasonNoMatch}} }
	b.b.Decide = pass
	b.payload["prompt"] = "now fix the parser"
	if got, want := b.next(0), along(toldFirst+"git push: ok\ngit fetch: ok"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := b.next(0); got != "" {
		t.Errorf("told twice: %s", got)
	}
}

func TestFactsThatWereToldAreNotRepeated(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.Outcome = Failed
	b.send()
	b.b.Decide = func(string) Verdict { return Verdict{Decision: match.Decision{Reason: match.ReasonNoMatch}} }
	if got := b.next(0); got != "" {
		t.Errorf("got %s", got)
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxUntold+1)
	for _, tt := range []struct{ a, b, want string }{
		{"", "", ""}, {"a", "", "a"}, {"", "b", "b"}, {"a", "b", "a\nb"}, {long, "b", leftOut + "b"}, {long, "", long},
	} {
		if got := join(tt.a, tt.b); got != tt.want {
			t.Errorf("join(%.5q, %q) = %.20q", tt.a, tt.b, got)
		}
	}
}

// TestARefusalTellsWhatRanBefore: a prompt that is refused goes on to the
// model, and carries what it has not been told yet.
func TestARefusalTellsWhatRanBefore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.Outcome, b.x.Facts = Transitioned, "kitsoki ran one"
	b.send()
	b.x.Outcome, b.x.Hint, b.x.Facts = Rejected, "nothing is staged", ""
	got := b.next(time.Minute)
	if !strings.Contains(got, "kitsoki ran one") || !strings.Contains(got, "nothing is staged") {
		t.Errorf("observed %s", got)
	}
	b.b.Decide = func(string) Verdict { return Verdict{Decision: match.Decision{Reason: match.ReasonNoMatch}} }
	if got := b.next(0); strings.Contains(got, "kitsoki ran one") {
		t.Errorf("told twice: %s", got)
	}
}
