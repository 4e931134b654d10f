package hook

import (
	"strings"
	"testing"

	"kitsoki/runtime/match"
)

// drives makes the bench's command one that is driven.
func (b *bench) drives() {
	b.b.Decide = func(string) Verdict { v := pushVerdict(); v.Hit.Drive = true; return v }
}

func TestADriveThatFindsTheRepositoryBusyPasses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.drives()
	b.x = Execution{Pass: match.ReasonBusy, Hint: "another command is under way"}
	if got := b.send(); got != "" || b.runs != 1 || b.lastReason() != "busy" {
		t.Errorf("observed %q after %d runs, reason %q", got, b.runs, b.lastReason())
	}
	b.x = Execution{Outcome: Resolved, Report: func(string) string { return "done" }}
	b.payload["prompt_id"] = "p2"
	if got := b.send(); !strings.Contains(got, `"reason":"done"`) || b.runs != 2 {
		t.Errorf("sent again: observed %q after %d runs", got, b.runs)
	}
}

func TestThePersonIsToldOnceWhatWasCutOff(t *testing.T) {
	t.Parallel()
	const cut = "rebase was cut off"
	for name, tc := range map[string]struct {
		prepare func(*bench)
		want    string
	}{
		"under a report": {func(*bench) {}, `"decision":"block"`},
		"beside a passing prompt": {func(b *bench) {
			b.b.Decide = func(string) Verdict { return Verdict{Decision: match.Decision{Reason: match.ReasonNoMatch}} }
		}, `"additionalContext"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			tc.prepare(b)
			left := []string{cut}
			b.b.Notices = func() []string { out := left; left = nil; return out }
			if got := b.send(); !strings.Contains(got, cut) || !strings.Contains(got, tc.want) {
				t.Errorf("observed %q, expected %s with %q", got, tc.want, cut)
			}
			b.payload["prompt_id"], b.payload["session_id"] = "p2", "s2"
			if got := b.send(); strings.Contains(got, cut) {
				t.Errorf("told twice: %q", got)
			}
		})
	}
}

func TestWhoCannotBeToldIsToldLater(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.c.Agent.Context = nil
	b.b.Decide = func(string) Verdict { return Verdict{Decision: match.Decision{Reason: match.ReasonNoMatch}} }
	b.b.Notices = func() []string { t.Error("asked for what can't be told"); return nil }
	if got := b.send(); got != "" {
		t.Errorf("observed %q, expected silence", got)
	}
}

func TestADriveIsAnnouncedToTheParent(t *testing.T) {
	t.Parallel()
	heard := 0
	l := listener{driving: func() { heard++ }}
	l.line([]byte(`{"executing":{"budget_ms":5000}}`))
	if heard != 0 {
		t.Error("a one-shot counts as a drive")
	}
	l = listener{driving: func() { heard++ }}
	if l.line([]byte(`{"executing":{"budget_ms":5000,"drive":true}}`)); heard != 1 || l.broken {
		t.Errorf("heard %d times, broken %v", heard, l.broken)
	}
}
