package taskagent

import (
	"path/filepath"
	"slices"
	"strings"

	"kitsoki/runtime/host"
)

// program is how an agent is run: its command, its input, and how to
// understand what it prints.
type program struct {
	argv  []string
	stdin string
	read  func(stdout []byte) spoken
}

// spoken is what an agent's output says.
type spoken struct {
	message string  // its last message
	failed  string  // why it failed, in its words; "" when it does not say that it did
	cost    float64 // US dollars; 0 when it does not say
	tokens  int     // read and written; 0 when it does not say
}

// program is the command of the task's agent for one attempt.
func (t *task) program(box inbox, last string) program {
	argv := t.agent.Command
	if len(argv) == 0 {
		argv = []string{"claude"}
	}
	switch programName(argv[0]) {
	case "claude":
		return t.claude(argv, box, last)
	case "codex":
		return t.codex(argv, box, last)
	}
	return program{
		argv: argv, stdin: t.assignment(last, t.system, byFile),
		read: func(stdout []byte) spoken { return spoken{message: string(stdout)} },
	}
}

// programName is a program's name without its directory and, on Windows, its
// ending.
func programName(path string) string {
	name := strings.ToLower(filepath.Base(path))
	if ext := filepath.Ext(name); slices.Contains([]string{".exe", ".cmd", ".bat"}, ext) {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// options adds to a command what it does not say itself.
type options struct {
	argv []string
	own  []string // what the story wrote
}

// add adds an option with its values, unless the story gave it under one of
// its names.
func (o *options) add(names []string, values ...string) {
	if !o.given(names...) {
		o.more(names[0], values...)
	}
}

// more adds an option whatever the story gave.
func (o *options) more(name string, values ...string) {
	o.argv = append(append(o.argv, name), values...)
}

func (o *options) given(names ...string) bool {
	return slices.ContainsFunc(o.own, func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return slices.Contains(names, name)
	})
}

// variables are an agent's own, as its declaration gives them.
func (t *task) variables() ([]string, error) {
	var out []string
	for _, f := range t.agent.Env {
		v, err := host.Decode(f.Value.Literal)
		if err != nil {
			return nil, err
		}
		s, err := host.Text(v)
		if err != nil {
			return nil, err
		}
		out = append(out, f.Name+"="+s)
	}
	return out, nil
}
