package taskagent

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
	"kitsoki/runtime/host"
)

// task is a call whose arguments have been read.
type task struct {
	runner  Runner
	call    string
	env     host.Env
	agent   *artifact.Agent
	system  string // the agent's system prompt
	prompt  string
	dir     string // where it works, absolute
	schemas []*schema
	check   []string // the command that accepts, nil for none
	limit   time.Duration
	retries int
	files   []string // paths relative to dir that may change, with slashes
	open    bool     // every file below dir may change
}

// must tells that without a verdict there is no result.
func (t *task) must() bool { return t.call == decideName || len(t.schemas) > 0 }

// task reads the arguments of a call.
func (r Runner) task(name string, args map[string]any, env host.Env) (*task, error) {
	t := &task{runner: r, call: name, env: env, dir: env.Dir}
	steps := []func(map[string]any) error{t.readAgent, t.readPrompt, t.readSchemas}
	if name == taskName {
		steps = append(steps, t.readAcceptance, t.readFiles, t.readLimits)
	} else if name != decideName {
		return nil, errors.New("there is no such host call")
	}
	for _, step := range steps {
		if err := step(args); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *task) readAgent(args map[string]any) error {
	name, err := host.Text(args["agent"])
	if err != nil {
		return fmt.Errorf("argument agent: %w", err)
	}
	for i := range t.runner.Program.Agents {
		if a := &t.runner.Program.Agents[i]; a.Name == name {
			t.agent = a
			return nil
		}
	}
	return fmt.Errorf("no agent is named %q", name)
}

// readPrompt fills the prompts. One that names a file of the story is that
// file's text template; other text stands as it is.
func (t *task) readPrompt(args map[string]any) (err error) {
	prompt, ok := args["prompt"].(string)
	if !ok || prompt == "" {
		return errors.New("argument prompt is no text")
	}
	roots := map[string]any{"args": args["args"], "world": t.env.Roots["world"], "slots": t.env.Roots["slots"]}
	if t.prompt, err = t.filled(prompt, roots); err != nil {
		return fmt.Errorf("argument prompt: %w", err)
	}
	switch {
	case t.agent.SystemPrompt != nil:
		t.system, err = expr.Render(t.agent.SystemPrompt.Src, roots)
	case t.agent.SystemPromptFile != "":
		t.system, err = t.filled(t.agent.SystemPromptFile, roots)
	}
	if err != nil {
		return fmt.Errorf("system prompt of %s: %w", t.agent.Name, err)
	}
	return nil
}

func (t *task) filled(prompt string, roots map[string]any) (string, error) {
	text, ok := t.asset(prompt)
	if !ok {
		return prompt, nil
	}
	out, err := expr.Render(text, roots)
	if err != nil {
		return "", fmt.Errorf("%s: %w", prompt, err)
	}
	return out, nil
}

// asset is a file of the story.
func (t *task) asset(name string) (text string, ok bool) {
	for _, a := range t.runner.Program.Assets {
		if a.Name == name {
			return a.Text, true
		}
	}
	return "", false
}

func (t *task) readSchemas(args map[string]any) error {
	if err := t.addSchema("argument schema", args["schema"]); err != nil {
		return err
	}
	acceptance, err := object(args, "acceptance")
	if err != nil || t.call != taskName {
		return err
	}
	return t.addSchema("argument acceptance.schema", acceptance["schema"])
}

func object(args map[string]any, name string) (map[string]any, error) {
	m, ok := args[name].(map[string]any)
	if !ok && args[name] != nil {
		return nil, fmt.Errorf("argument %s is no object", name)
	}
	return m, nil
}

func (t *task) addSchema(what string, v any) error {
	if v == nil {
		return nil
	}
	if name, isName := v.(string); isName {
		text, ok := t.asset(name)
		if !ok {
			return fmt.Errorf("%s: the story has no file %q", what, name)
		}
		v = text
	}
	s, err := newSchema(v)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	t.schemas = append(t.schemas, s)
	return nil
}

// readAcceptance reads the command that accepts: a text for the shell, or
// the program with its arguments.
func (t *task) readAcceptance(args map[string]any) error {
	acceptance, err := object(args, "acceptance")
	if err != nil {
		return err
	}
	switch cmd := acceptance["post_cmd"].(type) {
	case nil:
	case string:
		t.check = host.Script(cmd)
	case []any:
		for _, item := range cmd {
			s, err := host.Text(item)
			if err != nil {
				return fmt.Errorf("argument acceptance.post_cmd: %w", err)
			}
			t.check = append(t.check, s)
		}
	default:
		return errors.New("argument acceptance.post_cmd is neither a text nor a list")
	}
	return nil
}

// readFiles reads what may change: without the argument all that lies below
// the working directory.
func (t *task) readFiles(args map[string]any) (err error) {
	if t.dir, err = host.Directory(args, "working_dir", t.env); err != nil {
		return err
	}
	list, given := args["files"].([]any)
	if !given && args["files"] != nil {
		return errors.New("argument files is no list")
	}
	t.open = !given
	for _, item := range list {
		name, ok := item.(string)
		if !ok || !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("argument files: %v is no path inside the working directory", item)
		}
		t.files = append(t.files, path.Clean(name))
	}
	return nil
}

func (t *task) readLimits(args map[string]any) (err error) {
	if t.limit, err = host.Duration(args, "timeout"); err != nil {
		return err
	}
	n, ok := args["max_retries"].(int)
	if args["max_retries"] != nil && (!ok || n < 0) {
		return fmt.Errorf("argument max_retries: %v is no number of times", args["max_retries"])
	}
	t.retries = n
	return nil
}

// may tells whether the task may change a path relative to its directory.
func (t *task) may(rel string) bool {
	if rel == ".." || strings.HasPrefix(rel, "../") {
		return false
	}
	if t.open {
		return true
	}
	for _, f := range t.files {
		if f == "." || rel == f || strings.HasPrefix(rel, f+"/") {
			return true
		}
	}
	return false
}
