package compiler

import (
	"encoding/json"
	"sort"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/shell"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
	"kitsoki/runtime/host/spec"
)

// lowerAgents lowers the task agents, sorted by name.
func (l *lowerer) lowerAgents() []artifact.Agent {
	var out []artifact.Agent
	first := map[string]source.Str{}
	for _, a := range l.st.Agents {
		if at, twice := first[a.Name.Val]; twice {
			l.report(diag.DuplicateName, a.Name.Pos, "the agent %s is declared twice", a.Name.Val).
				Hintf("remove or rename one of them").Also(at.Pos, "first declared here")
			continue
		}
		first[a.Name.Val] = a.Name
		out = append(out, l.lowerAgent(a))
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func (l *lowerer) lowerAgent(a source.Agent) artifact.Agent {
	if !plainName(a.Name.Val) {
		l.badName(a.Name, "an agent")
	}
	if given(a.SystemPrompt) && given(a.SystemPromptPath) {
		l.report(diag.StrayArgument, a.SystemPromptPath.Pos, "the agent %s has two system prompts", a.Name.Val).
			Hintf("remove system_prompt or system_prompt_path")
	}
	out := artifact.Agent{
		Name: a.Name.Val, SystemPrompt: l.text(a.SystemPrompt, expr.Scope{World: l.keys}), SystemPromptFile: a.SystemPromptPath.Val,
		Model: a.Model.Val, Tools: vals(a.Tools), Command: vals(a.Command), Pos: a.Name.Pos,
	}
	for _, p := range a.Env {
		out.Env = append(out.Env, artifact.Field{Name: p.Key.Val, Value: artifact.Value{Literal: p.Value.JSON()}})
	}
	return out
}

// files lowers the prompts and schemas of task agents, sorted by name.
func (l *lowerer) files() []artifact.Asset {
	var out []artifact.Asset
	for _, a := range l.st.Assets {
		if source.IsSchemaFile(a.Name) {
			l.checkSchema(a.Text)
		} else {
			sc := expr.Scope{World: l.keys, Slots: l.allSlots(), Args: true}
			l.text(a.Text, sc)
		}
		out = append(out, artifact.Asset{Name: a.Name, Text: a.Text.Val})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func (l *lowerer) checkSchema(s source.Str) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(s.Val), &doc); err != nil {
		l.report(diag.BadValue, s.Pos, "this is no JSON Schema: %s", err).Hintf("write a JSON object such as {\"type\": \"object\"}")
	}
}

// allSlots are the slots of every intent: a prompt file may be used in the
// arcs of several.
func (l *lowerer) allSlots() []artifact.Slot {
	out := []artifact.Slot{}
	for _, name := range l.names.list() {
		out = append(out, slotsOf(l.names.decl[name])...)
	}
	return out
}

// agentOf finds the task agent of a call: the effect's key agent, or the
// argument of that name, which does not go into the program twice.
func (l *lowerer) agentOf(c invocation, out *artifact.Call) {
	name := c.Agent
	if n := pairValue(c.With, "agent"); n != nil {
		if given(name) {
			l.report(diag.StrayArgument, n.Pos, "the agent is named twice").Hintf("remove agent from with").Also(name.Pos, "named here")
		} else {
			name = n.Str()
		}
	}
	kept := out.With[:0]
	for _, f := range out.With {
		if f.Name != "agent" {
			kept = append(kept, f)
		}
	}
	out.With, out.Agent = kept, name.Val
	if name.Val == "" {
		l.report(diag.MissingArgument, c.Invoke.Pos, "%s needs an agent", c.Invoke.Val).Hintf("add agent: NAME, and NAME under agents")
		return
	}
	for _, a := range l.st.Agents {
		if a.Name.Val == name.Val {
			return
		}
	}
	l.missing(diag.UnknownAgent, name.Pos, "no agent is named %s", name.Val).
		Hint = didYouMean(name.Val, l.agentNames(), "declare it under agents")
}

func (l *lowerer) agentNames() []string {
	var out []string
	for _, a := range l.st.Agents {
		out = append(out, a.Name.Val)
	}
	return out
}

// checkAgentKeys refuses an agent where none runs, and finds it where one
// does.
func (l *lowerer) checkAgentKeys(row *spec.Call, c invocation, out *artifact.Call) {
	switch {
	case source.IsAgentCall(row.Name):
		l.agentOf(c, out)
		l.checkPostCmd(c)
	case given(c.Agent):
		l.report(diag.StrayArgument, c.Agent.Pos, "%s runs no agent", row.Name).Hintf("remove agent")
	}
}

// checkPostCmd: the command that accepts what an agent did runs as it is
// declared. No value may become part of its code; what was submitted it reads
// from its input.
func (l *lowerer) checkPostCmd(c invocation) {
	acceptance := pairValue(c.With, "acceptance")
	if acceptance == nil {
		return
	}
	cmd := acceptance.Get("post_cmd")
	switch {
	case cmd == nil:
	case cmd.Kind == source.KindString:
		l.checkPostScript(cmd)
	case cmd.Kind == source.KindList && len(cmd.Items) > 0:
		l.checkPostArgv(cmd.Items)
	default:
		l.report(diag.BadArgument, cmd.Pos, "post_cmd is a text for the shell, or a list: the program with its arguments").
			Hintf("write post_cmd: make test, or post_cmd: [make, test]")
	}
}

func (l *lowerer) checkPostScript(cmd *source.Node) {
	pieces, err := expr.Split(cmd.Text)
	if err != nil || !interpolated(pieces) || onlyValue(pieces) && l.settled(pieces) {
		return // a mistake in it is reported with the value itself
	}
	l.report(diag.ScriptIsOneValue, cmd.Pos, "a value in post_cmd would be code").
		Hintf("write a list, such as [make, test, \"{{ … }}\"], or take all of it from a world key that nothing writes")
}

func (l *lowerer) checkPostArgv(items []*source.Node) {
	argv := make([]shell.Arg, len(items))
	for i, n := range items {
		argv[i] = argOf(n)
	}
	script, _, found := shell.ScriptArg(argv)
	for i, n := range items {
		switch {
		case found && i == script && argv[i].Value:
			l.checkPostScript(n)
		case argv[i].Value:
			l.refuseArg(n, shell.Refuse(argv, i))
		}
	}
}
