package agent

import "time"

// claude is Claude Code. Contract: https://code.claude.com/docs/en/hooks, and
// what was seen on the program itself, version 2.1.332.
func claude() Row {
	return Row{
		Name:        "claude",
		Title:       "Claude Code",
		Mark:        Live,
		Can:         Capabilities{Block: true, Show: true, Context: true, Drive: true},
		Timeout:     Timeout{Unit: time.Second, Default: 30 * time.Second},
		Decode:      decoder(readClaude),
		WrongCaller: notClaude,
		Unattended:  claudeUnattended,
		Block:       blockClaude,
		Context:     contextClaude,
	}
}

func readClaude(p *payload) Event {
	e := readShared(p)
	e.PromptID = p.text("prompt_id")
	e.AgentID = p.text("agent_id")
	e.Source = p.text("source")
	e.LastMessage = p.text("last_assistant_message")
	e.foreign = p.foreign()
	e.lacks = p.lacks("hook_event_name", "session_id")
	return e
}

// readShared reads the keys that Codex CLI, Factory Droid and Qwen Code have
// from Claude Code.
func readShared(p *payload) Event {
	e := Event{
		HookEventName:  p.text("hook_event_name"),
		Prompt:         p.text("prompt"),
		CWD:            p.text("cwd"),
		SessionID:      p.text("session_id"),
		PermissionMode: p.text("permission_mode"),
		TranscriptPath: p.text("transcript_path"),
		StopHookActive: p.yes("stop_hook_active"),
	}
	e.Kind = kindOf(e.HookEventName)
	return e
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
	switch why := misfit(e, env, "claude"); {
	case why != "":
		return why
	case e.Kind == Prompt && e.PromptID == "" && e.PermissionMode == "":
		return "the payload has neither prompt_id nor permission_mode"
	case env.Get("CLAUDECODE") != "1":
		return "CLAUDECODE is not 1"
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

// contextClaude is what Factory Droid, Gemini CLI and Qwen Code also take,
// each under the name of its own event.
func contextClaude(text string) []byte { return contextFor("UserPromptSubmit", text) }
