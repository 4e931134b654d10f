package agent

// windsurf is Windsurf. Contract:
// https://docs.windsurf.com/windsurf/cascade/hooks. Its hooks start in the
// workspace, which the payload does not name; it has no setting for how long
// it waits, so none may be counted on.
func windsurf() Row {
	return Row{
		Name:     "windsurf",
		Title:    "Windsurf",
		Mark:     Documented,
		Can:      Capabilities{Block: true, Show: true},
		ByStatus: true,
		OwnDir:   true,
		Decode:   decoder(readWindsurf),
		WrongCaller: func(e Event, env Env) string {
			return misfit(e, env, "windsurf")
		},
		Block: blockStatus,
	}
}

func readWindsurf(p *payload) Event {
	info := p.inner("tool_info")
	e := Event{
		Kind:          Other,
		HookEventName: p.text("agent_action_name"),
		Prompt:        info.text("user_prompt"),
		SessionID:     p.text("trajectory_id"),
		PromptID:      p.text("execution_id"),
		foreign:       p.foreign("agent_action_name", "trajectory_id"),
		lacks:         p.lacks("trajectory_id", "execution_id"),
	}
	if e.HookEventName == "pre_user_prompt" {
		e.Kind = Prompt
	}
	if p.err == nil {
		p.err = info.err
	}
	return e
}
