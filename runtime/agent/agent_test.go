package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// sample is a call as an agent makes it.
type sample struct {
	Env     Env
	Payload json.RawMessage
}

// sampleOf reads testdata/payload/NAME.json. A row without one fails the
// contract.
func sampleOf(t testing.TB, name string) sample {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "payload", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var s sample
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// samples lists every call there is, also those of agents without a row.
func samples(t testing.TB) map[string]sample {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "payload", "*.json"))
	if err != nil || len(files) <= len(Rows()) {
		t.Fatalf("samples %v, %v", files, err)
	}
	out := map[string]sample{}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		out[name] = sampleOf(t, name)
	}
	return out
}

func TestContract(t *testing.T) {
	t.Parallel()
	names := []string{}
	for _, r := range Rows() {
		names = append(names, r.Name)
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			checkRow(t, r)
		})
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("rows are not sorted or not unique: %v", names)
	}
}

func checkRow(t *testing.T, r Row) {
	s := sampleOf(t, r.Name)
	e, err := r.Decode(s.Payload)
	if err != nil {
		t.Fatal(err)
	}
	if e.Kind != Prompt || e.Prompt != "push <it> & go" || (e.CWD != "/work") != r.OwnDir || e.SessionID == "" {
		t.Errorf("event %+v", e)
	}
	if why := r.WrongCaller(e, s.Env); why != "" {
		t.Errorf("its own call is refused: %s", why)
	}
	if why := r.NotAPerson(e, s.Env); why != "" {
		t.Errorf("a person is refused: %s", why)
	}
	if len(s.Env) > 1 && r.WrongCaller(e, Env{"PATH=/bin"}) == "" {
		t.Error("a call without its environment is taken")
	}
	for _, bad := range []string{"", "null", "[]", "1", `"x"`, "{", "{}", `{"prompt":1}`} {
		e, err := r.Decode([]byte(bad))
		if err == nil && e.Kind == Prompt && r.WrongCaller(e, s.Env) == "" {
			t.Errorf("payload %q is taken", bad)
		}
	}
	if r.Title == "" || r.Mark != Live && r.Mark != Documented {
		t.Errorf("title %q, mark %q", r.Title, r.Mark)
	}
	checkAnswers(t, r)
	if found, ok := Lookup(r.Name); !ok || found.Title != r.Title {
		t.Error("Lookup does not find the row")
	}
}

func checkAnswers(t *testing.T, r Row) {
	if (r.Context != nil) != r.Can.Context || (r.Block != nil) != r.Can.Block {
		t.Fatal("the capabilities and the answers disagree")
	}
	const text = "⌁ done\n\"quoted\" <b> \xff\u2028"
	for name, answer := range map[string]func(string) []byte{"block": r.Block, "context": r.Context} {
		if answer == nil {
			continue
		}
		got := answer(text)
		var object map[string]any
		if err := json.Unmarshal(got, &object); err != nil || strings.ContainsRune(string(got), '\n') || !utf8.Valid(got) {
			t.Errorf("%s is not one line of JSON: %q, %v", name, got, err)
		}
		if !strings.Contains(string(got), `⌁ done\n\"quoted\" <b> `) {
			t.Errorf("%s lost the text: %s", name, got)
		}
	}
}

func TestLookupUnknown(t *testing.T) {
	t.Parallel()
	if _, ok := Lookup("cladue"); ok {
		t.Error("an unknown agent is found")
	}
}

func TestClaudeBlocks(t *testing.T) {
	t.Parallel()
	r, _ := Lookup("claude")
	want := `{"decision":"block","reason":"R","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true}}`
	if got := string(r.Block("R")); got != want {
		t.Errorf("block\n got %s\nwant %s", got, want)
	}
}

