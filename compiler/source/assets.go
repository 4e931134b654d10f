package source

import (
	"io/fs"
	"slices"
	"strings"

	"kitsoki/compiler/diag"
)

// Agent is one declared task agent.
type Agent struct {
	Name, SystemPrompt, SystemPromptPath, Model Str
	Tools, Command                              []Str
	Env                                         []Pair
}

// Asset is a file beside the story that a task agent is given: a prompt, or
// a schema. Name is as the story writes it.
type Asset struct {
	Name string
	Text Str
}

func decodeAgent(p Pair) Agent {
	n := p.Value
	return Agent{
		Name: p.Key, SystemPrompt: n.str("system_prompt"), SystemPromptPath: n.str("system_prompt_path"),
		Model: n.str("model"), Tools: n.strs("tools"), Command: n.strs("command"), Env: n.pairs("env"),
	}
}

// IsAgentCall tells the calls that run a task agent.
func IsAgentCall(invoke string) bool { return strings.HasPrefix(invoke, "host.agent.") }

// IsPromptFile tells a prompt's file from its text, and IsSchemaFile a
// schema's file from anything else: one word with the ending of its kind.
func IsPromptFile(s string) bool { return isFile(s, ".md") }

// IsSchemaFile is IsPromptFile's twin for schemas.
func IsSchemaFile(s string) bool { return isFile(s, ".json") }

func isFile(s, ending string) bool {
	return strings.HasSuffix(s, ending) && !strings.ContainsAny(s, " \t\n{}")
}

// swap is a prompt file that takes the place of one of an imported story.
type swap struct {
	key  Str
	text Str
	used bool
}

// assets reads the files that a story's agents and states name.
func (l *loader) assets(st *Story) {
	for _, a := range st.Agents {
		if a.SystemPromptPath.Val != "" {
			l.asset(st, a.SystemPromptPath)
		}
	}
	l.stateAssets(st, st.States)
}

func (l *loader) stateAssets(st *Story, states []State) {
	for _, s := range states {
		l.effectAssets(st, s.OnEnter)
		l.effectAssets(st, s.Abort)
		for _, on := range s.On {
			for _, a := range on.Arcs {
				l.effectAssets(st, a.Effects)
			}
		}
		l.stateAssets(st, s.States)
	}
}

func (l *loader) effectAssets(st *Story, list []Effect) {
	for _, e := range list {
		if !IsAgentCall(e.Invoke.Val) {
			continue
		}
		for _, s := range FilesOf(e.With) {
			l.asset(st, s)
		}
	}
}

// FilesOf are the files among the arguments of a task agent's call.
func FilesOf(with []Pair) []Str {
	var out []Str
	for _, p := range with {
		switch name := p.Key.Val; {
		case p.Value == nil:
		case name == "prompt" && IsPromptFile(p.Value.Text), name == "schema" && IsSchemaFile(p.Value.Text):
			out = append(out, p.Value.Str())
		case name == "acceptance":
			out = append(out, FilesOf(p.Value.Pairs)...)
		}
	}
	return out
}

// asset reads one file, once.
func (l *loader) asset(st *Story, name Str) {
	if slices.ContainsFunc(st.Assets, func(a Asset) bool { return a.Name == name.Val }) {
		return
	}
	if s := l.swaps[name.Val]; s != nil {
		s.used = true
		st.Assets = append(st.Assets, Asset{name.Val, s.text})
		return
	}
	if text, ok := l.textFile(name); ok {
		st.Assets = append(st.Assets, Asset{name.Val, text})
	}
}

// textFile reads a file beside the manifest as one text.
func (l *loader) textFile(name Str) (Str, bool) {
	if why := badPattern(name.Val); why != "" || !fs.ValidPath(name.Val) {
		l.ds.Addf(diag.CannotRead, name.Pos, "can't read %q: it is no path inside the story's directory", name.Val).
			Hintf("name a file such as prompts/fix.md")
		return Str{}, false
	}
	data, err := fs.ReadFile(l.fsys, name.Val)
	if err != nil {
		l.ds.Addf(diag.CannotRead, name.Pos, "can't read the file %s: %s", name.Val, cause(err)).
			Hintf("paths are relative to the manifest's directory")
		return Str{}, false
	}
	shown := l.shown(name.Val)
	t := newText(shown, strings.TrimPrefix(string(data), byteOrderMark))
	if !readable(t, l.ds) {
		return Str{}, false
	}
	l.keep(File{Path: shown, Data: data})
	return Str{Val: t.data, Pos: t.start(), raw: &scalar{text: t, whole: true}}, true
}

// swapsOf reads the prompt files that an import puts in place of others.
func (l *loader) swapsOf(imp *Import) map[string]*swap {
	out := map[string]*swap{}
	for _, p := range imp.Prompts {
		if text, ok := l.textFile(p.Value.Str()); ok {
			out[p.Key.Val] = &swap{key: p.Key, text: text}
		}
	}
	return out
}

// unusedSwaps reports overrides of prompts that the story does not name.
func (l *loader) unusedSwaps(imp *Import) {
	for _, p := range imp.Prompts {
		if s := l.swaps[p.Key.Val]; s != nil && !s.used && !imp.Story.Incomplete {
			l.ds.Addf(diag.UnknownOverride, p.Key.Pos, "the story imported as %s names no prompt file %s to override", imp.Alias.Val, p.Key.Val).
				Hintf("write the path as the imported story has it").
				Also(imp.Story.App.Pos, "the imported story")
		}
	}
}
