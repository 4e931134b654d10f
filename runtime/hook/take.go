package hook

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
	"kitsoki/runtime/text"
)

const (
	// confirmWindow is how long the second send of a confirm intent counts
	// as the answer.
	confirmWindow = 60 * time.Second
	// repeatWindow is how long the same text after a success is taken for a
	// slip: the agent puts a stopped prompt back into the input box.
	repeatWindow = 30 * time.Second
)

// maxUntold is how much the model is told at once, in bytes.
const maxUntold = 4 << 10

const toldFirst = "Since your last turn the person gave commands that kitsoki, not you, answered:\n"

const duplicateReport = "⌁ kitsoki: already done a moment ago in this session, nothing run now; send again to repeat"

// take answers a prompt that is a command: once for a prompt's id, and not
// again for a slip of the Enter key.
func (t *turn) take(ctx context.Context) []byte {
	s, err := journal.OpenSession(t.State, t.Agent.Name, t.event.SessionID, t.began, true)
	if err != nil {
		return t.unsafe(ctx, err) // a command could run twice
	}
	t.session = s
	if s.PromptID != "" && s.PromptID == t.event.PromptID {
		return orNil(s.Reply)
	}
	switch t.deed() {
	case journal.DeedAsked:
		return t.finish(ctx, journal.DeedAsked, Execution{Outcome: Confirm, Report: t.explanation})
	case journal.DeedRefused:
		return t.finish(ctx, journal.DeedRefused, Execution{Outcome: Duplicate, Report: says(duplicateReport)})
	}
	return t.execute(ctx)
}

func orNil(reply string) []byte {
	if reply == "" {
		return nil
	}
	return []byte(reply)
}

// unsafe lets a command pass that could not be run with its promises kept.
func (t *turn) unsafe(ctx context.Context, err error) []byte {
	t.pass(match.ReasonNotReady, err.Error())
	return t.along(ctx)
}

// deed says what is to be done instead of running the command; DeedNone is
// to run it.
func (t *turn) deed() journal.Deed {
	same := t.session.Text == t.digest()
	age := t.began.Sub(t.session.At)
	within := func(d time.Duration) bool { return same && age >= 0 && age <= d }
	switch {
	case t.verdict.Hit.Confirm && !(t.session.Deed == journal.DeedAsked && within(confirmWindow)):
		return journal.DeedAsked
	case t.session.Deed == journal.DeedRan && t.verdict.Changes && within(repeatWindow):
		return journal.DeedRefused
	}
	return journal.DeedNone
}

// digest stands for the command as it was given: the same words in another
// directory, or on another branch, are another command.
func (t *turn) digest() string {
	head := journal.Locate(t.event.CWD).Head()
	return journal.Digest(text.Key(t.event.Prompt) + "\x00" + t.event.CWD + "\x00" + head)
}

func (t *turn) explanation(string) string { return t.bound.Explain(t.verdict) }

func says(report string) func(string) string {
	return func(string) string { return report }
}

// execute runs the command. That the prompt is taken is on disk before
// anything starts, and the parent is told: when either fails, nothing starts.
func (t *turn) execute(ctx context.Context) []byte {
	t.session.PromptID, t.session.Reply = t.event.PromptID, ""
	if err := t.session.Save(); err != nil {
		return t.unsafe(ctx, err)
	}
	budget := min(max(t.verdict.Budget, leastBudget), MaxBudget)
	if t.verdict.Hit.Drive {
		budget += AbortBudget
	}
	if err := sayExecuting(t.Out, budget, t.verdict.Hit.Drive); err != nil {
		return t.unsafe(ctx, fmt.Errorf("telling the hook: %w", err))
	}
	t.waiting = true
	within, cancel := t.patience(ctx)
	defer cancel()
	t.started = true
	x := t.bound.Run(within, t.verdict)
	if x.Pass != "" {
		t.started = false
		t.pass(x.Pass, x.Hint)
		return t.along(ctx)
	}
	deed := journal.DeedNone
	if x.Outcome.succeeded() {
		deed = journal.DeedRan
	}
	return t.finish(ctx, deed, x)
}

// farewell is what a command is given to end, and we to report, before an
// agent that waits no longer ends us and lets the prompt through.
const farewell = 5 * time.Second

// patience ends a command before its agent stops waiting.
func (t *turn) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	longest := t.Agent.Timeout.Longest
	if longest == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, longest-farewell)
}

