package agent

import "time"

// cursor is Cursor, 1.7 or later. Contract: https://cursor.com/docs/agent/hooks.
// It takes no text along with a prompt.
func cursor() Row {
	return Row{
		Name:    "cursor",
		Title:   "Cursor",
		Mark:    Documented,
		Can:     Capabilities{Block: true, Show: true, Drive: true},
		Timeout: Timeout{Unit: time.Second},
		Decode:  decoder(readCursor),
		WrongCaller: func(e Event, env Env) string {
			return needs(e, env, "cursor", "CURSOR_VERSION")
		},
		Block: blockCursor,
	}
}

// readCursor knows the prompt's directory only when the window has one.
func readCursor(p *payload) Event {
	e := Event{
		Kind:           Other,
		HookEventName:  p.text("hook_event_name"),
		Prompt:         p.text("prompt"),
		CWD:            p.only("workspace_roots"),
		SessionID:      p.text("conversation_id"),
		PromptID:       p.text("generation_id"),
		TranscriptPath: p.text("transcript_path"),
		foreign:        p.foreign("conversation_id", "generation_id"),
		lacks:          p.lacks("conversation_id", "generation_id", "cursor_version"),
	}
	if e.HookEventName == "beforeSubmitPrompt" {
		e.Kind = Prompt
	}
	return e
}

type cursorBlock struct {
	Continue bool   `json:"continue"`
	Message  string `json:"user_message"`
}

func blockCursor(report string) []byte { return encode(cursorBlock{false, report}) }
