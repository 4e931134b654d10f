package taskagent

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kitsoki/runtime/artifact"
)

// asKitsoki is the verb submit.
func asKitsoki(args []string) int {
	var texts []string
	var out string
	for i := 1; i+1 < len(args); i += 2 {
		if args[i] == "--out" {
			out = args[i+1]
			continue
		}
		text, err := os.ReadFile(args[i+1])
		if err != nil {
			return 1
		}
		texts = append(texts, string(text))
	}
	desk, err := NewDesk(texts, out, "test")
	if err == nil {
		err = desk.Serve(context.Background(), os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// asAgent is a coding agent that hands in a wrong result, is corrected, and
// hands in a right one. It writes down how it was started, and what it was
// told.
func asAgent(args []string) int {
	prompt, _ := io.ReadAll(os.Stdin)
	server, serverArgs := serverOf(args)
	var answers []string
	if server != "" {
		answers = handIn(server, serverArgs)
	}
	log, _ := json.Marshal(map[string]any{"args": args, "prompt": string(prompt), "answers": answers})
	if err := os.WriteFile(os.Getenv("AGENT_LOG"), log, 0o600); err != nil {
		return 9
	}
	fmt.Println(os.Getenv("AGENT_SAYS"))
	return 0
}

// serverOf finds the MCP server in the options of claude or of codex.
func serverOf(args []string) (command string, serverArgs []string) {
	for i, arg := range args {
		switch {
		case arg == "--mcp-config":
			var config struct {
				MCPServers map[string]struct {
					Command string
					Args    []string
				}
			}
			text, _ := os.ReadFile(args[i+1])
			_ = json.Unmarshal(text, &config)
			return config.MCPServers[serverName].Command, config.MCPServers[serverName].Args
		case strings.HasPrefix(arg, "mcp_servers.kitsoki.command="):
			_ = json.Unmarshal([]byte(strings.TrimPrefix(arg, "mcp_servers.kitsoki.command=")), &command)
		case strings.HasPrefix(arg, "mcp_servers.kitsoki.args="):
			_ = json.Unmarshal([]byte(strings.TrimPrefix(arg, "mcp_servers.kitsoki.args=")), &serverArgs)
		}
	}
	return command, serverArgs
}

func handIn(server string, args []string) []string {
	ctx := context.Background()
	c := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	s, err := c.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(server, args...)}, nil)
	if err != nil {
		return []string{err.Error()}
	}
	defer s.Close()
	return submitAll(ctx, s, map[string]any{"verdict": "maybe"}, map[string]any{"verdict": "yes", "rationale": "So it is."})
}

func submitAll(ctx context.Context, s *mcp.ClientSession, values ...any) (answers []string) {
	for _, v := range values {
		res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: toolName, Arguments: v})
		if err != nil {
			return append(answers, err.Error())
		}
		answers = append(answers, fmt.Sprint(res.IsError, " ", res.Content[0].(*mcp.TextContent).Text))
	}
	return answers
}

// standIn writes a script of that name that runs the test binary.
func standIn(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	path := filepath.Join(t.TempDir(), name)
	as := strings.TrimSuffix(name, ".cmd")
	must(t, os.WriteFile(path, []byte("#!/bin/sh\nTASKAGENT_TEST_AS="+as+" exec '"+self+"' \"$@\"\n"), 0o755))
	return path
}

type agentLog struct {
	Args    []string
	Prompt  string
	Answers []string
}

// agentCall runs a stand-in of a coding agent, and gives what it noted.
func agentCall(t *testing.T, a artifact.Agent, name, says string, args map[string]any) (map[string]any, agentLog) {
	t.Helper()
	p := newPlace(t, "")
	p.repository()
	log := filepath.Join(t.TempDir(), "log")
	p.env.Vars = append(p.env.Vars, "AGENT_LOG="+log, "AGENT_SAYS="+says)
	a.Name = "sh"
	p.prog.Agents = []artifact.Agent{a}
	all := map[string]any{"agent": "sh", "prompt": "Do it.", "schema": "schemas/verdict.json"}
	for k, v := range args {
		all[k] = v
	}
	r := Runner{Program: &p.prog, Temp: p.temp, Kitsoki: standIn(t, "kitsoki")}
	res, err := r.Call(context.Background(), name, all, p.env)
	if he := p.ended(err); he != nil {
		t.Fatalf("observed %+v", he)
	}
	var l agentLog
	text, err := os.ReadFile(log)
	must(t, err)
	must(t, json.Unmarshal(text, &l))
	return res, l
}

// holdAnswers: the first result was corrected, the second one accepted.
func holdAnswers(t *testing.T, l agentLog) {
	t.Helper()
	if len(l.Answers) != 2 || !strings.HasPrefix(l.Answers[0], `true Not accepted: /verdict: value must be one of "yes", "no"`) || !strings.HasPrefix(l.Answers[1], "false Accepted.") {
		t.Errorf("answers %q", l.Answers)
	}
	if !strings.Contains(l.Prompt, `the tool "submit" of the MCP server "kitsoki"`) {
		t.Errorf("prompt:\n%s", l.Prompt)
	}
}

