package hook

import (
	"encoding/json"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

func (t *turn) head() journal.Head {
	return journal.Head{
		Session: t.event.SessionID, Prompt: t.event.PromptID, Agent: t.Agent.Name, Repo: t.bound.Repo,
	}
}

// recordPass writes a line; one that can't be written stops nothing.
func (t *turn) recordPass(reason match.Reason, detail string) {
	if t.bound.Trace == nil {
		return
	}
	t.recorded = true
	_, _ = t.bound.Trace.Passed(t.head(), journal.Passed{
		Input: t.event.Prompt, TopConfidence: t.verdict.Top, Reason: string(reason), Detail: detail,
	})
}

// recordMatch writes a line and returns its id, "" when it was not written.
func (t *turn) recordMatch(x Execution, executed bool) string {
	if t.bound.Trace == nil {
		return ""
	}
	t.recorded = true
	h := t.verdict.Hit
	id, _ := t.bound.Trace.Matched(t.head(), journal.Matched{
		Input: t.event.Prompt, Intent: h.Intent, Slots: slots(h.Slots), Confidence: t.verdict.Top,
		Tier: string(h.Tier), MatchReason: string(h.Tier) + ": " + h.Source, GateBar: t.verdict.Bar, Mode: mode(t.bound.Shadow),
		Executed: executed, Outcome: string(x.Outcome), DurationUS: t.Now().Sub(t.began).Microseconds(),
		Drive: x.Drive,
	})
	return id
}

// recordCrash leaves a line about a panic. A command that had started may
// have done anything.
func (t *turn) recordCrash(crash string) {
	switch {
	case t.recorded, t.event.Kind == agent.Stop:
	case t.started:
		t.recordMatch(Execution{Outcome: Failure}, true)
	default:
		t.recordPass(match.ReasonNotReady, crash)
	}
}

func mode(shadow bool) string {
	if shadow {
		return "shadow"
	}
	return "enforce"
}

func slots(list []match.SlotValue) json.RawMessage {
	if len(list) == 0 {
		return nil
	}
	values := make(map[string]any, len(list))
	for _, s := range list {
		values[s.Name] = s.Value
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return nil
	}
	return raw
}
