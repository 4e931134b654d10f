package agent

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// takes says whether a row would look at a call.
func takes(r Row, payload []byte, env Env) bool {
	e, err := r.Decode(payload)
	return err == nil && e.Kind == Prompt && r.WrongCaller(e, env) == ""
}

// TestForeignCallers gives every agent's call, and every mixture of one's
// payload with another's environment, to the hook installed for every agent.
func TestForeignCallers(t *testing.T) {
	t.Parallel()
	all := samples(t)
	for _, r := range Rows() {
		for payload, p := range all {
			for env, e := range all {
				took := takes(r, p.Payload, e.Env)
				if payload == r.Name && env == r.Name && !took {
					t.Errorf("%s refuses its own call", r.Name)
				}
				if took && !mayTake(r.Name, payload, e.Env) {
					t.Errorf("%s takes %s's payload with %s's environment", r.Name, payload, env)
				}
			}
		}
	}
}

// mayTake says that nothing betrays the caller: the environment has no
// other agent's sign, and the payload is its own, or written alike by an
// agent that the environment alone tells apart.
func mayTake(row, payload string, env Env) bool {
	alike := map[string][]string{"claude": {"droid", "qwen"}, "vscode": {"grok.foreign"}}
	return env.foreignSign(row) == "" && (payload == row || slices.Contains(alike[row], payload))
}

// TestBothEnvironments: an agent started inside of another has the other's
// variables too, and no person types to it.
func TestBothEnvironments(t *testing.T) {
	t.Parallel()
	all := samples(t)
	for _, r := range Rows() {
		own := all[r.Name]
		for name, s := range all {
			mixed := append(slices.Clone(own.Env), s.Env...)
			if foreign := s.Env.foreignSign(r.Name); foreign != "" && takes(r, own.Payload, mixed) {
				t.Errorf("%s takes its payload beside %s of %s", r.Name, foreign, name)
			}
		}
	}
}

// TestMissingKeys removes, and empties, each key of each agent's payload: the
// call is taken only when who called, and what was typed, is as certain as
// before.
func TestMissingKeys(t *testing.T) {
	t.Parallel()
	optional := map[string]string{
		"claude": "transcript_path cwd prompt permission_mode prompt_id", "codex": "transcript_path cwd prompt",
		"copilot": "cwd prompt", "gemini": "transcript_path cwd prompt", "qwen": "transcript_path cwd prompt",
		"vscode": "transcript_path cwd prompt", "cursor": "workspace_roots prompt model user_email attachments",
		"windsurf": "timestamp tool_info", "droid": "transcript_path cwd prompt", "kimi": "session_title cwd prompt",
		"cline": "workspaceRoots userId userPromptSubmit",
	}
	for _, r := range Rows() {
		s := sampleOf(t, r.Name)
		var whole map[string]json.RawMessage
		if err := json.Unmarshal(s.Payload, &whole); err != nil {
			t.Fatal(err)
		}
		for key := range whole {
			for _, value := range []string{"", "null", "{}"} {
				e, took := without(t, r, s, key, value)
				free := slices.Contains(strings.Fields(optional[r.Name]), key)
				if took && !free {
					t.Errorf("%s takes a payload whose %s is %q: %+v", r.Name, key, value, e)
				}
			}
		}
	}
}

// without is a row's call with one key changed, or removed.
func without(t *testing.T, r Row, s sample, key, value string) (Event, bool) {
	t.Helper()
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(s.Payload, &keys); err != nil {
		t.Fatal(err)
	}
	delete(keys, key)
	if value != "" {
		keys[key] = json.RawMessage(value)
	}
	data, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.Decode(data)
	return e, err == nil && e.Kind == Prompt && r.WrongCaller(e, s.Env) == ""
}

// TestDirectoryIsNotGuessed: in a window with two directories either may be
// meant.
func TestDirectoryIsNotGuessed(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"cursor": "workspace_roots", "cline": "workspaceRoots"} {
		r, _ := Lookup(name)
		for _, roots := range []string{`["/work","/other"]`, `[]`, `null`} {
			if e, _ := without(t, r, sampleOf(t, name), key, roots); e.CWD != "" {
				t.Errorf("%s: %s gives %s", name, roots, e.CWD)
			}
		}
	}
}

func TestRowsOwnRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		row, key, value string
		env             Env
		takes           bool
	}{
		{"gemini", "session_id", `"s2"`, nil, false}, // another session than the environment's
		{"kimi", "client_type", `"kimi_web"`, nil, false},
		{"kimi", "prompt", `"push"`, nil, true},
		{"cline", "hookName", `"TaskStart"`, nil, false},
		{"cline", "timestamp", `1764547200000`, nil, true},
		{"cline", "userId", `"u"`, Env{"VSCODE_PID=7", "TERM_PROGRAM=vscode"}, false},
		{"copilot", "toolName", `"bash"`, nil, false},
		{"windsurf", "agent_action_name", `"pre_run_command"`, nil, false},
		{"cursor", "hook_event_name", `"beforeShellExecution"`, nil, false},
		{"codex", "hook_event_name", `"Stop"`, nil, false},
		{"qwen", "hook_event_name", `"PreToolUse"`, nil, false},
		{"vscode", "hook_event_name", `"UserPromptSubmit"`, nil, false},
	}
	for _, tt := range tests {
		r, _ := Lookup(tt.row)
		s := sampleOf(t, tt.row)
		if tt.env != nil {
			s.Env = tt.env
		}
		if e, took := without(t, r, s, tt.key, tt.value); took != tt.takes {
			t.Errorf("%s with %s %s: taken %v, %+v", tt.row, tt.key, tt.value, took, e)
		}
	}
}

// TestPicturesAreNotRead: words beside a picture are the model's.
func TestPicturesAreNotRead(t *testing.T) {
	t.Parallel()
	r, _ := Lookup("kimi")
	for _, parts := range []string{
		`[]`, `[{"type":"text","text":"push"},{"type":"image_url"}]`, `[{"type":"image_url","text":"push"}]`,
	} {
		if e, _ := without(t, r, sampleOf(t, "kimi"), "prompt", parts); e.Prompt != "" {
			t.Errorf("%s is read as %q", parts, e.Prompt)
		}
	}
}

func TestPlanModes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		row, mode string
		want      bool
	}{
		{"claude", "plan", true}, {"codex", "plan", true}, {"droid", "spec", true}, {"codex", "default", false},
	} {
		r, _ := Lookup(tt.row)
		if e, _ := without(t, r, sampleOf(t, tt.row), "permission_mode", `"`+tt.mode+`"`); e.Plan() != tt.want {
			t.Errorf("%s, mode %s: plan is %v", tt.row, tt.mode, e.Plan())
		}
	}
}

func TestSubAgents(t *testing.T) {
	t.Parallel()
	for row, key := range map[string]string{"claude": "agent_id", "qwen": "agent_id", "cline": "parent_agent_id"} {
		r, _ := Lookup(row)
		if e, _ := without(t, r, sampleOf(t, row), key, `"a1"`); r.NotAPerson(e, nil) == "" {
			t.Errorf("%s: a sub-agent counts as a person", row)
		}
	}
}
