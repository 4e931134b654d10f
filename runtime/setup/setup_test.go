package setup

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/hook"
)

// TestTimeout: an agent must not end the hook before its command ends itself.
func TestTimeout(t *testing.T) {
	t.Parallel()
	if longest := hook.PayloadLimit + hook.DecideLimit + hook.MaxBudget + hook.Slack; Timeout <= longest {
		t.Errorf("the entry asks for %v, and the hook may take %v", Timeout, longest)
	}
	for _, r := range Rows() {
		if r.Units()*int(r.TimeoutUnit) != int(Timeout) {
			t.Errorf("%s: %d units", r.Name, r.Units())
		}
	}
}

// TestAgentsHaveARow: what can be answered can be installed.
func TestAgentsHaveARow(t *testing.T) {
	t.Parallel()
	for _, a := range agent.Rows() {
		row, edited := Lookup(a.Name)
		if edited && (row.Title != a.Title || row.TimeoutUnit != a.Timeout.Unit) {
			t.Errorf("%s: %+v", a.Name, row)
		}
		snippet, pasted := LookupSnippet(a.Name)
		if edited == pasted {
			t.Errorf("%s: edited %v, pasted %v", a.Name, edited, pasted)
		}
		if limit := a.Timeout.Longest; limit > 0 && (edited || strings.Contains(snippet.Text, "1200")) {
			t.Errorf("%s: it waits for %v at most", a.Name, limit)
		}
		if pasted && (a.ByStatus == strings.Contains(snippet.Text, "exit 0") || a.Title != snippet.Title) {
			t.Errorf("%s: %+v", a.Name, snippet)
		}
	}
}

