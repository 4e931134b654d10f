package main

import (
	"fmt"
	"path/filepath"
)

// codex is Codex CLI with a model provider of its own.
func codex() program {
	return program{
		name: "Codex CLI", pack: "@openai/codex@0.171.0", bin: "codex",
		settings: codexSettings,
		start: func(w *world, bin string) (*terminal, error) {
			cmd := w.command(bin)
			cmd.Env = append(cmd.Env, "MOCK_KEY=dummy")
			return openTerminal(cmd)
		},
		asks:  []answer{{shown: "Trust all and continue", keys: "2\r"}},
		ready: "? for shortcuts",
	}
}

func codexSettings(w *world) error {
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
	return write(filepath.Join(w.home, ".codex", "config.toml"), config)
}
