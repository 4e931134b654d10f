package taskagent

import (
	"encoding/json"
	"slices"
	"strings"
)

// codex is Codex CLI in exec mode. It asks nobody there: a tool of a server
// runs only when its server's calls are approved beforehand. See
// https://developers.openai.com/codex/noninteractive.
func (t *task) codex(argv []string, box inbox, last string) program {
	o := options{argv: slices.Clone(argv), own: argv}
	if !slices.Contains(argv, "exec") {
		o.argv = slices.Insert(o.argv, 1, "exec")
	}
	sandbox := "read-only"
	if t.writes() {
		sandbox = "workspace-write"
	}
	o.add([]string{"--json"})
	o.add([]string{"-C", "--cd"}, t.dir)
	o.add([]string{"--skip-git-repo-check"})
	o.add([]string{"-s", "--sandbox", "--dangerously-bypass-approvals-and-sandbox"}, sandbox)
	if t.agent.Model != "" {
		o.add([]string{"-m", "--model"}, t.agent.Model)
	}
	if t.runner.Kitsoki != "" {
		server := "mcp_servers." + serverName
		o.argv = append(o.argv, "-c", server+".command="+quoted(t.runner.Kitsoki), "-c", server+".args="+quoted(box.server),
			"-c", server+`.default_tools_approval_mode="approve"`)
	}
	return program{argv: o.argv, stdin: t.assignment(last, t.system, t.handIn()), read: readCodex}
}

// quoted writes a text or a list of texts in TOML, of which JSON's texts and
// lists are a part.
func quoted(v any) string {
	b, _ := json.Marshal(v) // strings alone can't fail
	return string(b)
}

// codexEvent is a line of exec --json.
type codexEvent struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Item    struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"item"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
	Usage struct {
		Input  int `json:"input_tokens"` // the cached ones among them
		Output int `json:"output_tokens"`
	} `json:"usage"`
}

// readCodex understands the events. Codex names no price.
func readCodex(stdout []byte) spoken {
	var s spoken
	for line := range strings.Lines(string(stdout)) {
		var e codexEvent
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		switch {
		case e.Type == "item.completed" && e.Item.Type == "agent_message":
			s.message = e.Item.Text
		case e.Type == "turn.completed":
			s.tokens, s.failed = s.tokens+e.Usage.Input+e.Usage.Output, ""
		case e.Type == "turn.failed":
			s.failed = e.Error.Message
		}
	}
	return s
}
