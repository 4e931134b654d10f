package hook

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/binding"
	"kitsoki/runtime/match"
)

// said is the text that goes along with a prompt that passes.
func said(t *testing.T, reply string) string {
	t.Helper()
	if reply == "" {
		return ""
	}
	var answer struct {
		Decision string `json:"decision"`
		Output   struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(reply), &answer); err != nil || answer.Decision != "" {
		t.Fatalf("%v: %s", err, reply)
	}
	return answer.Output.Context
}

// TestRecallGoesAlongWithWhatPasses, whatever it passes for, and with nothing
// else.
func TestRecallGoesAlongWithWhatPasses(t *testing.T) {
	t.Parallel()
	no := func(string) Verdict {
		return Verdict{Decision: match.Decision{Reason: match.ReasonNoMatch}}
	}
	for name, tc := range map[string]struct {
		change func(*bench)
		want   string
	}{
		"no match":  {func(b *bench) { b.b.Decide = no }, "known"},
		"not bound": {func(b *bench) { b.b.Reason = match.ReasonNotBound }, "known"},
		"untrusted": {func(b *bench) { b.b.Reason = match.ReasonUntrusted }, "known"},
		"plan mode": {func(b *bench) { b.payload["permission_mode"] = "plan" }, "known"},
		"shadow":    {func(b *bench) { b.b.Shadow = true }, "known"},
		"a hint":    {func(b *bench) { b.x.Outcome = Rejected }, "kitsoki took this prompt for its command push but ran nothing: no remote\n\nknown"},
		"passed on": {func(b *bench) { b.x.Pass = match.ReasonBusy }, "known"},
		"no state":  {func(b *bench) { b.c.State = "" }, "known"},
		"notices":   {func(b *bench) { b.b.Decide, b.b.Notices = no, func() []string { return []string{"cut off"} } }, tellPerson + "cut off\n\nknown"},
		"nothing":   {func(b *bench) { b.b.Decide, b.b.Recall = no, recalls("") }, ""},
		"a panic": {func(b *bench) {
			b.b.Decide, b.b.Recall = no, func(context.Context, agent.Event, func(time.Duration)) string { panic("x") }
		}, ""},
		"machine text": {func(b *bench) { b.payload["prompt"] = "<task-notification>push" }, ""},
		"unattended":   {func(b *bench) { b.c.Env = append(b.c.Env, "CLAUDE_CODE_SESSION_ATTENDED=0") }, ""},
		"attested": {func(b *bench) {
			b.c.Env, b.b.Attested = append(b.c.Env, "CLAUDE_CODE_SESSION_ATTENDED=0"), true
			b.b.Decide = no
		}, ""},
		"another agent": {func(b *bench) { b.c.Env = nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.b.Recall = recalls("known")
			tc.change(b)
			if got := said(t, b.send()); got != tc.want {
				t.Errorf("expected %q, observed %q", tc.want, got)
			}
		})
	}
	b := newBench(t)
	b.b.Recall = recalls("known")
	if got := b.send(); got != block("report 01") {
		t.Errorf("what is taken: %s", got)
	}
}

func recalls(text string) func(context.Context, agent.Event, func(time.Duration)) string {
	return func(context.Context, agent.Event, func(time.Duration)) string { return text }
}

