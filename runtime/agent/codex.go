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
		Decode:  decodeCodex,
		WrongCaller: func(e Event, env Env) string {
			return misfit(e, env, "codex")
		},
		Block:   blockDecision,
		Context: contextClaude,
	}
}

func decodeCodex(payload []byte) (Event, error) {
	p, err := parse(payload)
	if err != nil {
		return Event{}, err
	}
	e := Event{
		HookEventName:  p.text("hook_event_name"),
		Prompt:         p.text("prompt"),
		CWD:            p.text("cwd"),
		SessionID:      p.text("session_id"),
		PromptID:       p.text("turn_id"),
		PermissionMode: p.text("permission_mode"),
		TranscriptPath: p.text("transcript_path"),
		LastMessage:    p.text("last_assistant_message"),
		StopHookActive: p.yes("stop_hook_active"),
		foreign:        p.foreign("turn_id"),
		lacks:          p.lacks("session_id", "turn_id", "permission_mode", "model"),
	}
	e.Kind = kindOf(e.HookEventName)
	return e, p.err
}
