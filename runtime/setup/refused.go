package setup

import "slices"

// Refusal is an agent whose settings are not edited. With a Snippet a person
// can paste it into File; without one the agent's hooks cannot do what
// kitsoki needs. Snippet holds PROGRAM where the command stands.
type Refusal struct {
	Name, Title   string
	Why           string
	File, Snippet string
}

const (
	observeOnly = "its hooks only watch: the command would run, and the model would answer the same prompt too"
	noHook      = "it has no hook that sees a prompt before the model does"
)

// Fallback is a shell function for people whose agent has no hook.
const Fallback = `k() { kitsoki intercept --input "$*"; }`

// Refusals lists them, sorted by name.
func Refusals() []Refusal {
	pasted := "its settings file has a form that is not edited here"
	return []Refusal{
		{"aider", "Aider", noHook, "", ""},
		{"amp", "Amp", observeOnly, "", ""},
		{"antigravity", "Antigravity", noHook, "", ""},
		{"cline", "Cline (VS Code)", pasted, ".clinerules/hooks/UserPromptSubmit", "#!/bin/sh\nPROGRAM || exit 0\n"},
		{"cline-cli", "Cline CLI", observeOnly, "", ""},
		{"continue", "Continue", noHook, "", ""},
		{"copilot-cloud", "Copilot cloud agent", observeOnly, "", ""},
		{"crush", "Crush", noHook, "", ""},
		{
			"droid", "Factory Droid", pasted, "~/.factory/hooks.json",
			`{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "PROGRAM || exit 0", "timeout": 1200}]}]}}` + "\n",
		},
		{"goose", "Goose", observeOnly, "", ""},
		{"grok", "Grok Build", observeOnly, "", ""},
		{
			"kimi", "Kimi Code", pasted, "~/.kimi-code/config.toml",
			"[[hooks]]\nevent = \"UserPromptSubmit\"\ncommand = \"PROGRAM\"\ntimeout = 1200\n",
		},
		{"kiro", "Kiro", observeOnly, "", ""},
		{"opencode", "OpenCode", observeOnly, "", ""},
		{
			"windsurf", "Windsurf", pasted, "~/.codeium/windsurf/hooks.json",
			`{"hooks": {"pre_user_prompt": [{"command": "PROGRAM", "show_output": true}]}}` + "\n",
		},
		{"zed", "Zed", noHook, "", ""},
	}
}

// LookupRefusal finds an agent that is refused by its name.
func LookupRefusal(name string) (Refusal, bool) {
	i := slices.IndexFunc(Refusals(), func(r Refusal) bool { return r.Name == name })
	if i < 0 {
		return Refusal{}, false
	}
	return Refusals()[i], true
}
