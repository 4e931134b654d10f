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
		Decode:  decodeQwen,
		WrongCaller: func(e Event, env Env) string {
			return needs(e, env, "qwen", "QWEN_PROJECT_DIR")
		},
		Block:   blockDecision,
		Context: contextClaude,
	}
}

func decodeQwen(payload []byte) (Event, error) {
	p, err := parse(payload)
	if err != nil {
		return Event{}, err
	}
	e := Event{
		HookEventName:  p.text("hook_event_name"),
		Prompt:         p.text("prompt"),
		CWD:            p.text("cwd"),
		SessionID:      p.text("session_id"),
		PromptID:       p.text("prompt_id"),
		PermissionMode: p.text("permission_mode"),
		AgentID:        p.text("agent_id"),
		TranscriptPath: p.text("transcript_path"),
		LastMessage:    p.text("last_assistant_message"),
		StopHookActive: p.yes("stop_hook_active"),
		foreign:        p.foreign(),
		lacks:          p.lacks("session_id", "prompt_id", "timestamp"),
	}
	e.Kind = kindOf(e.HookEventName)
	return e, p.err
}
