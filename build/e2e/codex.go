package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// codex is Codex CLI with a model provider of its own.
func codex() program {
	return program{
		name: "Codex CLI", pack: "@openai/codex@0.171.0", bin: "codex",
		install: codexSettings,
		start: func(w *world, bin string) (*terminal, error) {
			cmd := w.command(bin)
			cmd.Env = append(cmd.Env, "MOCK_KEY=dummy")
			return openTerminal(cmd)
		},
		asks:  []answer{{shown: "Trust all and continue", keys: "2\r"}},
		ready: "? for shortcuts",
	}
}

func codexSettings(w *world, hook []string) error {
	config := fmt.Sprintf(`model = "mock"
model_provider = "mock"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = %q
env_key = "MOCK_KEY"
wire_api = "responses"
[projects.%q]
trust_level = "trusted"
`, w.model.url()+"/v1", w.dir)
	if err := write(filepath.Join(w.home, ".codex", "config.toml"), config); err != nil {
		return err
	}
	quoted := make([]string, len(hook))
	for i, arg := range hook {
		quoted[i] = "'" + arg + "'"
	}
	entry := map[string]any{"type": "command", "command": strings.Join(quoted, " "), "timeout": 1200}
	return writeJSONFile(filepath.Join(w.home, ".codex", "hooks.json"), map[string]any{
		"hooks": map[string]any{"UserPromptSubmit": []any{map[string]any{"hooks": []any{entry}}}},
	})
}
