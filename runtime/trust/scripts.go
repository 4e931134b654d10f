package trust

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"kitsoki/runtime/artifact"
)

// Scripts names the files that a story's commands name by a relative path,
// and so may run: sorted, with forward slashes, as written. What they run in
// turn is not known.
func Scripts(p *artifact.Program) []string {
	var out []string
	for i := range p.States {
		s := &p.States[i]
		out = append(out, inEffects(s.OnEnter)...)
		out = append(out, inEffects(s.Abort)...)
		if s.Postcondition != nil {
			out = append(out, inCall(&s.Postcondition.Call)...)
		}
		for _, h := range s.On {
			for j := range h.Arcs {
				out = append(out, inEffects(h.Arcs[j].Effects)...)
				for k := range h.Arcs[j].Preconditions {
					out = append(out, inCall(&h.Arcs[j].Preconditions[k].Call)...)
				}
			}
		}
	}
	for i := range p.Agents {
		out = append(out, candidates(p.Agents[i].Command)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func inEffects(list []artifact.Effect) []string {
	var out []string
	for i := range list {
		if c := list[i].Invoke; c != nil {
			out = append(out, inCall(c)...)
		}
	}
	return out
}

// inCall looks at all that a call is given: a script may stand in a command,
// among its arguments, or in a variable.
func inCall(c *artifact.Call) []string {
	var words, cwd []string
	for _, f := range c.With {
		words = append(words, texts(f.Value)...)
		if f.Name == "cwd" {
			cwd = texts(f.Value)
		}
	}
	out := candidates(words)
	if len(cwd) == 1 && !path.IsAbs(cwd[0]) { // where the command starts is where its paths begin
		for _, w := range out {
			out = append(out, path.Join(cwd[0], w))
		}
	}
	return out
}

// texts gives the words of a value that are written out.
func texts(v artifact.Value) []string {
	var out []string
	var literal any
	if v.Literal != nil && json.Unmarshal(v.Literal, &literal) == nil {
		out = append(out, words(literal)...)
	}
	for _, p := range v.Parts {
		if p.Expr == nil {
			out = append(out, split(p.Text)...)
		}
	}
	for _, item := range v.List {
		out = append(out, texts(item)...)
	}
	for _, f := range v.Object {
		out = append(out, texts(f.Value)...)
	}
	return out
}

func words(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = split(v)
	case []any:
		for _, item := range v {
			out = append(out, words(item)...)
		}
	case map[string]any:
		for _, item := range v {
			out = append(out, words(item)...)
		}
	}
	return out
}

// split cuts a text at whatever ends a word of a shell.
func split(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`;&|()<>{}$=,", r) })
}

// candidates are the words that may name a script: a path, a file with the
// ending of one, or what an interpreter is told to run.
func candidates(words []string) []string {
	var out []string
	for i, w := range words {
		named := strings.Contains(w, "/") || slices.Contains(endings(), path.Ext(w)) ||
			i > 0 && slices.Contains(interpreters(), path.Base(words[i-1]))
		if named && !path.IsAbs(w) && !strings.Contains(w, "://") && !strings.HasPrefix(w, "-") {
			out = append(out, path.Clean(w))
		}
	}
	return out
}

func endings() []string {
	return []string{".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".ps1", ".bat", ".cmd", ".awk", ".sed"}
}

func interpreters() []string {
	return []string{"sh", "bash", "zsh", "dash", "source", ".", "python", "python3", "node", "deno", "bun", "ruby", "perl", "php", "awk", "pwsh", "-f"}
}
