package taskagent

import (
	"encoding/json"
	"slices"
	"strings"

	"kitsoki/runtime/host"
)

// claude is the claude CLI in print mode. Edits below the working directory
// are allowed without asking, and so are the tools of the agent; whatever else
// would ask is refused, since nobody could answer. See
// https://code.claude.com/docs/en/cli-reference.
func (t *task) claude(argv []string, box inbox, last string) program {
	o := options{argv: slices.Clone(argv), own: argv}
	o.add([]string{"-p", "--print"})
	o.add([]string{"--output-format"}, "json")
	if t.agent.Model != "" {
		o.add([]string{"--model"}, t.agent.Model)
	}
	o.add([]string{"--permission-mode", "--dangerously-skip-permissions"}, "acceptEdits")
	allowed := append([]string{"mcp__" + serverName + "__" + toolName}, t.tools()...)
	if len(t.agent.Tools) > 0 || !t.writes() {
		o.add([]string{"--tools"}, strings.Join(builtIn(t.tools()), ","))
	}
	o.more("--allowedTools", allowed...)
	system := t.system
	if system != "" && len(system) <= host.MaxValue && !o.given("--append-system-prompt") {
		o.more("--append-system-prompt", system)
		system = ""
	}
	if t.runner.Kitsoki != "" {
		o.more("--mcp-config", box.config) // beside the story's own
		o.add([]string{"--strict-mcp-config"})
	}
	return program{argv: o.argv, stdin: t.assignment(last, system, t.handIn()), read: readClaude}
}

// writes tells whether any file may change.
func (t *task) writes() bool { return t.open || len(t.files) > 0 }

// tools are the tools of the agent, else those that its work needs.
func (t *task) tools() []string {
	switch {
	case len(t.agent.Tools) > 0:
		return t.agent.Tools
	case t.writes():
		return []string{"Read", "Glob", "Grep", "Edit", "Write"}
	}
	return []string{"Read", "Glob", "Grep"}
}

// builtIn takes the rules off tools, as in Bash(go test *), and leaves out
// those of other servers.
func builtIn(tools []string) []string {
	var out []string
	for _, tool := range tools {
		if name, _, _ := strings.Cut(tool, "("); !strings.HasPrefix(name, "mcp__") {
			out = append(out, name)
		}
	}
	return out
}

// claudeResult is what --output-format json prints, alone or, with --verbose,
// as the last of a list.
type claudeResult struct {
	Type    string  `json:"type"`
	Result  string  `json:"result"`
	IsError bool    `json:"is_error"`
	Subtype string  `json:"subtype"`
	Cost    float64 `json:"total_cost_usd"`
	Usage   struct {
		Input   int `json:"input_tokens"`
		Output  int `json:"output_tokens"`
		Read    int `json:"cache_read_input_tokens"`
		Created int `json:"cache_creation_input_tokens"`
	} `json:"usage"`
}

// readClaude understands the output; what is not in its shape is a message.
func readClaude(stdout []byte) spoken {
	r, ok := claudeEnd(stdout)
	if !ok {
		return spoken{message: string(stdout)}
	}
	s := spoken{message: r.Result, cost: r.Cost, tokens: r.Usage.Input + r.Usage.Output + r.Usage.Read + r.Usage.Created}
	if r.IsError {
		if s.failed = r.Result; s.failed == "" {
			s.failed = r.Subtype
		}
	}
	return s
}

func claudeEnd(stdout []byte) (r claudeResult, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(stdout, &list) == nil && len(list) > 0 {
		ok = json.Unmarshal(list[len(list)-1], &r) == nil
		return r, ok && r.Type == "result"
	}
	for line := range strings.Lines(string(stdout)) {
		var one claudeResult
		if json.Unmarshal([]byte(line), &one) == nil && one.Type == "result" {
			r, ok = one, true
		}
	}
	return r, ok
}
