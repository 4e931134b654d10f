package intercept

import (
	"encoding/json"

	"kitsoki/runtime/engine"
	"kitsoki/runtime/match"
)

// The exit status of a decision beyond those of the engine's outcomes.
const (
	ExitPass  = 10 // the prompt is the model's
	ExitUsage = 3  // no binding, no usable artifact, an unknown room
)

// Document is what kitsoki intercept prints, one a prompt.
type Document struct {
	Matched       bool            `json:"matched"`
	Intent        string          `json:"intent,omitempty"`
	Confidence    float64         `json:"confidence"`
	Tier          match.Tier      `json:"tier,omitempty"`
	MatchReason   string          `json:"match_reason,omitempty"`
	Reason        match.Reason    `json:"reason,omitempty"`
	Detail        string          `json:"detail,omitempty"`
	TopConfidence float64         `json:"top_confidence"`
	GateBar       float64         `json:"gate_bar"`
	Slots         json.RawMessage `json:"slots,omitempty"`
	Outcome       string          `json:"outcome"`
	Exit          int             `json:"exit"`
	Result        *Result         `json:"result,omitempty"`
	TraceID       string          `json:"trace_id,omitempty"`
	Drive         string          `json:"drive,omitempty"` // its id, of a command that was driven
}

// Result is what the command did.
type Result struct {
	State        string         `json:"state"`
	Say          string         `json:"say,omitempty"`
	WorldChanges map[string]any `json:"world_changes,omitempty"`
	HostCalls    []HostCall     `json:"host_calls"`
}

// HostCall is one call the command made.
type HostCall struct {
	Call       string         `json:"call"`
	Args       map[string]any `json:"args,omitempty"`
	ExitCode   *int           `json:"exit_code,omitempty"`
	OK         bool           `json:"ok"`
	DurationMS int            `json:"duration_ms"`
	Error      string         `json:"error,omitempty"`
}

// Describe starts the document of a decision; Ran completes it for a command
// that was run.
func Describe(d match.Decision) Document {
	doc := Document{
		Reason: d.Reason, Detail: d.Detail, TopConfidence: d.Top, GateBar: d.Bar,
		Outcome: "passed", Exit: ExitPass,
	}
	if d.Reason == match.ReasonNotBound || d.Reason == match.ReasonNotReady {
		doc.Exit = ExitUsage
	}
	if d.Hit != nil {
		doc.Intent, doc.Tier, doc.Confidence = d.Hit.Intent, d.Hit.Tier, d.Top
		doc.MatchReason = string(d.Hit.Tier) + ": " + d.Hit.Source
		doc.Slots = SlotsJSON(d.Hit)
	}
	return doc
}

// SlotsJSON gives the matched slots as a JSON object, nil when there are
// none.
func SlotsJSON(h *match.Hit) json.RawMessage {
	values := Slots(h)
	if values == nil {
		return nil
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return nil // a slot holds a text or a number
	}
	return raw
}

// Ran adds how a command ended.
func (doc *Document) Ran(o engine.Outcome) {
	doc.Matched = true
	doc.Outcome, doc.Exit = string(o.Kind), o.Kind.ExitCode()
	doc.Detail = firstOf(o.Hint, o.Detail)
	res := &Result{State: o.State, Say: o.Say, HostCalls: []HostCall{}}
	for _, c := range o.WorldChanges {
		if res.WorldChanges == nil {
			res.WorldChanges = map[string]any{}
		}
		res.WorldChanges[c.Key] = c.New
	}
	for _, c := range o.HostCalls {
		res.HostCalls = append(res.HostCalls, HostCall{c.Call, c.Args, c.ExitCode, c.OK, c.DurationMS, c.Error})
	}
	doc.Result = res
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
