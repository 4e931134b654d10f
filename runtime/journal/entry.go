package journal

import (
	"bytes"
	"encoding/json"
)

// Type names the kind of a line.
type Type string

// The kinds of lines.
const (
	TypeMatched Type = "intercept.matched"
	TypePassed  Type = "intercept.passed"
)

// Head is what every line has. ID, Time (RFC 3339 with nanoseconds, UTC) and
// Type are filled in when the line is written. Repo is the working
// directory's repository root, or the directory itself.
type Head struct {
	ID      string `json:"id"`
	Time    string `json:"time"`
	Type    Type   `json:"type"`
	Session string `json:"session,omitempty"`
	Prompt  string `json:"prompt_id,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Repo    string `json:"repo,omitempty"`
}

// Matched is a prompt that was taken as a command, or would have been in
// mode shadow (Executed is then false). Slots is a JSON object, nil for none.
type Matched struct {
	Input       string          `json:"input"`
	Intent      string          `json:"intent"`
	Slots       json.RawMessage `json:"slots,omitempty"`
	Confidence  float64         `json:"confidence"`
	Tier        string          `json:"tier"`
	MatchReason string          `json:"match_reason,omitempty"`
	GateBar     float64         `json:"gate_bar"`
	Mode        string          `json:"mode"`
	Executed    bool            `json:"executed"`
	Outcome     string          `json:"outcome"`
	DurationUS  int64           `json:"duration_us"`
	Drive       string          `json:"drive,omitempty"` // its id, of a command that was driven
}

// Passed is a prompt that went on to the model. Reason is one of the closed
// set of reasons; Detail is free text.
type Passed struct {
	Input         string  `json:"input"`
	TopConfidence float64 `json:"top_confidence"`
	Reason        string  `json:"reason"`
	Detail        string  `json:"detail,omitempty"`
}

// Entry is one line read back. Matched or Passed is set by the line's type;
// both are nil for a type this version does not know. Raw is the line.
type Entry struct {
	Head
	Matched *Matched
	Passed  *Passed
	Raw     json.RawMessage
}

// decode reads one line; ok is false for a torn or foreign one.
func decode(line []byte) (e Entry, ok bool) {
	line = bytes.TrimSpace(line)
	if json.Unmarshal(line, &e.Head) != nil || e.ID == "" {
		return Entry{}, false
	}
	e.Raw = bytes.Clone(line)
	switch e.Type {
	case TypeMatched:
		e.Matched = &Matched{}
		return e, json.Unmarshal(line, e.Matched) == nil
	case TypePassed:
		e.Passed = &Passed{}
		return e, json.Unmarshal(line, e.Passed) == nil
	}
	return e, true
}
