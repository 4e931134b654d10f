package hook

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

// ChildConfig is what the child needs. State is the state directory, "" when
// there is none: then nothing that must be remembered is executed. Dir is the
// directory that the hook was started in.
type ChildConfig struct {
	Agent   agent.Row
	Payload []byte
	Env     agent.Env
	Out     io.Writer // to the parent
	State   string
	Dir     string
	Now     func() time.Time
	Bind    func(cwd string) Binding
}

// Binding is what is bound to a directory. With a Reason it is inert, and
// only Trace and Repo are used.
type Binding struct {
	Reason match.Reason
	Detail string
	Shadow bool   // mode: shadow
	Repo   string // the repository's root, else the directory; for the trace
	Trace  *journal.Journal

	// Attested says that the environment names the hash of what would run, so
	// that no person need sit there.
	Attested bool

	Decide func(prompt string) Verdict
	// Busy says that a command which may take several goes is under way in the
	// repository; NoDrive why none can be started here, "" when one can. Both
	// may be nil.
	Busy    func() bool
	NoDrive func() string

	// Notices gives what the person has to be told of commands that were cut
	// off, once; nil for nothing. It is asked when it can be told.
	Notices func() []string

	// Recall gives a prompt that goes on what is known, and notes it as the
	// beginning of a turn; AtStop takes the end of a turn and gives the answer
	// to it, nil for none. Both may be nil. Wait asks the parent for more time
	// than deciding takes.
	Recall func(ctx context.Context, e agent.Event, wait func(time.Duration)) string
	AtStop func(ctx context.Context, e agent.Event, wait func(time.Duration)) []byte

	Explain func(Verdict) string // what a confirm intent would do, for the person
	Run     func(context.Context, Verdict) Execution
	Keep    func(report string) // for `kitsoki last`
}

// Verdict is the gate's decision and what is to be known of its intent.
type Verdict struct {
	match.Decision
	Changes bool          // its effect is above read
	Budget  time.Duration // how long it may take
}

// Execution is how a command ended. Report makes the text for the person;
// traceID is "" when nothing was recorded. Hint says why nothing ran, Facts
// what ran and how it ended, both for the model.
type Execution struct {
	Outcome Outcome
	Pass    match.Reason // nothing ran, and the prompt passes with this reason
	Report  func(traceID string) string
	Hint    string
	Facts   string
	Drive   string // the id of the drive, "" for a one-shot
}

// turn is one prompt on its way through.
type turn struct {
	ChildConfig
	began    time.Time
	event    agent.Event
	bound    Binding
	verdict  Verdict
	session  *journal.Session
	started  bool // a command was handed to Run
	recorded bool
	waiting  bool // the parent was asked for time
}

// Child answers one payload and tells the parent. Its error says that the
// parent no longer listens.
func Child(ctx context.Context, c ChildConfig) error {
	t := &turn{ChildConfig: c, began: c.Now()}
	var reply []byte
	if crash := guard(func() { reply = t.answer(ctx) }); crash != "" {
		reply = nil
		t.recordCrash(crash)
	}
	if err := sayReply(c.Out, reply); err != nil {
		return fmt.Errorf("answering the parent: %w", err)
	}
	return nil
}

// guard is the one place that turns a panic into a text.
func guard(f func()) (crash string) {
	defer func() {
		if p := recover(); p != nil {
			crash = fmt.Sprint("panic: ", p)
		}
	}()
	f()
	return ""
}

func (t *turn) answer(ctx context.Context) []byte {
	if !t.asked() {
		return nil
	}
	t.bound = t.Bind(t.event.CWD)
	defer t.closeSession()
	if t.event.Kind == agent.Stop {
		return t.stops(ctx)
	}
	if reason, detail := t.whose(); reason != "" {
		t.pass(reason, detail)
		return nil
	}
	if t.bound.Reason != "" {
		t.pass(t.bound.Reason, t.bound.Detail)
		return t.along(ctx)
	}
	t.verdict = t.bound.Decide(t.event.Prompt)
	if reason, detail := t.gate(); reason != "" {
		t.pass(reason, detail)
		return t.tell(ctx)
	}
	return t.take(ctx)
}

