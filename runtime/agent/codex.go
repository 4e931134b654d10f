package agent

import "time"

// codex is Codex CLI. Contract: the JSON Schemas of its hooks,
// codex-rs/hooks/schema in https://github.com/openai/codex. The answer's
// schema is closed: with any further key the prompt would go through.
func codex() Row {
	return Row{
		Name:    "codex",
		Title:   "Codex CLI",
		Mark:    Live,
		Can:     Capabilities{Block: true, Show: true, Context: true, Drive: true},
		Timeout: Timeout{Unit: time.Second, Default: 600 * time.Second},
		Decode:  decoder(readCodex),
		WrongCaller: func(e Event, env Env) string {
			return misfit(e, env, "codex")
		},
		Block:   blockDecision,
		Context: contextClaude,
	}
}

func readCodex(p *payload) Event {
	e := readShared(p)
	e.PromptID = p.text("turn_id")
	e.LastMessage = p.text("last_assistant_message")
	e.foreign = p.foreign("turn_id")
	e.lacks = p.lacks("session_id", "turn_id", "permission_mode", "model")
	return e
}
