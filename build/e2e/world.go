package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// patience is how long a program may take to show what is waited for.
const patience = 20 * time.Second

// The command of the story below, the prefix that lets it through, the
// words of its report, and a prompt that
// is none.
const (
	command  = "leave a mark please"
	escape   = "//"
	said     = "A mark was left."
	question = "why does nobody leave marks in this directory"
)

// story has one command that changes something, so that running it twice
// shows.
const story = `app: {id: marks}
hosts: [host.run]
world: {out: ""}
root: home
intents:
  leave_mark:
    synonyms: ["leave a mark"]
states:
  home:
    on:
      leave_mark:
        target: .
        effects:
          - invoke: host.run
            with: {cmd: "echo mark >> marks.txt", effect: write}
            bind: {out: "{{ result.stdout }}"}
          - say: "A mark was left."
`

// world is a person's HOME, a repository, our programs, and a model: all made
// anew.
type world struct {
	home, dir, bin string
	program        string // the agent's
	path           string // searched before PATH, "" for nothing
	model          *mock
}

func newWorld(root, bin string) (*world, error) {
	base, err := os.MkdirTemp(root, "world")
	if err != nil {
		return nil, err
	}
	w := &world{home: filepath.Join(base, "home"), dir: filepath.Join(base, "repo"), bin: filepath.Join(base, "bin")}
	if err := os.CopyFS(w.bin, os.DirFS(bin)); err != nil {
		return nil, err
	}
	files := map[string]string{
		filepath.Join(w.home, ".config", "kitsoki", "config.yaml"):       "intercept: {app: marks/app.yaml, room: home, escape_prefix: \"" + escape + "\"}\n",
		filepath.Join(w.home, ".config", "kitsoki", "marks", "app.yaml"): story,
		filepath.Join(w.dir, "readme.txt"):                               "nothing\n",
	}
	for path, text := range files {
		if err := write(path, text); err != nil {
			return nil, err
		}
	}
	if out, err := w.command("git", "init", "-q").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git init: %w: %s", err, out)
	}
	w.model, err = startMock()
	return w, err
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// writeJSONFile writes a program's settings.
func writeJSONFile(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return write(path, string(data)+"\n")
}

// command is a program in the repository, with an environment made anew.
func (w *world) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = w.dir
	cmd.Env = []string{
		"HOME=" + w.home, "PATH=" + strings.TrimPrefix(w.path+":", ":") + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor",
		"NO_PROXY=127.0.0.1", "HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9", // nothing leaves this machine
	}
	return cmd
}

// marks counts how often the command ran.
func (w *world) marks() int {
	data, err := os.ReadFile(filepath.Join(w.dir, "marks.txt"))
	if err != nil {
		return 0
	}
	return strings.Count(string(data), "\n")
}

// close ends the model and what a program left running, and removes the
// rest.
func (w *world) close() {
	w.model.close()
	for _, pid := range startedWith("HOME=" + w.home) {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
	_ = os.RemoveAll(filepath.Dir(w.home))
}

// version is what a program says of itself.
func version(ctx context.Context, path string) string {
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return first
}