func TestClaudeStop(t *testing.T) {
	t.Parallel()
	e, err := claude().Decode([]byte(`{"hook_event_name":"Stop","session_id":"s","stop_hook_active":true,"last_assistant_message":"done"}`))
	if err != nil || e.Kind != Stop || !e.StopHookActive || e.LastMessage != "done" {
		t.Errorf("%+v, %v", e, err)
	}
	if why := notClaude(e, Env{"CLAUDECODE=1"}); why != "" {
		t.Error(why)
	}
	if e, err := claude().Decode([]byte(`{"hook_event_name":"PreToolUse"}`)); err != nil || e.Kind != Other {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestClaudeWrongCaller(t *testing.T) {
	t.Parallel()
	const good = `"hook_event_name":"UserPromptSubmit","session_id":"s","permission_mode":"default","prompt":"x"`
	tests := []struct {
		name, payload string
		env           Env
		want          string
	}{
		{"good", good, Env{"CLAUDECODE=1"}, ""},
		{"good with prompt_id", strings.Replace(good, "permission_mode", "prompt_id", 1), Env{"CLAUDECODE=1"}, ""},
		{"project dir proves nothing", good, Env{"CLAUDE_PROJECT_DIR=/x"}, "CLAUDECODE"},
		{"no environment", good, nil, "CLAUDECODE"},
		{"not 1", good, Env{"CLAUDECODE=1", "CLAUDECODE=0"}, "CLAUDECODE"},
		{"camel case", strings.ReplaceAll(good, "hook_event_name", "hookEventName"), Env{"CLAUDECODE=1"}, "hookEventName"},
		{"both cases", good + `,"hookEventName":"x"`, Env{"CLAUDECODE=1"}, "hookEventName"},
		{"capital keys", strings.ReplaceAll(good, "session_id", "Session_ID"), Env{"CLAUDECODE=1"}, "session_id"},
		{"no session", `"hook_event_name":"UserPromptSubmit","prompt_id":"p"`, Env{"CLAUDECODE=1"}, "session_id"},
		{"no mode, no id", `"hook_event_name":"UserPromptSubmit","session_id":"s"`, Env{"CLAUDECODE=1"}, "prompt_id"},
		{"codex", good + `,"turn_id":"t"`, Env{"CLAUDECODE=1"}, "turn_id"},
		{"cursor", good + `,"generation_id":"t"`, Env{"CLAUDECODE=1"}, "generation_id"},
		{"cursor's other key", good + `,"conversation_id":"t"`, Env{"CLAUDECODE=1"}, "conversation_id"},
		{"copilot", good, Env{"CLAUDECODE=1", "COPILOT_CLI=1"}, "COPILOT_CLI"},
		{"grok", good, Env{"CLAUDECODE=1", "GROK_SESSION=1"}, "GROK_SESSION"},
		{"cursor variable", good, Env{"CLAUDECODE=1", "CURSOR_TRACE_ID=1"}, "CURSOR_TRACE_ID"},
		{"gemini", good, Env{"CLAUDECODE=1", "GEMINI_CLI=1"}, "GEMINI_CLI"},
		{"qwen", good, Env{"CLAUDECODE=1", "QWEN_CODE=1"}, "QWEN_CODE"},
		{"empty marker", good, Env{"CLAUDECODE=1", "GROK_SESSION="}, ""},
	}
	for _, tt := range tests {
		e, err := claude().Decode([]byte("{" + tt.payload + "}"))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		got := notClaude(e, tt.env)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want something with %q", tt.name, got, tt.want)
		}
	}
}

func TestNotAPerson(t *testing.T) {
	t.Parallel()
	r, _ := Lookup("claude")
	tests := []struct {
		name string
		e    Event
		env  Env
		want string
	}{
		{"a person", Event{Prompt: "push"}, nil, ""},
		{"a person, said so", Event{Prompt: "push", Source: "user"}, Env{"CLAUDE_CODE_SESSION_ATTENDED=1"}, ""},
		{"a tag inside", Event{Prompt: "what is <system-reminder>?"}, nil, ""},
		{"a tag of the person", Event{Prompt: "<div> is wrong"}, nil, ""},
		{"task", Event{Prompt: "<task-notification>x"}, nil, "<task-notification"},
		{"after blanks", Event{Prompt: " \n\t\u00a0<agent-message from='x'>"}, nil, "<agent-message"},
		{"after a mark", Event{Prompt: "\ufeff\u200b<teammate-message>"}, nil, "<teammate-message"},
		{"session", Event{Prompt: "<cross-session-message>"}, nil, "<cross-session-message"},
		{"reminder in capitals", Event{Prompt: "<SYSTEM-REMINDER>"}, nil, "<system-reminder"},
		{"bracket", Event{Prompt: "[SYSTEM NOTIFICATION: x]"}, nil, "[SYSTEM NOTIFICATION"},
		{"sub-agent", Event{Prompt: "push", AgentID: "a1"}, nil, "sub-agent"},
		{"source", Event{Prompt: "push", Source: "hook"}, nil, "source is hook"},
		{"unattended", Event{Prompt: "push"}, Env{"CLAUDE_CODE_SESSION_ATTENDED=0"}, "not attended"},
		{"ours", Event{Prompt: "push"}, Env{"KITSOKI_ACTIVE=s1"}, "kitsoki started"},
	}
	for _, tt := range tests {
		got := r.NotAPerson(tt.e, tt.env)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want something with %q", tt.name, got, tt.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(string(s.Payload))
	}
	f.Fuzz(func(t *testing.T, payload string) {
		for _, r := range Rows() {
			e, err := r.Decode([]byte(payload))
			if err == nil && !utf8.ValidString(e.Prompt) {
				t.Errorf("%s: the prompt is not UTF-8: %q", r.Name, e.Prompt)
			}
			r.NotAPerson(e, nil)
		}
	})
}
