package engine

import (
	"fmt"
	"runtime"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// Bounds of a report. Agents cut or refuse a longer one.
const (
	maxReport   = 9_900 // characters
	maxLine     = 300   // characters of one effect, outcome or hint line
	outputLines = 40    // lines of a command's output
)

// ReportInput is what a report is made from. TraceID is "" when nothing was
// recorded, Escape when no prefix is configured, Undo when no way back is
// known.
type ReportInput struct {
	Program *artifact.Program
	Intent  string
	Outcome Outcome
	TraceID string
	Escape  string
	Undo    string
	Drive   *DriveReport // nil for a one-shot
}

// Report tells a person what was done, in plain text: who did it, each
// effect, how it ended, the way back, and the way round.
func Report(in ReportInput) string {
	head := []string{attribution(in)}
	head = append(head, effectLines(in.Outcome)...)
	head = append(head, in.taskLines()...)
	if line := outcomeLine(in); line != "" {
		head = append(head, line)
	}
	head = append(head, in.remainLines()...)
	var foot []string
	if in.Undo != "" {
		foot = append(foot, "⟲ undo: "+clip(in.Undo, maxLine))
	}
	if in.Escape != "" {
		foot = append(foot, fmt.Sprintf("↳ prefix %q to skip kitsoki and send the prompt to the agent", in.Escape))
	}
	return assemble(head, output(in), foot)
}

// assemble gives the output what the other lines leave of the room, its end
// first.
func assemble(head []string, output string, foot []string) string {
	top := clip(strings.Join(head, "\n"), maxReport-1000)
	bottom := strings.Join(foot, "\n")
	left := maxReport - len([]rune(top)) - len([]rune(bottom)) - 4
	if r := []rune(output); len(r) > left {
		output = "…" + string(r[len(r)-left+1:])
	}
	var parts []string
	for _, p := range []string{top, output, bottom} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "\n") + "\n"
}

func attribution(in ReportInput) string {
	title := ""
	if i := findIntent(in.Program, in.Intent); i != nil {
		title = i.Title
	}
	line := "⌁ " + in.handler() + " — " + oneLine(artifact.ShownTitle(title, in.Intent))
	switch in.Outcome.Kind {
	case Failed, TimedOut:
		return line + ": it did not succeed"
	case Rejected, Incomplete, Errored:
		return line + ": nothing was done"
	case Aborted:
		if in.Drive != nil && in.Drive.Moved {
			return line + ": it was given up; what you did meanwhile stays as it is"
		}
		return line + ": it was given up, and all is as it was before"
	case AbortFailed:
		return line + ": it was given up, and not all is as it was before"
	}
	return line
}

// effectLines lists what was run. Facts the story only looked up are no
// effect, unless looking failed.
func effectLines(o Outcome) []string {
	var out []string
	for _, c := range o.HostCalls {
		if c.Call != "host.run" && c.OK && !c.Effect.Above(spec.Read) {
			continue
		}
		out = append(out, fmt.Sprintf("  • %s   %s · %s", clip(c.line(), maxLine), c.verdict(), seconds(c.DurationMS)))
		out = append(out, c.goesOn()...)
	}
	return out
}

// goesOn tells of a command that was left running: where it writes to, and how
// to end it with all it has started.
func (h HostCall) goesOn() []string {
	if h.log == "" {
		return nil
	}
	lines := []string{"    log: " + h.log}
	if h.pid > 0 {
		lines = append(lines, fmt.Sprintf("    running as process %d; to stop it: %s", h.pid, stopping(h.pid)))
	}
	return lines
}

// stopping is the command that ends a process and what it started.
func stopping(pid int) string {
	if runtime.GOOS == "windows" {
		return fmt.Sprintf("taskkill /T /F /PID %d", pid)
	}
	return fmt.Sprintf("kill -- -%d", pid)
}