func TestClaude(t *testing.T) {
	t.Parallel()
	says := `{"type":"result","subtype":"success","is_error":false,"result":"Done.","total_cost_usd":0.25,"usage":{"input_tokens":2,"cache_creation_input_tokens":30,"cache_read_input_tokens":400,"output_tokens":5000}}`
	agent := artifact.Agent{Command: []string{standIn(t, "claude")}, Model: "sonnet", Tools: []string{"Read", "Bash(go test *)"}, SystemPrompt: &artifact.Text{Src: "Be brief on {{ world.branch }}."}}
	res, l := agentCall(t, agent, taskName, says, nil)
	holdAnswers(t, l)
	if res["cost_usd"] != 0.25 || res["tokens"] != 5432 || res["attempts"] != 1 {
		t.Errorf("observed %v", res)
	}
	i := slices.Index(l.Args, "--mcp-config")
	want := []string{
		"-p", "--output-format", "json", "--model", "sonnet", "--permission-mode", "acceptEdits", "--tools", "Read,Bash",
		"--allowedTools", "mcp__kitsoki__submit", "Read", "Bash(go test *)", "--append-system-prompt", "Be brief on topic.",
	}
	if i < 0 || !slices.Equal(l.Args[:i], want) || !slices.Equal(l.Args[i+2:], []string{"--strict-mcp-config"}) {
		t.Errorf("arguments %q", l.Args)
	}
}

// TestClaudeDecides: it gets no tool that writes, and what the story says of
// an option stands.
func TestClaudeDecides(t *testing.T) {
	t.Parallel()
	agent := artifact.Agent{
		Command:      []string{standIn(t, "claude"), "--print", "--output-format=stream-json", "--append-system-prompt", "x"},
		SystemPrompt: &artifact.Text{Src: "Be fair."},
	}
	says := `{"type":"system"}` + "\n" + `{"type":"result","result":"I looked.","total_cost_usd":1,"usage":{"output_tokens":7}}`
	res, l := agentCall(t, agent, decideName, says, nil)
	holdAnswers(t, l)
	if res["rationale"] != "So it is." || res["tokens"] != 7 || res["cost_usd"] != 1.0 {
		t.Errorf("observed %v", res)
	}
	if !strings.HasPrefix(l.Prompt, "Be fair.\n\nDo it.") {
		t.Errorf("prompt:\n%s", l.Prompt)
	}
	if slices.Contains(l.Args, "-p") || slices.Contains(l.Args, "json") || !strings.Contains(strings.Join(l.Args, " "), "--tools Read,Glob,Grep --allowedTools") {
		t.Errorf("arguments %q", l.Args)
	}
}

func TestCodex(t *testing.T) {
	t.Parallel()
	says := `{"type":"thread.started","thread_id":"x"}
{"type":"item.completed","item":{"id":"1","type":"reasoning","text":"hm"}}
{"type":"item.completed","item":{"id":"2","type":"agent_message","text":"Done."}}
{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":80,"output_tokens":11}}`
	agent := artifact.Agent{Command: []string{standIn(t, "codex"), "exec"}, Model: "m", SystemPrompt: &artifact.Text{Src: "Be brief."}}
	res, l := agentCall(t, agent, taskName, says, map[string]any{"files": []any{"a.txt"}})
	holdAnswers(t, l)
	if res["cost_usd"] != 0.0 || res["tokens"] != 111 {
		t.Errorf("observed %v", res)
	}
	if got := strings.Join(l.Args, " "); !strings.HasPrefix(got, "exec --json -C ") || !strings.Contains(got, "--skip-git-repo-check -s workspace-write -m m -c mcp_servers.kitsoki.command=") ||
		!strings.HasSuffix(got, `-c mcp_servers.kitsoki.default_tools_approval_mode="approve"`) {
		t.Errorf("arguments %q", l.Args)
	}
	if !strings.HasPrefix(l.Prompt, "Be brief.\n\nDo it.\n") {
		t.Errorf("prompt:\n%s", l.Prompt)
	}
	agent.Command = agent.Command[:1]
	if _, l = agentCall(t, agent, decideName, says, nil); l.Args[0] != "exec" || !slices.Contains(l.Args, "read-only") {
		t.Errorf("arguments %q", l.Args)
	}
}

// TestReading holds what is understood of output that is not as usual.
func TestReading(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		read func([]byte) spoken
		out  string
		want spoken
	}{
		"claude list":       {readClaude, `[{"type":"system"},{"type":"result","result":"x","total_cost_usd":2}]`, spoken{message: "x", cost: 2}},
		"claude fails":      {readClaude, `{"type":"result","is_error":true,"result":"Invalid API key"}`, spoken{message: "Invalid API key", failed: "Invalid API key"}},
		"claude gives up":   {readClaude, `{"type":"result","is_error":true,"subtype":"error_max_turns"}`, spoken{failed: "error_max_turns"}},
		"claude plain":      {readClaude, "just text", spoken{message: "just text"}},
		"codex fails":       {readCodex, `{"type":"turn.failed","error":{"message":"no quota"}}`, spoken{failed: "no quota"}},
		"codex goes on":     {readCodex, "{\"type\":\"turn.failed\",\"error\":{\"message\":\"x\"}}\n{\"type\":\"turn.completed\",\"usage\":{\"output_tokens\":1}}", spoken{tokens: 1}},
		"codex other lines": {readCodex, "warning\n{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"y\"}}", spoken{message: "y"}},
	} {
		if got := tc.read([]byte(tc.out)); got != tc.want {
			t.Errorf("%s: observed %+v", name, got)
		}
	}
	p := newPlace(t, `echo '{"type":"result","is_error":true,"result":"Invalid API key"}'`)
	p.prog.Agents[0].Command[0] = "sh"
	if programName("/usr/bin/Claude.CMD") != "claude" || programName("claude-x") == "claude" {
		t.Error("a program's name is not told")
	}
}
