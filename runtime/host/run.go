package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/host/project"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/proc"
)

const runName = "host.run"

// run is host.run. A command that can't be started, or that fail_on_error
// makes fail, is a domain error; every other end is data.
func run(ctx context.Context, args map[string]any, env Env) (map[string]any, error) {
	cmd, err := command(args, env)
	if err != nil {
		return nil, failf(runName, "%v", err)
	}
	strict, err := boolean(args, "fail_on_error")
	if err != nil {
		return nil, failf(runName, "%v", err)
	}
	r, res, err := perform(ctx, cmd, args, env)
	if err != nil {
		return nil, err
	}
	res["command"] = typed(cmd.Argv, args)
	if strict && !r.OK() {
		return res, &Error{Call: runName, Msg: Ending(r), Result: res, TimedOut: r.TimedOut}
	}
	return res, nil
}

// typed is the command as a person would type it: a script as it stands.
func typed(argv []string, args map[string]any) string {
	if text, ok := args["cmd"].(string); ok && args["args"] == nil {
		return text
	}
	return strings.Join(argv, " ")
}

// perform runs the command to its end, or leaves it running.
func perform(ctx context.Context, cmd proc.Cmd, args map[string]any, env Env) (proc.Result, map[string]any, error) {
	if env.Detach {
		return leave(ctx, cmd, args, env)
	}
	r := proc.Run(ctx, cmd)
	if r.Err != nil {
		return r, nil, failf(runName, "%v", r.Err)
	}
	return r, runResult(r), nil
}

// command reads the arguments. Without args, cmd is a script for bash.
func command(args map[string]any, env Env) (proc.Cmd, error) {
	name, err := str(args, "cmd")
	if err != nil {
		return proc.Cmd{}, err
	}
	items, err1 := list(args, "args")
	dir, err2 := Directory(args, "cwd", env)
	limit, err3 := Duration(args, "timeout")
	stdin, err4 := input(args)
	added, err5 := vars(args, "env")
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return proc.Cmd{}, err
	}
	argv := append([]string{name}, items...)
	if job, given := args["project"]; given {
		if argv, dir, err = projectCommand(env, job, items); err != nil {
			return proc.Cmd{}, err
		}
	} else if _, given := args["args"]; !given {
		argv = Script(name)
	}
	if args["effect"] == string(spec.Read) {
		env.ReadOnly = true
	}
	c := proc.Cmd{
		Argv: argv, Dir: dir, Env: Environ(env, dir, added),
		Stdin: stdin, Timeout: limit, Grace: env.Grace,
	}
	if !env.ReadOnly {
		c.Started = env.Started
	}
	return c, nil
}

// projectCommand is the repository's own command for a job, with arguments
// added, and where it runs.
func projectCommand(env Env, job any, added []string) (argv []string, dir string, err error) {
	name, err := Text(job)
	if err != nil {
		return nil, "", err
	}
	f := project.Find(env.Dir, repositoryRoot(env.Dir), name)
	if len(f.Argv) == 0 {
		return nil, "", errors.New(f.Reason)
	}
	return append(f.Argv, added...), f.Dir, nil
}

// Script is the argv for a shell text. No start-up file may change what a
// story's script means.
func Script(text string) []string {
	return []string{"bash", "--noprofile", "--norc", "-c", text}
}

// input is any text: it goes through a pipe, so no limit of an argument
// holds for it.
func input(args map[string]any) ([]byte, error) {
	if s, ok := args["stdin"].(string); ok {
		return []byte(s), nil
	}
	s, err := str(args, "stdin")
	return []byte(s), err
}

// Directory is where the command starts that an argument, cwd or another,
// gives a directory. A relative one may not leave the working directory: it
// may come from a prompt. An absolute one is taken as it is.
func Directory(args map[string]any, name string, env Env) (string, error) {
	dir, err := str(args, name)
	if err != nil || dir == "" {
		return env.Dir, err
	}
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	if !filepath.IsLocal(filepath.FromSlash(dir)) {
		return "", fmt.Errorf("argument %s: %s leaves the working directory", name, dir)
	}
	return filepath.Join(env.Dir, filepath.FromSlash(dir)), nil
}

// Environ is what a child gets: ours, without what would change a shell's
// meaning, lead to a terminal, or tell a coding agent that it runs inside
// another; then what keeps it quiet; a story's own variables after that.
// KITSOKI_ACTIVE is last: our hook passes when it sees it.
func Environ(env Env, dir string, added []string) []string {
	var out []string
	for _, kv := range env.Vars {
		name, _, _ := strings.Cut(kv, "=")
		if !slices.Contains([]string{"BASH_ENV", "ENV", "GPG_TTY", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"}, name) {
			out = append(out, kv)
		}
	}
	out = append(append(out, quiet()...), "PWD="+dir)
	if env.ReadOnly {
		out = append(out, "GIT_OPTIONAL_LOCKS=0")
	}
	session := env.Session
	if session == "" {
		session = "1"
	}
	return append(append(out, added...), "KITSOKI_ACTIVE="+session)
}

// quiet is what keeps a program from asking, paging, colouring and opening an
// editor: nobody could answer. An editor that git would open takes the text
// as it is. GIT_PAGER and GIT_EDITOR win over a repository's configuration.
func quiet() []string {
	return []string{
		"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "GIT_MERGE_AUTOEDIT=no",
		"GIT_PAGER=cat", "PAGER=cat", "NO_COLOR=1",
		"GH_PROMPT_DISABLED=1", "GH_PAGER=cat", "GH_NO_UPDATE_NOTIFIER=1", "GH_SPINNER_DISABLED=1",
	}
}

func runResult(r proc.Result) map[string]any {
	return map[string]any{
		"stdout":      string(r.Output),
		"stderr":      string(r.Stderr),
		"exit_code":   r.ExitCode,
		"ok":          r.OK(),
		"timed_out":   r.TimedOut,
		"pid":         0,
		"log":         "",
		"duration_ms": int(r.Duration / time.Millisecond),
		"stdout_json": LastJSON(r.Stdout),
	}
}

// Ending says in words how a command failed.
func Ending(r proc.Result) string {
	switch {
	case r.TimedOut:
		return fmt.Sprintf("timed out after %s", r.Duration.Round(100*time.Millisecond))
	case r.Cancelled:
		return "cancelled"
	case r.Signal != "":
		return "ended by a signal: " + r.Signal
	}
	return fmt.Sprintf("exit status %d", r.ExitCode)
}
