package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// The child speaks to its parent in lines, each one JSON object with one key:
// at most one {"executing":{"budget_ms":N,"drive":true|absent}}, then one
// {"reply":{…}|null}.
const (
	keyExecuting = "executing"
	keyReply     = "reply"
)

// maxSaid bounds what a child may say in all, in bytes. A report has fewer
// than ten thousand characters.
const maxSaid = 1 << 20

type budget struct {
	MS    int64 `json:"budget_ms"`
	Drive bool  `json:"drive,omitempty"`
}

// sayExecuting tells the parent how long the command may take, and whether it
// is driven.
func sayExecuting(w io.Writer, d time.Duration, drive bool) error {
	body, err := json.Marshal(budget{d.Milliseconds(), drive})
	if err == nil {
		_, err = fmt.Fprintf(w, "{%q:%s}\n", keyExecuting, body)
	}
	return err
}

// sayReply hands over the answer for the agent; nil is silence.
func sayReply(w io.Writer, reply []byte) error {
	if reply == nil {
		reply = []byte("null")
	}
	_, err := fmt.Fprintf(w, "{%q:%s}\n", keyReply, reply)
	return err
}

// listener follows what a child says. Anything that is not the protocol
// makes it broken, for good: then nothing is passed on.
type listener struct {
	executing, replied, broken bool
	reply                      []byte
	driving                    func() // called when the command is driven
}

// line takes the child's next line and returns by how long the child may go
// on from now, 0 for no change.
func (l *listener) line(raw []byte) time.Duration {
	key, value, ok := only(raw)
	switch {
	case l.broken:
	case ok && key == keyExecuting && !l.executing && !l.replied:
		return l.takeBudget(value)
	case ok && key == keyReply && !l.replied:
		l.takeReply(value)
	default:
		l.broken = true
	}
	return 0
}

// only splits an object that has exactly one key.
func only(raw []byte) (key string, value json.RawMessage, ok bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || len(object) != 1 {
		return "", nil, false
	}
	for key, value = range object {
	}
	return key, value, true
}

func (l *listener) takeBudget(value json.RawMessage) time.Duration {
	var b budget
	longest := (MaxBudget + AbortBudget).Milliseconds()
	if json.Unmarshal(value, &b) != nil || b.MS <= 0 || b.MS > longest {
		l.broken = true
		return 0
	}
	l.executing = true
	if b.Drive && l.driving != nil {
		l.driving()
	}
	return time.Duration(b.MS)*time.Millisecond + Slack
}

func (l *listener) takeReply(value json.RawMessage) {
	l.replied = true
	if string(value) == "null" {
		return
	}
	var object map[string]json.RawMessage
	var line bytes.Buffer
	if json.Unmarshal(value, &object) != nil || len(object) == 0 || json.Compact(&line, value) != nil {
		l.broken = true
		return
	}
	l.reply = line.Bytes()
}

// answer is what may be passed on.
func (l *listener) answer() []byte {
	if l.broken {
		return nil
	}
	return l.reply
}
