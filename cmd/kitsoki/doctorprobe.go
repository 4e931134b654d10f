package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
	"kitsoki/runtime/proc"
	"kitsoki/runtime/setup"
)

// probeText is a prompt that is no command: two sentences, and a question.
const probeText = "This is kitsoki's doctor. Does this prompt come through?"

// doctorVariable tells a hook that nobody hears its answer: it gives nothing up
// and takes no notice away.
const doctorVariable = "KITSOKI_DOCTOR"

// probeLimit is how long the hook may take to let a prompt pass; it is far
// above what a loaded machine needs.
const probeLimit = 15 * time.Second

// versionLimit is how long an agent may take to say its version.
const versionLimit = 5 * time.Second

// probes asks the agents their versions, and sends a prompt through every
// command that the settings name.
func (e *exam) probes() {
	asked := map[string]bool{}
	for _, s := range e.found {
		if !asked[s.row.Name] {
			asked[s.row.Name] = true
			e.version(s.row)
		}
		e.probe(s)
	}
}

// version says which program an agent is; one that is not on the PATH may
// still be there, as a desktop program.
func (e *exam) version(row setup.Row) {
	path, err := proc.Look(proc.Cmd{Argv: []string{row.Program}, Env: e.environ})
	if err != nil {
		return
	}
	r := proc.Run(e.ctx, proc.Cmd{Argv: []string{path, "--version"}, Dir: e.dir, Env: agentEnv(e.environ), Timeout: versionLimit})
	said, _, _ := strings.Cut(strings.TrimSpace(string(r.Stdout)), "\n")
	if !r.OK() || said == "" {
		e.well("%s is %s; it does not tell its version", row.Title, path)
		return
	}
	e.well("%s is %s, %.60s", row.Title, path, said)
}

func (e *exam) probe(s start) {
	at := e.now()
	session := fmt.Sprint(doctorSession, at.UnixNano())
	payload, env := s.row.Probe(setup.Prompt{Dir: e.dir, Session: session, Text: probeText, At: at})
	argv := append([]string{s.entry.Program.Path}, s.entry.Program.Args...)
	if s.entry.Command != "" {
		argv = []string{"sh", "-c", s.entry.Command}
	}
	r := proc.Run(e.ctx, proc.Cmd{
		Argv: argv, Dir: e.dir, Env: append(agentEnv(e.environ), append(env, doctorVariable+"=1")...), Stdin: payload, Timeout: probeLimit,
	})
	shown := strings.Join(argv, " ")
	mend := s.install()
	switch {
	case r.Err != nil:
		e.ill(mend, "%s cannot be started: %v", shown, r.Err)
	case !r.OK():
		e.ill(mend, "%s ended with status %d; its last words: %s", shown, r.ExitCode, lastLine(r.Stderr))
	case len(r.Stdout) > 0:
		e.ill(mend, "%s answered a prompt that is no command: %.80s", shown, r.Stdout)
	default:
		e.passed(s, session, shown, r.Duration)
	}
}

// passed looks for what the hook has recorded of our prompt: silence alone
// could also come from a program that does nothing.
func (e *exam) passed(s start, session, shown string, took time.Duration) {
	mend := s.install()
	j := e.journalOf(e.conf, "")
	if j == nil || e.reason == match.ReasonNotBound || e.reason == match.ReasonDisabled {
		e.well("%s let a prompt pass in %d ms, and recorded nothing, as it is set here", shown, took.Milliseconds())
		return
	}
	list, err := journal.Read(j.Path, journal.Filter{Session: session, Limit: 1})
	switch {
	case err != nil:
		e.ill("look at "+j.Path, "%v", err)
	case len(list) == 0 || list[0].Passed == nil:
		e.ill(mend, "%s was silent, and has recorded nothing: another program, or another home", shown)
	case list[0].Passed.Reason == string(match.ReasonWrongCaller) || list[0].Passed.Reason == string(match.ReasonNotAPerson):
		e.ill("run kitsoki doctor in a shell of your own", "%s took the prompt for another's: %s", shown, list[0].Passed.Detail)
	default:
		e.well("%s let a prompt pass in %d ms (%s), and recorded it", shown, took.Milliseconds(), list[0].Passed.Reason)
	}
}

// agentEnv is the environment without what an agent around us has set.
func agentEnv(environ []string) []string {
	theirs := []string{
		"CLAUDECODE=", "CLAUDE_CODE_", "COPILOT_CLI", "GROK_", "CURSOR_", "GEMINI_CLI", "GEMINI_SESSION_ID=", "QWEN_",
		"FACTORY_PROJECT_DIR=", "KITSOKI_ACTIVE=",
	}
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		return slices.ContainsFunc(theirs, func(prefix string) bool { return strings.HasPrefix(kv, prefix) })
	})
}

func lastLine(out []byte) string {
	text := strings.TrimSpace(string(out))
	return text[strings.LastIndexByte(text, '\n')+1:]
}
