package agent

import (
	"cmp"
	"time"
)

// vscode is the agent of VS Code. Contract:
// https://code.visualstudio.com/docs/agents/reference/hooks-reference. It
// takes no text along with a prompt. Grok Build spells the keys alike, and
// ignores answers.
func vscode() Row {
	return Row{
		Name:    "vscode",
		Title:   "VS Code agent",
		Mark:    Documented,
		Can:     Capabilities{Block: true, Show: true, Drive: true},
		Timeout: Timeout{Unit: time.Second, Default: 30 * time.Second},
		Decode:  decoder(readVSCode),
		WrongCaller: func(e Event, env Env) string {
			return needs(e, env, "vscode", "VSCODE_")
		},
		Block: blockVSCode,
	}
}

func readVSCode(p *payload) Event {
	e := Event{
		HookEventName:  p.text("hookEventName"),
		Prompt:         p.text("prompt"),
		CWD:            p.text("cwd"),
		SessionID:      p.text("sessionId"),
		PromptID:       p.text("timestamp"), // there is no id; the time stands for it
		TranscriptPath: p.text("transcript_path"),
		foreign:        cmp.Or(p.foreign("hookEventName", "sessionId"), p.any("hook_event_name", "permissionMode", "transcriptPath")),
		lacks:          p.lacks("sessionId", "timestamp"),
	}
	e.Kind = kindOf(e.HookEventName)
	return e
}

type vscodeBlock struct {
	Continue bool   `json:"continue"`
	Reason   string `json:"stopReason"`
}

func blockVSCode(report string) []byte { return encode(vscodeBlock{false, report}) }
