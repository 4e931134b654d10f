package setup

import (
	"slices"
	"strings"
)

// Snippet is what a person pastes for an agent whose file has a form that is
// not edited here. Text holds PROGRAM where the command stands; an agent that
// is answered by an exit status gets no "|| exit 0", which would hide it.
type Snippet struct{ Name, Title, File, Text string }

// Snippets lists them, sorted by name.
func Snippets() []Snippet {
	return []Snippet{
		{"cline", "Cline (VS Code)", ".clinerules/hooks/UserPromptSubmit, and make it executable", "#!/bin/sh\nPROGRAM || exit 0\n"},
		{
			"droid", "Factory Droid", "~/.factory/hooks.json",
			`{"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "PROGRAM || exit 0", "timeout": 1200}]}]}}` + "\n",
		},
		{"kimi", "Kimi Code", "~/.kimi-code/config.toml", "[[hooks]]\nevent = \"UserPromptSubmit\"\ncommand = \"PROGRAM\"\ntimeout = 600\n"},
		{
			"windsurf", "Windsurf", "~/.codeium/windsurf/hooks.json",
			`{"hooks": {"pre_user_prompt": [{"command": "PROGRAM", "show_output": true}]}}` + "\n",
		},
	}
}

// LookupSnippet finds the snippet for an agent by its name.
func LookupSnippet(name string) (Snippet, bool) {
	i := slices.IndexFunc(Snippets(), func(s Snippet) bool { return s.Name == name })
	if i < 0 {
		return Snippet{}, false
	}
	return Snippets()[i], true
}

// For is the text that starts a program. Within a text in double quotes the
// path's own quotes and backslashes are escaped, as JSON and TOML want it.
func (s Snippet) For(p Program) string {
	line := p.Line()
	if strings.Contains(s.Text, `"PROGRAM`) {
		quoted := literal(line)
		line = quoted[1 : len(quoted)-1]
	}
	return strings.ReplaceAll(s.Text, "PROGRAM", line)
}
