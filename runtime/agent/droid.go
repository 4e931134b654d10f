package agent

import (
	"cmp"
	"time"
)

// droid is Factory Droid. Contract:
// https://docs.factory.ai/reference/hooks-reference. Its payload is Claude
// Code's of old, so the environment alone tells them apart.
func droid() Row {
	return Row{
		Name:    "droid",
		Title:   "Factory Droid",
		Mark:    Documented,
		Can:     Capabilities{Block: true, Show: true, Context: true, Drive: true},
		Timeout: Timeout{Unit: time.Second, Default: 60 * time.Second},
		Decode:  decodeDroid,
		WrongCaller: func(e Event, env Env) string {
			return needs(e, env, "droid", "FACTORY_PROJECT_DIR")
		},
		Block:   blockDecision,
		Context: contextClaude,
	}
}

func decodeDroid(payload []byte) (Event, error) {
	p, err := parse(payload)
	if err != nil {
		return Event{}, err
	}
	e := Event{
		HookEventName:  p.text("hook_event_name"),
		Prompt:         p.text("prompt"),
		CWD:            p.text("cwd"),
		SessionID:      p.text("session_id"),
		PermissionMode: p.text("permission_mode"),
		TranscriptPath: p.text("transcript_path"),
		StopHookActive: p.yes("stop_hook_active"),
		foreign:        cmp.Or(p.foreign(), p.any("prompt_id")),
		lacks:          p.lacks("session_id", "permission_mode"),
	}
	e.Kind = kindOf(e.HookEventName)
	return e, p.err
}
