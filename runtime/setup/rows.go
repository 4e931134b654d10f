package setup

import "time"

// Rows lists the agents whose settings can be edited, sorted by name. Their
// formats are those of the agents' documentation of hooks.
func Rows() []Row {
	return []Row{claude(), codex(), copilot(), cursor(), gemini(), qwen(), vscode()}
}

// claude: https://code.claude.com/docs/en/hooks and /settings.
func claude() Row {
	return Row{
		Name: "claude", Title: "Claude Code", Program: "claude",
		Dir: ".claude", DirVar: "CLAUDE_CONFIG_DIR", Own: "settings.json",
		Shared: ".claude/settings.json", Beside: []string{".claude/settings.local.json"},
		Managed: []string{"/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json"},
		Plugins: "plugins", PluginsVar: "CLAUDE_CODE_PLUGIN_CACHE_DIR",
		Off:   []string{"disableAllHooks", "allowManagedHooksOnly"},
		Event: "UserPromptSubmit", Stop: "Stop", Grouped: true, Exec: true, Typed: true,
		TimeoutKey: "timeout", TimeoutUnit: time.Second, Status: "statusMessage", Probe: probeClaude,
	}
}

// codex: https://developers.openai.com/codex/hooks.
func codex() Row {
	return Row{
		Name: "codex", Title: "Codex CLI", Program: "codex",
		Dir: ".codex", DirVar: "CODEX_HOME", Own: "hooks.json", Shared: ".codex/hooks.json",
		Event: "UserPromptSubmit", Stop: "Stop", Grouped: true, Typed: true,
		TimeoutKey: "timeout", TimeoutUnit: time.Second, Status: "statusMessage",
		Probe: probeCodex, Review: "config.toml", Next: "Codex asks once whether the hook may run: review it with /hooks.",
	}
}

// copilot: https://docs.github.com/en/copilot/reference/hooks-configuration.
func copilot() Row {
	return Row{
		Name: "copilot", Title: "Copilot CLI", Program: "copilot",
		Dir: ".copilot", Own: "hooks/kitsoki.json", Shared: ".github/hooks/kitsoki.json",
		Event: "userPromptSubmitted", Versioned: true, Typed: true,
		TimeoutKey: "timeoutSec", TimeoutUnit: time.Second, Probe: probeCopilot,
	}
}

// cursor: https://cursor.com/docs/agent/hooks.
func cursor() Row {
	return Row{
		Name: "cursor", Title: "Cursor", Program: "cursor",
		Dir: ".cursor", Own: "hooks.json", Shared: ".cursor/hooks.json",
		Event: "beforeSubmitPrompt", Versioned: true,
		TimeoutKey: "timeout", TimeoutUnit: time.Second, Probe: probeCursor,
	}
}

// gemini: https://geminicli.com/docs/hooks/reference.
func gemini() Row {
	return Row{
		Name: "gemini", Title: "Gemini CLI", Program: "gemini",
		Dir: ".gemini", Own: "settings.json", Shared: ".gemini/settings.json",
		Event: "BeforeAgent", Stop: "AfterAgent", Grouped: true, Typed: true,
		TimeoutKey: "timeout", TimeoutUnit: time.Millisecond, Probe: probeGemini,
	}
}

// qwen: https://qwenlm.github.io/qwen-code-docs.
func qwen() Row {
	return Row{
		Name: "qwen", Title: "Qwen Code", Program: "qwen",
		Dir: ".qwen", Own: "settings.json", Shared: ".qwen/settings.json",
		Event: "UserPromptSubmit", Stop: "Stop", Grouped: true, Typed: true,
		TimeoutKey: "timeout", TimeoutUnit: time.Millisecond, Probe: probeQwen,
	}
}

// vscode reads the files of Copilot CLI, and one file may serve both; only
// Copilot CLI asks for a version. https://code.visualstudio.com/docs/copilot/customization/hooks.
func vscode() Row {
	return Row{
		Name: "vscode", Title: "VS Code agent", Program: "code",
		Shared: ".github/hooks/kitsoki.json",
		Event:  "UserPromptSubmit", Versioned: true, Typed: true,
		TimeoutKey: "timeout", TimeoutUnit: time.Second, Probe: probeVSCode,
	}
}
