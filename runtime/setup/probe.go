package setup

import (
	"encoding/json"
	"time"
)

// Prompt is what a probe asks: a prompt typed in a session in a directory.
type Prompt struct {
	Dir, Session, Text string
	At                 time.Time
}

// call is a payload that an agent would send, with what it sets around it.
func call(keys map[string]any, env ...string) ([]byte, []string) {
	payload, err := json.Marshal(keys)
	if err != nil { // texts and numbers can always be encoded
		return nil, nil
	}
	return payload, env
}

// snake is what most agents' payloads have.
func (p Prompt) snake(event string) map[string]any {
	return map[string]any{"hook_event_name": event, "session_id": p.Session, "cwd": p.Dir, "prompt": p.Text}
}

func probeClaude(p Prompt) ([]byte, []string) {
	keys := p.snake("UserPromptSubmit")
	keys["prompt_id"], keys["permission_mode"] = p.Session, "default"
	return call(keys, "CLAUDECODE=1")
}

func probeCodex(p Prompt) ([]byte, []string) {
	keys := p.snake("UserPromptSubmit")
	keys["turn_id"], keys["permission_mode"], keys["model"] = p.Session, "default", "none"
	return call(keys)
}

func probeCopilot(p Prompt) ([]byte, []string) {
	return call(map[string]any{"sessionId": p.Session, "timestamp": p.At.UnixMilli(), "cwd": p.Dir, "prompt": p.Text}, "COPILOT_CLI=1")
}

func probeCursor(p Prompt) ([]byte, []string) {
	return call(map[string]any{
		"hook_event_name": "beforeSubmitPrompt", "conversation_id": p.Session, "generation_id": p.Session,
		"cursor_version": "0", "model": "none", "workspace_roots": []string{p.Dir}, "prompt": p.Text,
	}, "CURSOR_VERSION=0")
}

func probeGemini(p Prompt) ([]byte, []string) {
	keys := p.snake("BeforeAgent")
	keys["timestamp"] = p.At.UTC().Format(time.RFC3339)
	return call(keys, "GEMINI_SESSION_ID="+p.Session)
}

func probeQwen(p Prompt) ([]byte, []string) {
	keys := p.snake("UserPromptSubmit")
	keys["prompt_id"], keys["timestamp"] = p.Session, p.At.UTC().Format(time.RFC3339)
	return call(keys, "QWEN_PROJECT_DIR="+p.Dir)
}

func probeVSCode(p Prompt) ([]byte, []string) {
	return call(map[string]any{
		"hookEventName": "UserPromptSubmit", "sessionId": p.Session, "timestamp": p.At.UTC().Format(time.RFC3339),
		"cwd": p.Dir, "prompt": p.Text,
	}, "VSCODE_PID=0")
}
