package agent

import "time"

// copilot is Copilot CLI, called for userPromptSubmitted in its own spelling
// of the keys. Contract: https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference.
// Its payload names no event, and has no id: the time stands for it.
func copilot() Row {
	return Row{
		Name:    "copilot",
		Title:   "Copilot CLI",
		Mark:    Documented,
		Can:     Capabilities{Block: true, Show: true, Answer: true, Context: true, Drive: true},
		Timeout: Timeout{Unit: time.Second, Default: 30 * time.Second},
		Decode:  decoder(readCopilot),
		WrongCaller: func(e Event, env Env) string {
			return needs(e, env, "copilot", "COPILOT_CLI")
		},
		Block:   blockCopilot,
		Context: contextCopilot,
	}
}

func readCopilot(p *payload) Event {
	e := Event{
		Kind:      Other,
		Prompt:    p.text("prompt"),
		CWD:       p.text("cwd"),
		SessionID: p.text("sessionId"),
		PromptID:  string(p.keys["timestamp"]),
		foreign:   p.foreign("sessionId"),
		lacks:     p.lacks("sessionId", "timestamp"),
	}
	// Other events have keys of their own; a prompt has none.
	if p.any("prompt") != "" && p.any("toolName", "source", "initialPrompt", "reason", "agentName", "message") == "" {
		e.Kind = Prompt
	}
	return e
}

type copilotAnswer struct {
	Handled  bool   `json:"handled"`
	Response string `json:"responseContent"`
}

func blockCopilot(report string) []byte { return encode(copilotAnswer{true, report}) }

type copilotContext struct {
	Context string `json:"additionalContext"`
}

func contextCopilot(text string) []byte { return encode(copilotContext{text}) }