// stops answers the end of a turn.
func (t *turn) stops(ctx context.Context) []byte {
	if reason, _ := t.whose(); reason != "" || !t.attended() || t.bound.AtStop == nil {
		return nil
	}
	return t.bound.AtStop(ctx, t.event, t.wait)
}

// attended says that a person sits there: nothing is recalled, kept or looked at
// for anybody else, even where a hash lets commands run.
func (t *turn) attended() bool { return t.Agent.NotAPerson(t.event, t.Env) == "" }

// wait asks the parent for more time than deciding takes; once, since it
// listens once.
func (t *turn) wait(d time.Duration) {
	if d <= DecideLimit/2 || t.waiting {
		return
	}
	t.waiting = true
	_ = sayExecuting(t.Out, min(d, MaxBudget), false) // unheard, the answer comes too late, and the prompt passes
}

// along is what goes to the model beside the prompt: what it is to be told, and
// what is known; nil for nothing.
func (t *turn) along(ctx context.Context, parts ...string) []byte {
	if t.Agent.Context == nil {
		return nil
	}
	if t.bound.Recall != nil && t.attended() {
		parts = append(parts, t.bound.Recall(ctx, t.event, t.wait))
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	if len(parts) == 0 {
		return nil
	}
	return t.Agent.Context(strings.Join(parts, "\n\n"))
}

// asked decodes the payload and tells whether it is an event to be looked at.
func (t *turn) asked() bool {
	if t.Env.Get("KITSOKI") == "off" {
		return false
	}
	var err error
	t.event, err = t.Agent.Decode(t.Payload)
	if t.Agent.OwnDir {
		t.event.CWD = t.Dir
	}
	return err == nil && (t.event.Kind == agent.Prompt || t.event.Kind == agent.Stop) && isDir(t.event.CWD)
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir() && filepath.IsAbs(path)
}

// whose says why the prompt is not a person's, or not from this agent.
func (t *turn) whose() (match.Reason, string) {
	detail := t.Agent.NotAPerson(t.event, t.Env)
	if t.bound.Attested && detail == t.Agent.Unattended(t.Env) {
		detail = "" // that nobody sits there is all that speaks against it
	}
	if detail != "" {
		return match.ReasonNotAPerson, detail
	}
	if detail := t.Agent.WrongCaller(t.event, t.Env); detail != "" {
		return match.ReasonWrongCaller, detail
	}
	return "", ""
}

// gate adds to the verdict what only the call shows.
func (t *turn) gate() (match.Reason, string) {
	v := t.verdict
	switch {
	case !v.Intercept:
		return v.Reason, v.Detail
	case t.event.Plan() && v.Changes:
		return match.ReasonPlanMode, v.Hit.Shown() + " changes something"
	case t.bound.Shadow:
		return match.ReasonWouldIntercept, v.Hit.Shown()
	case v.Hit.Drive && t.noDrive() != "":
		return match.ReasonNoDrive, t.noDrive()
	case (v.Hit.Drive || v.Changes) && t.bound.Busy != nil && t.bound.Busy():
		return match.ReasonBusy, "another command is under way in this repository"
	}
	return "", ""
}

// noDrive says why a command that may take several goes can't be run.
func (t *turn) noDrive() string {
	longest := t.Agent.Timeout.Longest
	switch {
	case !t.Agent.Can.Drive, longest > 0 && longest < MaxBudget+AbortBudget+farewell:
		return t.Agent.Title + " does not wait long enough for " + t.verdict.Hit.Shown()
	case t.bound.NoDrive != nil:
		return t.bound.NoDrive()
	}
	return ""
}

// pass records a prompt that goes on to the model. Where nothing is bound, or
// it is switched off, nothing is recorded either.
func (t *turn) pass(reason match.Reason, detail string) {
	for _, r := range []match.Reason{reason, t.bound.Reason} {
		if r == match.ReasonNotBound || r == match.ReasonDisabled {
			return
		}
	}
	t.recordPass(reason, detail)
}
