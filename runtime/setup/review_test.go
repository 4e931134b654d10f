package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReviewed: the entry of Codex CLI is the second group's first. Its
// settings lie behind a link, and Codex names them by either path.
func TestReviewed(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	real, link := filepath.Join(base, "real"), filepath.Join(base, "link")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	row, _ := Lookup("codex")
	hooks := `{"hooks": {"UserPromptSubmit": [
  {"hooks": [{"type": "command", "command": "true"}]},
  {"hooks": [{"type": "command", "command": "'/bin/kitsoki-hook' codex || exit 0", "timeout": 1200}]}]}}`
	file := filepath.Join(link, "hooks.json")
	if err := os.WriteFile(file, []byte(hooks), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Inspect(s, row)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	env := func(name string) string { return map[string]string{"CODEX_HOME": link}[name] }
	key := func(dir, place string) string { return `[hooks.state."` + dir + `/hooks.json:` + place + `"]` + "\n" }
	hash := "trusted_hash = \"sha256:00\"\n"
	const unseen, off, disabled = "3:14: Codex CLI does not start the entry before it has been reviewed", "hooks = false keeps", "is switched off in Codex CLI"
	for _, tt := range []struct{ name, config, want string }{
		{"no file", "", unseen},
		{"reviewed", key(real, "user_prompt_submit:1:0") + hash, ""},
		{"reviewed by the link's name", key(link, "user_prompt_submit:1:0") + hash, ""},
		{"another group", key(real, "user_prompt_submit:0:0") + hash, unseen},
		{"another event", key(real, "stop:1:0") + hash, unseen},
		{"another file", key("/elsewhere", "user_prompt_submit:1:0") + hash, unseen},
		{"no hash", key(real, "user_prompt_submit:1:0"), unseen},
		{"switched on", key(real, "user_prompt_submit:1:0") + hash + "enabled = true\n", ""},
		{"switched off", key(real, "user_prompt_submit:1:0") + hash + "enabled = false\n", disabled},
		{"all hooks off", "[features]\nhooks = false\n" + key(real, "user_prompt_submit:1:0") + hash, off},
		{"the older name", "[features]\ncodex_hooks = false\n" + key(real, "user_prompt_submit:1:0") + hash, off},
		{"the newer name wins", "[features]\nhooks = true\ncodex_hooks = false\n" + key(real, "user_prompt_submit:1:0") + hash, ""},
		{"no TOML", "a = 1\nb = = 2\n", "config.toml:2:5: the file is not TOML"},
		{"another type", "hooks = 3\n", "the file is not TOML"},
	} {
		config := filepath.Join(real, "config.toml")
		if err := os.Remove(config); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if tt.config != "" {
			if err := os.WriteFile(config, []byte(tt.config), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := row.Reviewed(list[0], env)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	claude, _ := Lookup("claude")
	if err := claude.Reviewed(list[0], env); err != nil {
		t.Errorf("Claude Code asks for no review: %v", err)
	}
}
