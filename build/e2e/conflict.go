package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// rebase is the command that meets a conflict, and both what its report says
// when a task agent has resolved it.
const (
	rebase   = "rebase this onto main"
	resolved = "Rebased feature onto main"
	joined   = "theirs\nmine\n"
)

// driveLimit is how long a task agent may take.
const driveLimit = 90 * time.Second

// conflicting sets the hook, and makes a branch that conflicts with main. The
// program itself is found as the story's task agent.
func conflicting(w *world, agent string) error {
	if err := installed(w, agent); err != nil {
		return err
	}
	w.path = filepath.Dir(w.program)
	if err := write(filepath.Join(w.home, ".config", "kitsoki", "config.yaml"), "intercept: {app: \"builtin:git-ops\"}\n"); err != nil {
		return err
	}
	const script = `git config --global user.name T; git config --global user.email t@example.com
		git checkout -q -B main && echo base >f.txt && git add f.txt && git commit -q -m base &&
		git switch -q -c feature && echo mine >f.txt && git commit -q -a -m mine &&
		git switch -q main && echo theirs >f.txt && git commit -q -a -m theirs && git switch -q feature`
	if out, err := w.command("sh", "-c", script).CombinedOutput(); err != nil {
		return fmt.Errorf("making a conflict: %w: %s", err, out)
	}
	return nil
}

// playConflict gives the command; the program itself, started once more as the
// task agent, resolves the conflict by the tools that the model asks for.
func playConflict(_ program, w *world, t *terminal) error {
	if err := t.enter(rebase); err != nil {
		return err
	}
	if _, err := t.wait(driveLimit, resolved); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(w.dir, "f.txt"))
	if err != nil {
		return err
	}
	if string(data) != joined {
		return fmt.Errorf("f.txt is %q", data)
	}
	if out, err := w.command("git", "merge-base", "--is-ancestor", "main", "HEAD").CombinedOutput(); err != nil {
		return fmt.Errorf("the branch is not on main: %w: %s", err, out)
	}
	return w.droveOnce()
}

// droveOnce: the hook of the task agent let its prompt pass, and took no
// command of its own from it.
func (w *world) droveOnce() error {
	drives, err := filepath.Glob(filepath.Join(w.home, ".local", "state", "kitsoki", "drives", "*.jsonl"))
	if err != nil {
		return err
	}
	traces, err := filepath.Glob(filepath.Join(w.home, ".local", "state", "kitsoki", "trace", "*.jsonl"))
	if err != nil {
		return err
	}
	matched := 0
	for _, path := range traces {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		matched += strings.Count(string(data), `"intercept.matched"`)
	}
	if len(drives) != 1 || matched != 1 {
		return fmt.Errorf("%d drives and %d commands were taken, expected one", len(drives), matched)
	}
	if _, ok := w.model.find(0, submitTool); !ok {
		return errors.New("the model was never offered the tool submit")
	}
	return nil
}

// submitTool is what Claude Code calls the tool that hands in a verdict.
const submitTool = "mcp__kitsoki__submit"

// apart finds the worktree in which a task agent works.
var apart = regexp.MustCompile(`/[^\s"'\\]*/kitsoki/scratch/[0-9A-Za-z-]+`)

// toolUse is what the model asks a task agent to do next, nil when it has done
// all: read the file, write it, hand in the verdict.
func toolUse(body []byte) map[string]any {
	if !strings.Contains(string(body), `"`+submitTool+`"`) {
		return nil
	}
	var asked struct{ Messages []json.RawMessage }
	if json.Unmarshal(body, &asked) != nil {
		return nil
	}
	done := 0
	for _, m := range asked.Messages {
		done += strings.Count(string(m), `"tool_result"`)
	}
	file := filepath.Join(apart.FindString(string(body)), "f.txt")
	uses := []map[string]any{
		{"name": "Read", "input": map[string]any{"file_path": file}},
		{"name": "Write", "input": map[string]any{"file_path": file, "content": joined}},
		{"name": submitTool, "input": map[string]any{"resolved": true, "summary": "both lines are kept"}},
	}
	if done >= len(uses) {
		return nil
	}
	use := uses[done]
	use["type"], use["id"] = "tool_use", fmt.Sprint("toolu_", done)
	return use
}

// anthropicUse answers with a tool to be used.
func anthropicUse(w http.ResponseWriter, message, use, usage map[string]any) {
	input, err := json.Marshal(use["input"])
	if err != nil {
		return
	}
	block := map[string]any{"type": "tool_use", "id": use["id"], "name": use["name"], "input": map[string]any{}}
	stream(w, []event{
		{"message_start", map[string]any{"message": message}},
		{"content_block_start", map[string]any{"index": 0, "content_block": block}},
		{"content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "input_json_delta", "partial_json": string(input)}}},
		{"content_block_stop", map[string]any{"index": 0}},
		{"message_delta", map[string]any{"delta": map[string]any{"stop_reason": "tool_use", "stop_sequence": nil}, "usage": usage}},
		{"message_stop", map[string]any{}},
	})
}