// TestTheEndOfATurn is for AtStop alone, and only when a person's turn ends.
func TestTheEndOfATurn(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*bench)
		want   string
	}{
		"a turn":        {func(*bench) {}, `{"end":"s1 done"}`},
		"no binding":    {func(b *bench) { b.b.Reason = match.ReasonNotBound }, `{"end":"s1 done"}`},
		"unattended":    {func(b *bench) { b.c.Env = append(b.c.Env, "CLAUDE_CODE_SESSION_ATTENDED=0") }, ""},
		"a sub-agent's": {func(b *bench) { b.payload["agent_id"] = "a" }, ""},
		"started by us": {func(b *bench) { b.c.Env = append(b.c.Env, "KITSOKI_ACTIVE=s") }, ""},
		"nobody asks":   {func(b *bench) { b.b.AtStop = nil }, ""},
		"switched off":  {func(b *bench) { b.c.Env = append(b.c.Env, "KITSOKI=off") }, ""},
		"a panic": {func(b *bench) {
			b.b.AtStop = func(context.Context, agent.Event, func(time.Duration)) []byte { panic("x") }
		}, ""},
		"without a person": {func(b *bench) { b.c.Env = nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.payload["hook_event_name"], b.payload["last_assistant_message"] = "Stop", "done"
			delete(b.payload, "prompt")
			b.b.AtStop = func(_ context.Context, e agent.Event, _ func(time.Duration)) []byte {
				return []byte(`{"end":"` + e.SessionID + " " + e.LastMessage + `"}`)
			}
			tc.change(b)
			if got := b.send(); got != tc.want || b.runs > 0 || len(b.trace()) > 0 {
				t.Errorf("expected %q, observed %q, %d runs, trace %v", tc.want, got, b.runs, b.trace())
			}
		})
	}
}

// TestWaitAsksTheParentOnce, and only for what takes long.
func TestWaitAsksTheParentOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.b.Reason = match.ReasonNotBound
	b.b.Recall = func(_ context.Context, _ agent.Event, wait func(time.Duration)) string {
		wait(time.Second)
		wait(6 * time.Second)
		wait(7 * time.Second)
		return "known"
	}
	var out strings.Builder
	payload, err := json.Marshal(b.payload)
	if err != nil {
		t.Fatal(err)
	}
	b.c.Payload, b.c.Out = payload, &out
	if err := Child(context.Background(), b.c); err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(out.String(), "\n")
	if first != `{"executing":{"budget_ms":6000}}` || strings.Count(rest, "executing") > 0 || !strings.Contains(rest, "known") {
		t.Errorf("observed %s", &out)
	}
}

// TestFrontHandsOverForMemory: a prompt or an end of a turn goes to the child
// when the record says that it is given something or kept, and only then.
func TestFrontHandsOverForMemory(t *testing.T) {
	t.Parallel()
	with := func(r binding.Record, event string, change func(*desk)) func(*desk) {
		return func(d *desk) {
			d.record(&r)
			d.payload["hook_event_name"] = event
			if event == "Stop" {
				delete(d.payload, "prompt")
			}
			if change != nil {
				change(d)
			}
		}
	}
	inert := binding.Record{Reason: match.ReasonNotBound}
	prompts, stops := inert, inert
	prompts.Prompts, stops.Stops = true, true
	machine := func(d *desk) { d.payload["prompt"] = "<system-reminder>x" }
	for name, tc := range map[string]struct {
		change func(*desk)
		handed bool
	}{
		"a prompt, nothing kept":  {with(inert, "UserPromptSubmit", nil), false},
		"a prompt":                {with(prompts, "UserPromptSubmit", nil), true},
		"machine text":            {with(prompts, "UserPromptSubmit", machine), false},
		"a prompt of none":        {with(stops, "UserPromptSubmit", nil), false},
		"a stop, nothing kept":    {with(prompts, "Stop", nil), false},
		"a stop":                  {with(stops, "Stop", nil), true},
		"a stop, no record":       {with(stops, "Stop", func(d *desk) { d.remove(".cache") }), true},
		"a stop, no files":        {with(stops, "Stop", func(d *desk) { d.remove(".config") }), false},
		"a stop, unattended":      {with(stops, "Stop", func(d *desk) { d.p.Env = append(d.p.Env, "CLAUDE_CODE_SESSION_ATTENDED=0") }), false},
		"a stop, switched off":    {with(stops, "Stop", func(d *desk) { d.write(".local/state/kitsoki/off", "") }), false},
		"a prompt, switched off":  {with(prompts, "UserPromptSubmit", func(d *desk) { d.write(".local/state/kitsoki/off", "") }), false},
		"a stop of another agent": {with(stops, "Stop", func(d *desk) { d.p.Env = d.p.Env[:1] }), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			tc.change(d)
			if d.run(); (d.handed == 1) != tc.handed || d.out.Len() > 0 {
				t.Errorf("handed over %d times, said %q", d.handed, &d.out)
			}
		})
	}
}
