package fold

import "kitsoki/compiler/source"

// fileMark stands between an alias and the path of a file of the imported
// story; no path holds it.
const fileMark = ":"

// agents renames task agents and the files they are given. A prompt is a
// text that names world keys, like any other.
func (r *renamer) agents(st *source.Story) {
	for i := range st.Agents {
		a := &st.Agents[i]
		a.Name, a.SystemPrompt, a.SystemPromptPath = r.name(a.Name), r.text(a.SystemPrompt), r.file(a.SystemPromptPath)
	}
	for i := range st.Assets {
		a := &st.Assets[i]
		if !source.IsSchemaFile(a.Name) {
			a.Text = r.text(a.Text)
		}
		a.Name = r.alias + fileMark + a.Name
	}
}

func (r *renamer) file(s source.Str) source.Str {
	if s.Val == "" {
		return s
	}
	return s.Insert(r.alias+fileMark, 0)
}

// with rewrites a call's arguments: those of a task agent's call name the
// agent and files.
func (r *renamer) with(e source.Effect) []source.Pair {
	out := r.values(e.With)
	if source.IsAgentCall(e.Invoke.Val) {
		r.agentArgs(out)
	}
	return out
}

func (r *renamer) agentArgs(pairs []source.Pair) {
	for i, p := range pairs {
		switch name := p.Key.Val; {
		case p.Value == nil:
		case name == "agent":
			pairs[i].Value = p.Value.Map(r.name)
		case name == "prompt" && source.IsPromptFile(p.Value.Text), name == "schema" && source.IsSchemaFile(p.Value.Text):
			pairs[i].Value = p.Value.Map(r.file)
		case name == "acceptance":
			r.agentArgs(p.Value.Pairs)
		}
	}
}
