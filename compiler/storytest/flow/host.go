package flow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kitsoki/runtime/host"
	"kitsoki/runtime/host/spec"
)

// stage is the host of one flow's session: it answers calls from the test,
// and lets time pass without waiting. It is not safe for concurrent use.
type stage struct {
	flow    *Flow
	real    host.Caller // nil: what nothing answers fails
	played  map[*episode]bool
	made    []recording
	elapsed time.Duration // of the session
	turn    turnClock

	asking    bool // the next call is a question and no effect
	asked     func(line string)
	unstubbed string // the first call of the turn that nothing answers
}

// turnClock is a turn's budget; over ends the turn's context when it is
// spent.
type turnClock struct {
	left time.Duration
	over context.CancelCauseFunc
}

// now is the session's simulated time.
func (h *stage) now() time.Time { return time.Unix(0, 0).UTC().Add(h.elapsed) }

// Call answers one call.
func (h *stage) Call(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	asking := h.asking
	h.asking = true // a call of an effect is announced before it is made
	result, err := h.call(ctx, name, args, env)
	if asking && h.asked != nil {
		h.asked("asked   " + name + " " + show(args) + verdict(err))
	}
	return result, err
}

func verdict(err error) string {
	if err != nil {
		return " → " + err.Error()
	}
	return ""
}

func (h *stage) call(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	if a := h.answer(name, args, env.ID); a != nil {
		return h.give(a, name, args)
	}
	if h.real != nil && h.flow.cassette != nil {
		env.Drive = true
		result, err := h.real.Call(ctx, name, args, env)
		h.made = append(h.made, recordingOf(name, env.ID, args, result, err))
		return result, err
	}
	h.miss(name, args)
	return nil, fmt.Errorf("%s has no answer in this test", name)
}

// answer looks among the handlers, then for the first episode that has not
// been played.
func (h *stage) answer(name string, args map[string]any, id string) *answer {
	op, _ := args["op"].(string)
	if a := h.flow.stubs[name].find(id, op); a != nil {
		return a
	}
	if h.flow.cassette == nil {
		return nil
	}
	for i := range h.flow.cassette.episodes {
		e := &h.flow.cassette.episodes[i]
		if (e.any || !h.played[e]) && e.matches(name, id, args) {
			h.played[e] = true
			return e.answer
		}
	}
	return nil
}

func (h *stage) miss(name string, args map[string]any) {
	if h.unstubbed == "" {
		h.unstubbed = name + " " + show(args)
	}
}

// unplayed names the episodes that answered nothing.
func (h *stage) unplayed() []string {
	var out []string
	if h.flow.cassette == nil {
		return nil
	}
	for i := range h.flow.cassette.episodes {
		if e := &h.flow.cassette.episodes[i]; !h.played[e] {
			out = append(out, e.id)
		}
	}
	return out
}

// give answers as the call itself would.
func (h *stage) give(a *answer, name string, args map[string]any) (map[string]any, error) {
	late := h.pass(a.delay, args)
	if a.infra != "" {
		return nil, errors.New(name + ": " + a.infra)
	}
	op, _ := args["op"].(string)
	row, _ := spec.Lookup(name)
	result := complete(row, op, a, late)
	switch {
	case a.err != "" && a.data == nil:
		return nil, &host.Error{Call: name, Msg: a.err, TimedOut: late}
	case a.err != "":
		return nil, &host.Error{Call: name, Msg: a.err, Result: result, TimedOut: late}
	case name != "host.run" && late:
		return nil, &host.Error{Call: name, Msg: "timed out after " + a.delay.String(), TimedOut: true}
	case args["fail_on_error"] == true && result["ok"] == false:
		return result, &host.Error{Call: name, Msg: badEnd(result), Result: result, TimedOut: result["timed_out"] == true}
	}
	return result, nil
}

// badEnd says how a program failed, as host.run does.
func badEnd(result map[string]any) string {
	if result["timed_out"] == true {
		ms, _ := result["duration_ms"].(int)
		return fmt.Sprintf("timed out after %s", time.Duration(ms)*time.Millisecond)
	}
	return fmt.Sprintf("exit status %v", result["exit_code"])
}

// pass lets a call take its time: no longer than its own time-out, nor than
// what is left of the turn. late tells that it was cut.
func (h *stage) pass(delay time.Duration, args map[string]any) (late bool) {
	limit := h.turn.left
	if own, ok := args["timeout"].(string); ok {
		if d, err := time.ParseDuration(own); err == nil && d > 0 {
			limit = min(limit, d)
		}
	}
	late = delay > limit
	spent := min(delay, limit)
	h.elapsed += spent
	h.turn.left -= spent
	if late && h.turn.left == 0 {
		h.turn.over(context.DeadlineExceeded)
	}
	return late
}

// complete adds what an answer leaves out of a result.
func complete(row spec.Call, op string, a *answer, late bool) map[string]any {
	out := map[string]any{}
	for _, f := range row.ResultsOf(op) {
		out[f.Name] = f.Type.Empty()
	}
	for k, v := range a.data {
		out[k] = v
	}
	if row.Name == "host.run" {
		completeRun(out, a, late)
	}
	return out
}

func completeRun(out map[string]any, a *answer, late bool) {
	_, coded := a.data["exit_code"]
	_, judged := a.data["ok"]
	if late {
		out["timed_out"] = true
	}
	cut := out["timed_out"] == true
	switch {
	case cut && (late || !coded):
		out["exit_code"] = -1
	case !coded && (a.err != "" || out["ok"] == false && judged):
		out["exit_code"] = 1
	}
	if !judged || late {
		out["ok"] = out["exit_code"] == 0 && !cut
	}
	if _, given := a.data["stdout_json"]; !given {
		text, _ := out["stdout"].(string)
		out["stdout_json"] = host.LastJSON([]byte(text))
	}
	if _, given := a.data["duration_ms"]; !given {
		out["duration_ms"] = int(a.delay / time.Millisecond)
	}
}
