package agent

import (
	"encoding/json"
	"strings"
)

// decision is the answer of several agents that stops a prompt.
type decision struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

// carry is the answer of several agents that lets a prompt pass with a text.
type carry struct {
	Output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

// blockDecision stops a prompt of the agents that want no key besides.
func blockDecision(report string) []byte { return encode(decision{"block", report}) }

func contextFor(event, text string) []byte {
	var c carry
	c.Output.Event, c.Output.Context = event, text
	return encode(c)
}

// envelope carries a report from the half that decides to the half that
// answers by status.
type envelope struct {
	Stderr string `json:"stderr"`
}

func blockStatus(report string) []byte { return encode(envelope{report}) }

// Stderr reads the envelope of an agent that is stopped by status: the report
// for standard error. Anything but one key with a text that says something is
// no stop.
func Stderr(answer []byte) (report string, ok bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(answer, &object) != nil || len(object) != 1 {
		return "", false
	}
	if json.Unmarshal(object["stderr"], &report) != nil || strings.TrimSpace(report) == "" {
		return "", false
	}
	return report, true
}
