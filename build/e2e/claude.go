package main

import "path/filepath"

// claudeKey is no key: the model server takes any.
const claudeKey = "sk-ant-dummy-0000000000000000000000000000000000000000"

// claude is Claude Code, started in a terminal: in print mode it says of
// itself that nobody sits there, and kitsoki leaves it alone.
func claude() program {
	return program{
		name: "Claude Code", pack: "@anthropic-ai/claude-code@2.1.332", bin: "claude",
		settings: claudeSettings,
		start: func(w *world, bin string) (*terminal, error) {
			cmd := w.command(bin)
			cmd.Env = append(cmd.Env, "ANTHROPIC_BASE_URL="+w.model.url(), "ANTHROPIC_API_KEY="+claudeKey,
				"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
			return openTerminal(cmd)
		},
		ready: "shift+tab to cycle", cleared: "ctrl+y to paste",
	}
}

// claudeSettings answers what the program asks a new person.
func claudeSettings(w *world) error {
	return writeJSONFile(filepath.Join(w.home, ".claude.json"), map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
		"customApiKeyResponses": map[string]any{"approved": []string{claudeKey[len(claudeKey)-20:]}, "rejected": []string{}},
		"projects":              map[string]any{w.dir: map[string]any{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
	})
}
