package transcript

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Turn is what was done from a prompt on.
type Turn struct {
	Found  bool // the prompt stands in the transcript
	Prompt string
	Began  time.Time
	Tools  []Tool // in the order in which they were used; those of sub-agents last
	Text   string // what the model said after the last tool, "" for nothing
	Tokens int    // read and written, cached ones among them, of the model itself
}

// Tool is one use of a tool. Sub is set when a sub-agent used it.
type Tool struct {
	Name  string
	Input json.RawMessage
	Sub   bool
}

// TurnOf gives the turn of a prompt, by the id that the agent has given it, or
// with "" the last one. It looks 64 MiB back, and into the files of sub-agents
// beside the transcript.
func TurnOf(path, promptID string) (t Turn, err error) {
	c := &collector{id: promptID, seen: map[string]bool{}}
	if err = backwards(path, turnBack, c.take); err != nil || !c.Found {
		return Turn{}, err
	}
	slices.Reverse(c.Tools)
	slices.Reverse(c.texts)
	c.Text = strings.Join(c.texts, "\n\n")
	c.Tools = append(c.Tools, c.sidechain...)
	for _, file := range subAgents(path) {
		c.Tools = append(c.Tools, toolsSince(file, c.Began)...)
	}
	return c.Turn, nil
}

// collector gathers a turn from its end on.
type collector struct {
	Turn
	id        string
	texts     []string // after the last tool, the last one first
	sidechain []Tool
	seen      map[string]bool // messages whose tokens were counted
}

func (c *collector) take(line []byte) bool {
	e, ok := decode(line)
	switch {
	case !ok:
	case e.Type == Assistant:
		c.assistant(e)
	case e.Type == User && !e.Sidechain:
		return c.user(e)
	}
	return true
}

func (c *collector) assistant(e entry) {
	if e.Sidechain {
		c.sidechain = append(tools(e, true), c.sidechain...)
		return
	}
	used := tools(e, false)
	slices.Reverse(used)
	if len(c.Tools) == 0 && len(used) == 0 {
		if text := e.said(); text != "" {
			c.texts = append(c.texts, text)
		}
	}
	c.Tools = append(c.Tools, used...)
	if id := e.message(); id == "" || !c.seen[id] {
		c.seen[id] = true
		u := e.Message.Usage
		c.Tokens += u.Input + u.Output + u.CacheWrite + u.CacheRead
	}
}

// user ends the search at the prompt that was asked for. What comes after
// another prompt is that one's.
func (c *collector) user(e entry) bool {
	text := e.said()
	switch {
	case text == "" && (e.PromptID == "" || c.id == "" || e.PromptID == c.id):
		return true
	case c.id == "" || e.PromptID == c.id:
		c.Found, c.Prompt, c.Began = true, text, e.when()
		return false
	}
	c.Turn, c.texts, c.sidechain, c.seen = Turn{}, nil, nil, map[string]bool{}
	return true
}

// tools lists the uses of tools in an entry.
func tools(e entry, sub bool) (out []Tool) {
	for _, b := range e.blocks() {
		if b.Type == "tool_use" && b.Name != "" {
			out = append(out, Tool{b.Name, b.Input, sub})
		}
	}
	return out
}

// subAgents are the transcripts of a session's sub-agents, sorted by name.
func subAgents(path string) []string {
	dir := filepath.Join(strings.TrimSuffix(path, filepath.Ext(path)), "subagents")
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil // there are none
	}
	var out []string
	for _, d := range list {
		if strings.HasSuffix(d.Name(), ".jsonl") && d.Type().IsRegular() {
			out = append(out, filepath.Join(dir, d.Name()))
		}
	}
	return out
}

// toolsSince lists what a sub-agent used from a time on. A file that can't be
// read has none: its agent is gone.
func toolsSince(file string, since time.Time) (out []Tool) {
	_ = backwards(file, turnBack, func(line []byte) bool {
		e, ok := decode(line)
		if ok && !e.when().IsZero() && e.when().Before(since) {
			return false
		}
		if ok && e.Type == Assistant {
			out = append(tools(e, true), out...)
		}
		return true
	})
	return out
}
