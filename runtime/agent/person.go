package agent

import (
	"strings"
	"unicode"
)

// machineText lists how prompts start that a program wrote, after blanks:
// Claude Code's notices of background tasks, of messages between agents and
// sessions, and its reminders.
func machineText() []string {
	return []string{
		"<task-notification",
		"<agent-message",
		"<teammate-message",
		"<cross-session-message",
		"<system-reminder",
		"[SYSTEM NOTIFICATION",
	}
}

// NotAPerson says why a prompt was not typed by a person who sits there, ""
// when it was. A KITSOKI_ACTIVE in the environment means that kitsoki itself
// started the agent.
func (r Row) NotAPerson(e Event, env Env) string {
	if start := machineStart(e.Prompt); start != "" {
		return "the prompt starts with " + start
	}
	switch {
	case env.Get("KITSOKI_ACTIVE") != "":
		return "kitsoki started this agent"
	case e.AgentID != "":
		return "the prompt comes from a sub-agent"
	case e.Source != "" && e.Source != "user":
		return "the prompt's source is " + e.Source
	}
	if r.Unattended == nil {
		return ""
	}
	return r.Unattended(env)
}

// MachineText tells whether a prompt was written by a program: it starts, after
// blanks, like one. One that merely mentions such a start was not.
func MachineText(prompt string) bool { return machineStart(prompt) != "" }

func machineStart(prompt string) string {
	text := strings.TrimLeftFunc(prompt, blank)
	for _, start := range machineText() {
		if len(text) >= len(start) && strings.EqualFold(text[:len(start)], start) {
			return start
		}
	}
	return ""
}

// blank takes more than white space: a byte order mark or a control character
// before a tag does not make it a person's.
func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
