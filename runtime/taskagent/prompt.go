package taskagent

import (
	"fmt"
	"strings"
)

// assignment is the whole prompt of an attempt: why the last one was not
// accepted, what is asked, and how to hand in the result. Who takes no system
// prompt of its own gets that in front.
func (t *task) assignment(last, system, handIn string) string {
	parts := []string{system, again(last), t.prompt, t.rules(), t.wanted(handIn)}
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n") + "\n"
}

func again(last string) string {
	if last == "" {
		return ""
	}
	return "An earlier attempt at this task was not accepted: " + last + "\nDo it again so that this does not hold any more."
}

// rules says what becomes of changes.
func (t *task) rules() string {
	const git = " Do not commit, stage, or move HEAD; that is undone too."
	switch {
	case t.call == decideName, !t.open && len(t.files) == 0:
		return "Change no file: every change is undone." + git
	case t.open:
		return "Change only files below the working directory." + git
	}
	return "Change only these files; every other change is undone:\n- " + strings.Join(t.files, "\n- ") + "\n" + strings.TrimSpace(git)
}

// wanted says what to hand in, and how.
func (t *task) wanted(handIn string) string {
	if !t.must() {
		return ""
	}
	var b strings.Builder
	b.WriteString(handIn)
	for _, s := range t.schemas {
		fmt.Fprintf(&b, "\n\nThe result is one JSON value that fits this JSON Schema:\n\n%s", strings.TrimSpace(string(s.text)))
	}
	return b.String()
}

// How a result is handed in, by who has which way.
const (
	fence     = "end your last message with it in a fenced block that begins with ```json"
	byTool    = "When you have finished, hand in the result with the tool \"submit\" of the MCP server \"" + serverName + "\". It answers with what to correct until the result fits. If you do not have that tool, " + fence + "."
	byMessage = "When you have finished, hand in the result: " + fence + "."
	byFile    = "When you have finished, hand in the result: write it to the file that the environment variable " + submitVariable + " names, or " + fence + "."
)

// handIn tells an agent that can have tools how to hand in its result.
func (t *task) handIn() string {
	if t.runner.Kitsoki == "" {
		return byMessage
	}
	if desk := (Desk{schemas: t.schemas}); desk.wraps() {
		return byTool + " The tool takes the result as its argument \"" + valueName + "\"."
	}
	return byTool
}
