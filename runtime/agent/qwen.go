package agent

import "time"

// qwen is Qwen Code. Contract: docs/users/features/hooks.md in
// https://github.com/QwenLM/qwen-code. Its hook also fires for what continues
// a turn; only prompt_id tells those calls, so a payload without one passes.
func qwen() Row {
	return Row{
		Name:    "qwen",
		Title:   "Qwen Code",
		Mark:    Documented,
		Can:     Capabilities{Block: true, Show: true, Context: true, Drive: true},
		Timeout: Timeout{Unit: time.Millisecond, Default: 60 * time.Second},
		Resends: true,
		Decode:  decoder(readQwen),
		WrongCaller: func(e Event, env Env) string {
			return needs(e, env, "qwen", "QWEN_PROJECT_DIR")
		},
		Block:   blockDecision,
		Context: contextClaude,
	}
}

func readQwen(p *payload) Event {
	e := readShared(p)
	e.PromptID = p.text("prompt_id")
	e.AgentID = p.text("agent_id")
	e.LastMessage = p.text("last_assistant_message")
	e.foreign = p.foreign()
	e.lacks = p.lacks("session_id", "prompt_id", "timestamp")
	return e
}
