package taskagent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"kitsoki/runtime/host"
	"kitsoki/runtime/proc"
)

// maxOutput is how much is kept of what an agent prints, in bytes: a verdict
// in its last message, with as much around it.
const maxOutput = 4 * maxPayload

// attempt runs the agent once, puts back what it may not change, and judges
// what it handed in. Nil: it is accepted.
func (t *task) attempt(ctx context.Context, before *snapshot, rep *report) (no *refusal) {
	box, err := t.inbox()
	if err != nil {
		return fatal(fmt.Errorf("making room for an attempt: %w", err))
	}
	defer func() {
		if err := box.close(); err != nil && no == nil {
			no = fatal(fmt.Errorf("clearing up after an attempt: %w", err))
		}
	}()
	if err := before.leaveOut(box.dir); err != nil {
		return fatal(fmt.Errorf("making room for an attempt: %w", err))
	}
	if t.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.limit)
		defer cancel()
	}
	words, no := t.run(ctx, box, rep)
	if err := before.putBack(ctx, rep); err != nil {
		return rep.overstepped(fatal(err))
	}
	no = rep.overstepped(no)
	if no != nil {
		return no
	}
	raw, no := t.judged(box, words)
	if no != nil {
		return no
	}
	if no := t.accepted(ctx, raw, before, rep); no != nil {
		return no
	}
	rep.verdict, rep.message = raw, words.message
	return nil
}

// overstepped is the refusal of an attempt that changed the repository beyond
// its own working tree, whatever it handed in.
func (rep *report) overstepped(no *refusal) *refusal {
	if len(rep.beyond) == 0 {
		return no
	}
	why := "changed what is not the task's: " + shortened(strings.Join(rep.beyond, ", "))
	if no == nil {
		return &refusal{why: why}
	}
	no.why += "; " + why
	return no
}

func fatal(err error) *refusal { return &refusal{why: err.Error(), final: true} }

// run runs the agent to its end.
func (t *task) run(ctx context.Context, box inbox, rep *report) (spoken, *refusal) {
	added, err := t.variables()
	if err != nil {
		return spoken{}, fatal(fmt.Errorf("environment of %s: %w", t.agent.Name, err))
	}
	p := t.program(box, rep.reason)
	added = append(added, schemaVariable+"="+box.schema, submitVariable+"="+box.out)
	res := t.start(ctx, p.argv, added, []byte(p.stdin))
	endStrays(ctx, submitVariable+"="+box.out, t.env.Grace)
	if res.Err != nil {
		return spoken{}, fatal(fmt.Errorf("%s could not be started: %w", t.agent.Name, res.Err))
	}
	words := p.read(res.Stdout)
	rep.add(res, words)
	return words, t.ended(res, words)
}

// start runs a program of the task. The drive is told of it before it works.
func (t *task) start(ctx context.Context, argv, added []string, stdin []byte) proc.Result {
	return proc.Run(ctx, proc.Cmd{
		Argv: argv, Dir: t.dir, Env: host.Environ(t.env, t.dir, added), Stdin: stdin,
		Limit: maxOutput, Grace: t.env.Grace, Whole: true, Started: t.env.Started,
	})
}

// ended says how an agent failed, nil when it did not.
func (t *task) ended(res proc.Result, words spoken) *refusal {
	switch {
	case res.TimedOut && t.limit > 0:
		return &refusal{why: "timed out after " + t.limit.String(), late: true}
	case res.TimedOut:
		return &refusal{why: host.Ending(res), late: true}
	case !res.OK():
		return &refusal{why: withDetail(host.Ending(res), words.failed, res)}
	case words.failed != "":
		return &refusal{why: "says that it failed: " + shortened(words.failed)}
	}
	return nil
}

// withDetail adds the words of a program that failed: its own, else the last
// line of what it printed as an error.
func withDetail(ending, own string, res proc.Result) string {
	if own == "" {
		lines := strings.Split(strings.TrimSpace(string(res.Stderr)), "\n")
		own = strings.TrimSpace(lines[len(lines)-1])
	}
	if own == "" {
		return ending
	}
	return ending + ": " + shortened(own)
}

// maxDetail is the most that is told of a program's own words, in bytes.
const maxDetail = 500

func shortened(s string) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD")
	if len(s) <= maxDetail {
		return s
	}
	end := maxDetail
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// judged is the verdict that fits every schema; nothing when none was handed
// in and none is needed.
func (t *task) judged(box inbox, words spoken) ([]byte, *refusal) {
	raw, err := box.verdict(words.message)
	switch {
	case errors.Is(err, errNothing) && !t.must():
		return nil, nil
	case err != nil:
		return nil, &refusal{why: err.Error()}
	}
	if why := judge(t.schemas, raw); why != "" {
		return nil, &refusal{why: "submitted what does not fit: " + shortened(why)}
	}
	return raw, nil
}

// accepted asks the story's own command. It gets the verdict as it was
// handed in: on its standard input, and in a variable when it fits there. The
// command may change no more than the agent.
func (t *task) accepted(ctx context.Context, raw []byte, before *snapshot, rep *report) *refusal {
	if len(t.check) == 0 {
		return nil
	}
	var added []string
	if raw != nil && len(raw) <= host.MaxValue {
		added = []string{payloadVariable + "=" + string(raw)}
	}
	res := t.start(ctx, t.check, added, raw)
	rep.took += res.Duration
	if err := before.putBack(ctx, rep); err != nil {
		return fatal(err)
	}
	switch {
	case res.Err != nil:
		return fatal(fmt.Errorf("post_cmd could not be started: %w", res.Err))
	case res.TimedOut && t.limit > 0:
		return &refusal{why: "post_cmd: timed out after " + t.limit.String(), late: true}
	case !res.OK():
		return &refusal{why: "post_cmd: " + host.Ending(res) + tail(res.Output), late: res.TimedOut}
	}
	return nil
}

// tailLines is how much of a refusing command's output the agent is told.
const tailLines = 40

// tail is the end of a command's output, for who has to correct its cause.
func tail(out []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(out), "\uFFFD"))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	return "\n" + strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}

// report is what a call has come to.
type report struct {
	attempts  int
	reason    string // why the last attempt that was not accepted was not
	started   bool   // an agent ran
	putBack   map[string]bool
	beyond    []string        // what the last putting back found changed of the repository that all its trees share
	meanwhile map[string]bool // what changed elsewhere and was left
	aside     string          // where what stood in the place of what was put back is kept, "" for nowhere
	cost      float64
	tokens    int
	took      time.Duration
	verdict   []byte
	message   string
}

func (rep *report) add(res proc.Result, words spoken) {
	rep.started = true
	rep.took += res.Duration
	rep.cost += words.cost
	rep.tokens += words.tokens
}
