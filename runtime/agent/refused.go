package agent

// Refusal is a coding agent that kitsoki has no row for, and why.
type Refusal struct {
	Name   string // as one would write it after --agent
	Title  string // as people write it
	Reason string
}

// Fallback is a shell function that gives a command to kitsoki without the
// agent, for those that are refused.
const Fallback = `k() { kitsoki intercept --input "$*"; }`

const (
	observes = "its hook sees a prompt and cannot stop it: the command would run, and the model too"
	hookless = "it has no hook for prompts"
)

// Refusals lists the agents that are refused, sorted by name.
func Refusals() []Refusal {
	return []Refusal{
		{"aider", "Aider", hookless},
		{"amp", "Amp", observes},
		{"antigravity", "Antigravity", hookless},
		{"cline-cli", "Cline CLI", observes},
		{"continue", "Continue", hookless},
		{"copilot-cloud", "Copilot cloud agent", observes},
		{"crush", "Crush", hookless},
		{"goose", "Goose", observes},
		{"grok", "Grok Build", observes},
		{"kiro", "Kiro", observes},
		{"opencode", "OpenCode", observes},
		{"zed", "Zed", hookless},
	}
}

// Refuse says why there is no row for an agent; ok is false for a name that
// is unknown altogether.
func Refuse(name string) (r Refusal, ok bool) {
	for _, r := range Refusals() {
		if r.Name == name {
			return r, true
		}
	}
	return Refusal{}, false
}