// finish records, answers and remembers. What can't be remembered was done
// all the same, so that error stops nothing.
func (t *turn) finish(ctx context.Context, deed journal.Deed, x Execution) []byte {
	id := t.recordMatch(x, t.started && x.Outcome.ran())
	reply, told := t.reply(ctx, x, id)
	m := journal.Memory{
		PromptID: t.event.PromptID, Reply: string(reply), Text: t.digest(), Deed: deed,
		At: t.Now(), Untold: t.session.Untold,
	}
	if told {
		m.Untold = "" // it went along with this reply
	} else {
		m.Untold = join(m.Untold, x.Facts)
	}
	t.session.Memory = m
	_ = t.session.Save()
	return reply
}

// reply makes the answer of an outcome; told says that the model reads it.
func (t *turn) reply(ctx context.Context, x Execution, traceID string) (reply []byte, told bool) {
	switch answerTo(x.Outcome, t.Agent.Context != nil) {
	case stop:
		return t.Agent.Block(withNotices(t.report(x, traceID), t.notices())), false
	case hint:
		return t.context(ctx, notRun(artifact.ShownIntent(t.verdict.Hit.Intent), x.Hint))
	case facts:
		t.report(x, traceID)
		return t.context(ctx, x.Facts)
	}
	return t.along(ctx), false
}

// report makes and keeps the text for the person, which is never empty: an
// empty one would stop a prompt without a word.
func (t *turn) report(x Execution, traceID string) string {
	report := x.Report(traceID)
	if strings.TrimSpace(report) == "" {
		report = fmt.Sprintf("⌁ kitsoki handled this (no LLM) — %s: %s", artifact.ShownIntent(t.verdict.Hit.Intent), x.Outcome)
	}
	t.bound.Keep(report)
	return report
}

// notices are what the person must hear of commands that were cut off.
func (t *turn) notices() []string {
	if t.bound.Notices == nil {
		return nil
	}
	return t.bound.Notices()
}

// withNotices puts them under a report.
func withNotices(report string, notices []string) string {
	if len(notices) == 0 {
		return report
	}
	return strings.Join(append([]string{strings.TrimRight(report, "\n")}, notices...), "\n\n") + "\n"
}

// tellPerson asks the model to pass on what the person must hear.
const tellPerson = "Tell the person this first, word for word; kitsoki could not tell them before:\n"

func (t *turn) context(ctx context.Context, text string) ([]byte, bool) {
	if text == "" {
		return t.along(ctx), false
	}
	if t.session != nil && t.session.Untold != "" {
		text = toldFirst + t.session.Untold + "\n\n" + text
	}
	return t.along(ctx, text), true
}

// notRun words a hint for the model, which sees the prompt as well.
func notRun(intent, hint string) string {
	if hint == "" {
		return ""
	}
	return "kitsoki took this prompt for its command " + intent + " but ran nothing: " + hint
}

// tell lets a passing prompt carry what ran since the model last heard of
// it: it sees neither a stopped prompt nor the report. Where the hook is
// called again for what continues a turn, it remembers the prompt as passed.
// What the person has not been told of goes along as well.
func (t *turn) tell(ctx context.Context) []byte {
	untold := t.untold()
	if t.Agent.Context == nil {
		return nil
	}
	var parts []string
	if notices := t.notices(); len(notices) > 0 {
		parts = append(parts, tellPerson+strings.Join(notices, "\n\n"))
	}
	if untold != "" {
		parts = append(parts, toldFirst+untold)
	}
	return t.along(ctx, parts...)
}

// untold gives what the model has not heard of, and remembers that it has
// now.
func (t *turn) untold() string {
	told := t.Agent.Context != nil && journal.HasSession(t.State, t.Agent.Name, t.event.SessionID)
	if !told && !t.Agent.Resends {
		return ""
	}
	s, err := journal.OpenSession(t.State, t.Agent.Name, t.event.SessionID, t.began, false)
	if err != nil {
		return "" // a command is running: the next prompt tells more
	}
	t.session = s
	untold := s.Untold
	passedNow := t.Agent.Resends && s.PromptID != t.event.PromptID
	if untold == "" && !passedNow {
		return ""
	}
	if passedNow {
		s.PromptID, s.Reply = t.event.PromptID, ""
	}
	s.Untold = ""
	if s.Save() != nil {
		return "" // it would be told with every prompt
	}
	return untold
}

// join adds facts; when they become many, the last ones count, and that some
// are missing is said.
func join(a, b string) string {
	switch {
	case a == "" || b == "":
		return cmp.Or(b, a)
	case len(a) > maxUntold:
		return leftOut + b
	}
	return a + "\n" + b
}

const leftOut = "(Commands before these are left out.)\n"

func (t *turn) closeSession() {
	if t.session != nil {
		t.session.Close()
	}
}
