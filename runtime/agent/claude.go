package agent

import "fmt"

// claude is Claude Code. Contract: https://code.claude.com/docs/en/hooks, and
// what was seen on the program itself, version 2.1.332.
func claude() Row {
	return Row{
		Name:        "claude",
		Title:       "Claude Code",
		Can:         Capabilities{Block: true, Show: true, Context: true, Drive: true},
		Decode:      decodeClaude,
		WrongCaller: notClaude,
		Unattended:  claudeUnattended,
		Block:       blockClaude,
		Context:     contextClaude,
	}
}

func decodeClaude(payload []byte) (Event, error) {
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
		Source:         p.text("source"),
		TranscriptPath: p.text("transcript_path"),
		LastMessage:    p.text("last_assistant_message"),
		StopHookActive: p.yes("stop_hook_active"),
		foreign:        p.any("hookEventName", "turn_id", "conversation_id", "generation_id"),
	}
	e.Kind = kindOf(e.HookEventName)
	return e, p.err
}

func kindOf(event string) Kind {
	switch event {
	case "UserPromptSubmit":
		return Prompt
	case "Stop":
		return Stop
	}
	return Other
}

// notClaude asks for all that Claude Code's calls have, and for nothing that
// another agent's have: Copilot CLI, VS Code, Grok and Cursor read the same
// settings file.
func notClaude(e Event, env Env) string {
	switch {
	case e.foreign != "":
		return fmt.Sprintf("the payload has the key %s of another agent", e.foreign)
	case e.HookEventName == "" || e.SessionID == "":
		return "the payload lacks hook_event_name or session_id"
	case e.Kind == Prompt && e.PromptID == "" && e.PermissionMode == "":
		return "the payload has neither prompt_id nor permission_mode"
	case env.Get("CLAUDECODE") != "1":
		return "CLAUDECODE is not 1"
	}
	for _, prefix := range []string{"COPILOT_CLI", "GROK_", "CURSOR_", "GEMINI_CLI", "QWEN_"} {
		if name := env.prefixed(prefix); name != "" {
			return name + " is another agent's variable"
		}
	}
	return ""
}

// claudeUnattended knows print mode, which says of itself that nobody sits
// there.
func claudeUnattended(env Env) string {
	if env.Get("CLAUDE_CODE_SESSION_ATTENDED") == "0" {
		return "the session is not attended"
	}
	return ""
}

type claudeBlock struct {
	Decision string      `json:"decision"`
	Reason   string      `json:"reason"`
	Output   claudeOwner `json:"hookSpecificOutput"`
}

type claudeOwner struct {
	Event    string `json:"hookEventName"`
	Suppress bool   `json:"suppressOriginalPrompt"`
}

// blockClaude has no systemMessage, which a block drops, and no continue,
// which would send the prompt on the next turn.
func blockClaude(report string) []byte {
	return encode(claudeBlock{"block", report, claudeOwner{"UserPromptSubmit", true}})
}

type claudeContext struct {
	Output claudeAlong `json:"hookSpecificOutput"`
}

type claudeAlong struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

func contextClaude(text string) []byte {
	return encode(claudeContext{claudeAlong{"UserPromptSubmit", text}})
}