func TestNamesAreSorted(t *testing.T) {
	t.Parallel()
	var rows, snippets []string
	for _, r := range Rows() {
		rows = append(rows, r.Name)
	}
	for _, s := range Snippets() {
		snippets = append(snippets, s.Name)
		text := s.For(Program{`/a "b"/kitsoki`, []string{"hook", "run", "--agent", s.Name}})
		if s.File == "" || strings.Contains(text, "PROGRAM") || !strings.Contains(text, "--agent "+s.Name) {
			t.Errorf("%+v: %s", s, text)
		}
		if strings.HasPrefix(text, "{") && !json.Valid([]byte(text)) {
			t.Errorf("%s is no JSON: %s", s.Name, text)
		}
	}
	if !slices.IsSorted(rows) || !slices.IsSorted(snippets) {
		t.Errorf("%v %v", rows, snippets)
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	env := func(list ...string) func(string) string {
		return func(name string) string { return agent.Env(list).Get(name) }
	}
	tests := []struct {
		agent string
		scope Scope
		env   func(string) string
		want  string
	}{
		{"claude", User, env("HOME=/h"), "/h/.claude/settings.json"},
		{"claude", User, env("HOME=/h", "CLAUDE_CONFIG_DIR=/c"), "/c/settings.json"},
		{"claude", User, env("HOME=h"), ""},
		{"claude", User, env(), ""},
		{"claude", Project, env("HOME=/h"), "/r/.claude/settings.json"},
		{"codex", User, env("HOME=/h", "CODEX_HOME=/x"), "/x/hooks.json"},
		{"copilot", User, env("HOME=/h"), "/h/.copilot/hooks/kitsoki.json"},
		{"vscode", User, env("HOME=/h"), ""},
		{"vscode", Project, env(), "/r/.github/hooks/kitsoki.json"},
	}
	for _, tt := range tests {
		r, ok := Lookup(tt.agent)
		if got := r.File(tt.scope, tt.env, "/r"); !ok || got != tt.want {
			t.Errorf("%s, %s: expected %q, observed %q", tt.agent, tt.scope, tt.want, got)
		}
	}
	if _, ok := Lookup("clod"); ok {
		t.Error("there is an agent clod")
	}
}

// TestProbeIsTheAgentsOwn: a payload that the agent's row would not take for
// a person's prompt would try nothing.
func TestProbeIsTheAgentsOwn(t *testing.T) {
	t.Parallel()
	for _, r := range Rows() {
		a, ok := agent.Lookup(r.Name)
		if !ok {
			t.Errorf("%s is not answered", r.Name)
			continue
		}
		payload, env := r.Probe(Prompt{Dir: "/d", Session: "s", Text: "are you there?"})
		e, err := a.Decode(payload)
		if err != nil || e.Prompt != "are you there?" || e.CWD != "/d" || e.SessionID != "s" || e.Kind != agent.Prompt {
			t.Errorf("%s: %v %+v", r.Name, err, e)
		}
		if why := a.NotAPerson(e, env) + a.WrongCaller(e, env); why != "" {
			t.Errorf("%s: %s", r.Name, why)
		}
	}
}

func TestOwnEntries(t *testing.T) {
	t.Parallel()
	tests := []struct {
		entry string
		ours  bool
	}{
		{`{"command": "/a/kitsoki hook run --agent claude"}`, true},
		{`{"command": "'/a b/kitsoki' hook run --agent=claude || exit 0"}`, true},
		{`{"command": "\"C:\\k k\\kitsoki.exe\" hook run --agent claude"}`, true},
		{`{"command": "C:\\k\\kitsoki-hook.exe claude"}`, true},
		{`{"command": "kitsoki-hook", "args": ["claude"]}`, true},
		{`{"command": "/a\\ b/kitsoki-hook claude"}`, true},
		{`{"command": "kitsoki-hook", "args": ["codex"]}`, false},
		{`{"command": "/a/kitsoki", "args": ["status"]}`, false},
		{`{"command": "/a/kitsoki hook run"}`, false},
		{`{"command": "echo kitsoki hook run --agent claude"}`, false},
		{`{"command": ""}`, false},
		{`{"command": 7, "args": [7]}`, false},
		{`{}`, false},
	}
	for _, tt := range tests {
		list, err := Inspect(held(`{"hooks": {"UserPromptSubmit": [{"hooks": [`+tt.entry+`]}]}}`), claude())
		if err != nil || (len(list) == 1) != tt.ours {
			t.Errorf("%s: %v %+v", tt.entry, err, list)
		}
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	var before strings.Builder
	before.WriteString("{\n")
	for _, c := range "abcdefgh" {
		before.WriteString("  \"" + string(c) + "\": 1,\n")
	}
	before.WriteString("  \"hooks\": {\"UserPromptSubmit\": []}\n}")
	e, err := Install(held(before.String()), claude(), program(), nil)
	want := "--- /h/settings.json\n+++ /h/settings.json\n@@ -7,5 +7,17 @@\n   \"f\": 1,\n   \"g\": 1,\n   \"h\": 1,\n" +
		"-  \"hooks\": {\"UserPromptSubmit\": []}\n"
	if err != nil || !strings.HasPrefix(e.Diff(), want) || !strings.HasSuffix(e.Diff(), "\n }\n\\ No newline at end of file\n") {
		t.Errorf("%v\n%s", err, e.Diff())
	}
}

// TestEntriesAreJSON reads what is written with the standard library.
func TestEntriesAreJSON(t *testing.T) {
	t.Parallel()
	for _, r := range Rows() {
		p := Program{`C:\k "k"\<&>'é`, []string{"a"}}
		var got map[string]any
		if err := json.Unmarshal([]byte(render(r.entryOf(p), style{inline: true})), &got); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		if command, _ := got["command"].(string); r.Exec && command != p.Path {
			t.Errorf("%s: %q", r.Name, command)
		}
	}
}

func TestSwitches(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"{\n  \"disableAllHooks\": true\n}":       "/h/settings.json:2:3",
		`{"a": 1, "allowManagedHooksOnly": true}`: "/h/settings.json:1:10",
		`{"disableAllHooks": false}`:              "",
		`{"disableAllHooks": "true"}`:             "",
		`{"hooks": {"disableAllHooks": true}}`:    "",
		``:                                        "",
		`{`:                                       "",
	}
	for data, want := range tests {
		got := ""
		for _, p := range Switches(held(data), claude()) {
			got, _, _ = strings.Cut(p.Error(), ": ")
		}
		if got != want {
			t.Errorf("%s: expected %q, observed %q", data, want, got)
		}
	}
}

// TestPlugin: its hook is the one that would be installed.
func TestPlugin(t *testing.T) {
	t.Parallel()
	files := Plugin(claude(), program(), "1.2.3")
	if len(files) != 2 || files[0].Path != ".claude-plugin/plugin.json" || files[1].Path != "hooks/hooks.json" {
		t.Fatalf("%+v", files)
	}
	var manifest struct{ Name, Version, Description string }
	if err := json.Unmarshal(files[0].Data, &manifest); err != nil || manifest.Name != "kitsoki" || manifest.Version != "1.2.3" || manifest.Description == "" {
		t.Errorf("%v %+v", err, manifest)
	}
	list, err := Inspect(held(string(files[1].Data)), claude())
	if err != nil || len(list) != 1 || !list[0].Is(claude(), program()) {
		t.Errorf("%v\n%s", err, files[1].Data)
	}
}

// FuzzInstall: whatever the file, either it stays, or the entry is in and can
// be taken out again to the first bytes.
func FuzzInstall(f *testing.F) {
	for _, x := range fixtures() {
		f.Add(x.before)
	}
	f.Fuzz(func(t *testing.T, before string) {
		e, err := Install(held(before), claude(), program(), nil)
		if err != nil || !e.Changes() {
			return
		}
		again, err := Install(held(string(e.After)), claude(), program(), e.record())
		if err != nil || again.Changes() {
			t.Fatalf("a second installation into %q: %v\n%s", before, err, again.Diff())
		}
		list, err := Inspect(held(before), claude())
		if err != nil || len(list) > 0 {
			return // an entry of another path was renewed: its old text is gone
		}
		back, err := Uninstall(held(string(e.After)), claude(), e.record(), false)
		if err != nil || string(back.After) != before {
			t.Fatalf("%q came back as %q: %v", before, back.After, err)
		}
	})
}