// line is the command as a person would type it.
func (h HostCall) line() string {
	if agent, ok := h.Args["agent"].(string); ok && agent != "" {
		return "agent " + plainText(agent)
	}
	if h.Call != "host.run" {
		return strings.TrimSpace(h.Call + " " + firstOf(spell(h.Args["op"]), spell(h.Args["find"]), spell(h.Args["path"])))
	}
	if job, ok := h.Args["project"]; ok {
		return plainText(firstOf(h.command, "the project's "+spell(job)))
	}
	cmd := spell(h.Args["cmd"])
	args, isArgv := h.Args["args"].([]any)
	if !isArgv {
		return "bash: " + oneLine(cmd)
	}
	words := []string{quoted(cmd)}
	for _, a := range args {
		words = append(words, quoted(spell(a)))
	}
	return strings.Join(words, " ")
}

// quoted puts a word in single quotes when a shell would read it otherwise.
func quoted(s string) string {
	if s != "" && !strings.ContainsAny(s, " \t\n\r'\"\\$`*?[](){}<>|&;~#!") {
		return plainText(s)
	}
	return "'" + strings.ReplaceAll(oneLine(s), "'", `'\''`) + "'"
}

func (h HostCall) verdict() string {
	switch {
	case h.OK && h.pid > 0:
		return "running"
	case h.OK:
		return "ok"
	case h.TimedOut:
		return "timed out"
	case h.ExitCode != nil:
		return fmt.Sprintf("failed (%d)", *h.ExitCode)
	}
	return "failed"
}

func seconds(ms int) string { return fmt.Sprintf("%.1f s", float64(ms)/1000) }

// outcomeLine is what the story said, else what the room shows, and where
// the trace is. A command that did not succeed says why first.
func outcomeLine(in ReportInput) string {
	o := in.Outcome
	var lines []string
	if !o.Kind.Done() {
		lines = append(lines, clip(firstOf(o.Hint, o.Detail), maxLine))
	}
	if o.Kind.Done() || o.Kind == Failed || o.Kind == TimedOut || o.Kind == Aborted {
		if said := clip(plainText(firstOf(o.Say, o.viewWhenDone())), 2000); len(lines) == 0 || said != lines[0] {
			lines = append(lines, said)
		}
	}
	if o.Kind.Done() && o.Elsewhere {
		lines = append(lines, "It rests in "+o.State+" and is not finished there.")
	}
	text := strings.Join(nonEmpty(lines), "\n")
	return strings.Join(nonEmpty([]string{text, in.recorded()}), "   ·   ")
}

// viewWhenDone: a view greets whoever arrives, so that it is no news after
// a failure.
func (o Outcome) viewWhenDone() string {
	if o.Kind.Done() {
		return o.View
	}
	return ""
}

// output is the end of what the commands printed: of those that failed, or
// of all when the intent shows output. Of a drive it is that of its last one: it
// went on from the others, such as a rebase that met a conflict.
func output(in ReportInput) string {
	i := findIntent(in.Program, in.Intent)
	show := i != nil && i.ShowOutput
	calls := in.Outcome.HostCalls
	if in.Drive != nil && !show {
		calls = lastEffect(calls)
	}
	var lines []string
	for _, c := range calls {
		if c.Output != "" && (show || !c.OK) {
			lines = append(lines, c.Output)
		}
	}
	return lastLines(strings.Join(lines, "\n"), outputLines)
}

// lastEffect is the last call that may have changed something, in a list.
func lastEffect(calls []HostCall) []HostCall {
	for i := len(calls) - 1; i >= 0; i-- {
		if calls[i].Effect.Above(spec.Read) {
			return calls[i : i+1]
		}
	}
	return nil
}

// Facts tells a model what ran and how it ended, for a prompt that goes on
// to it after a command did not succeed.
func Facts(intent string, o Outcome) string {
	lines := []string{fmt.Sprintf("kitsoki ran the command %s for this prompt before it came to you. Outcome: %s.", artifact.ShownIntent(intent), o.Kind)}
	lines = append(lines, effectLines(o)...)
	for _, c := range o.HostCalls {
		if !c.OK && c.Output != "" {
			lines = append(lines, "Output of "+clip(c.line(), maxLine)+":", c.Output)
		}
	}
	lines = append(lines, nonEmpty([]string{clip(o.Detail, maxLine), clip(o.Say, 2000)})...)
	return assemble(lines[:1], strings.Join(lines[1:], "\n"), nil)
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(plainText(s)), " ")
}

func nonEmpty(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}
