// Package transcript reads what a coding agent has written down of a session:
// Claude Code's files of JSON lines. Their form is documented nowhere; what is
// used of it was seen on the program itself, version 2.1.332.
//
// In go a path and a bound; out come messages, the time of the last
// compaction, or what one turn did. A file is read from its end backwards, so
// that what a turn costs does not grow with the session. Lines end at "\n"
// only; what is not UTF-8 is replaced; what is not understood is skipped, and so
// is a last line that is being written.
//
// It refuses to take for a person's or the model's words what is neither:
// notes of the program, tool results, thinking, side chains, and what a stop
// hook had said.
package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// How far back it is looked, in bytes.
const (
	messagesBack   = 2 << 20
	compactionBack = 64 << 20
	turnBack       = 64 << 20
)

// The roles of messages.
const (
	User      = "user"
	Assistant = "assistant"
)

// Message is what a person typed or the model said, without surrounding
// blanks, and never empty.
type Message struct {
	Role string
	Text string
	Time time.Time // the zero time when the entry has none
}

// entry is one line of a transcript.
type entry struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	PromptID    string `json:"promptId"`
	Request     string `json:"requestRef"`
	RequestID   string `json:"requestId"`
	Timestamp   string `json:"timestamp"`
	Meta        bool   `json:"isMeta"`
	Sidechain   bool   `json:"isSidechain"`
	Summary     bool   `json:"isCompactSummary"`
	OnlyVisible bool   `json:"isVisibleInTranscriptOnly"`
	Message     struct {
		ID      string          `json:"id"`
		Content json.RawMessage `json:"content"`
		Usage   usage           `json:"usage"`
	} `json:"message"`
}

type usage struct {
	Input      int `json:"input_tokens"`
	Output     int `json:"output_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	CacheRead  int `json:"cache_read_input_tokens"`
}

// block is one part of a message's content.
type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// decode reads a line; false when it is no entry. A value of another type than
// is known counts as absent.
func decode(line []byte) (e entry, ok bool) {
	if len(bytes.TrimSpace(line)) == 0 {
		return e, false
	}
	err := json.Unmarshal(bytes.ToValidUTF8(line, []byte("\ufffd")), &e)
	var other *json.UnmarshalTypeError
	return e, (err == nil || errors.As(err, &other)) && e.Type != ""
}

// when is the entry's time, the zero time when it has none.
func (e entry) when() time.Time {
	t, err := time.Parse(time.RFC3339, e.Timestamp)
	if err != nil {
		return time.Time{}
	}
	return t
}

// blocks are the parts of a message. A content that is a text is one part.
func (e entry) blocks() []block {
	var text string
	if json.Unmarshal(e.Message.Content, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	var list []block
	if json.Unmarshal(e.Message.Content, &list) != nil {
		return nil
	}
	return list
}

// stopFeedback is how the program's entry of what a stop hook said begins.
const stopFeedback = "Stop hook feedback:"

// said is the text of a person or the model, "" when the entry has none.
func (e entry) said() string {
	if e.Type != User && e.Type != Assistant || e.Meta || e.Summary || e.OnlyVisible {
		return ""
	}
	var parts []string
	for _, b := range e.blocks() {
		switch b.Type {
		case "tool_result":
			return ""
		case "text":
			if t := strings.TrimSpace(b.Text); t != "" {
				parts = append(parts, t)
			}
		}
	}
	text := strings.Join(parts, "\n\n")
	if e.Type == User && strings.HasPrefix(text, stopFeedback) {
		return ""
	}
	return text
}

// Messages gives the last messages of a session, at most n, the oldest first,
// from the last 2 MiB. Those that skip tells of are left out; it may be nil.
func Messages(path string, n int, skip func(Message) bool) (out []Message, err error) {
	ids := map[string]int{} // of the model's messages, which stand in several entries
	err = backwards(path, messagesBack, func(line []byte) bool {
		e, ok := decode(line)
		if !ok || e.Sidechain {
			return true
		}
		m := Message{Role: e.Type, Text: e.said(), Time: e.when()}
		if m.Text == "" || skip != nil && skip(m) {
			return true
		}
		if i, seen := ids[e.message()]; seen && e.message() != "" && out[i].Role == Assistant {
			out[i].Text, out[i].Time = m.Text+"\n\n"+out[i].Text, m.Time
			return true
		}
		if len(out) == n {
			return false
		}
		ids[e.message()] = len(out)
		out = append(out, m)
		return true
	})
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out, err
}

// message names the model's message that the entry is a part of, "" for none.
func (e entry) message() string {
	if e.Type != Assistant || e.Message.ID == "" {
		return ""
	}
	return e.Message.ID + " " + e.Request + e.RequestID
}

// Answer is the last text of the model in a session's last 2 MiB, "" when there
// is none.
func Answer(path string) (string, error) {
	list, err := Messages(path, 1, func(m Message) bool { return m.Role != Assistant })
	if len(list) == 0 {
		return "", err
	}
	return list[0].Text, err
}

// Compacted gives when the session was compacted last, within its last 64 MiB;
// ok is false when it was not. A message that talks of a compaction is none.
func Compacted(path string) (at time.Time, ok bool, err error) {
	mark := []byte(`"subtype":"compact_boundary"`)
	err = backwards(path, compactionBack, func(line []byte) bool {
		if !bytes.Contains(line, mark) {
			return true
		}
		if e, is := decode(line); is && e.Subtype == "compact_boundary" {
			at, ok = e.when(), true
		}
		return !ok
	})
	return at, ok, err
}
