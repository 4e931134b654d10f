package agent

import "time"

// cline is Cline in VS Code; Cline CLI, which ignores the answer, is told by
// its environment. Contract: https://docs.cline.bot/features/hooks/hook-reference.
// Thirty seconds are fixed.
func cline() Row {
	return Row{
		Name:        "cline",
		Title:       "Cline (VS Code)",
		Mark:        Documented,
		Can:         Capabilities{Block: true, Show: true, Context: true},
		Timeout:     Timeout{Default: 30 * time.Second, Longest: 30 * time.Second},
		Decode:      decoder(readCline),
		WrongCaller: notCline,
		Block: func(report string) []byte {
			return encode(clineAnswer{Cancel: true, Error: report})
		},
		Context: func(text string) []byte {
			return encode(clineAnswer{Context: text})
		},
	}
}

// readCline knows the prompt's directory only when the window has one.
func readCline(p *payload) Event {
	submit := p.inner("userPromptSubmit")
	e := Event{
		HookEventName: p.text("hookName"),
		Prompt:        submit.text("prompt"),
		CWD:           p.only("workspaceRoots"),
		SessionID:     p.text("taskId"),
		PromptID:      string(p.keys["timestamp"]), // there is no id; the time stands for it
		AgentID:       p.text("parent_agent_id"),
		foreign:       p.foreign("clineVersion", "hookName"),
		lacks:         p.lacks("clineVersion", "taskId", "timestamp"),
	}
	e.Kind = kindOf(e.HookEventName)
	if p.err == nil {
		p.err = submit.err
	}
	return e
}

// notCline wants the editor's variables, which a terminal inside it has too.
func notCline(e Event, env Env) string {
	if why := needs(e, env, "cline", "VSCODE_"); why != "" {
		return why
	}
	if env.Get("TERM_PROGRAM") != "" {
		return "TERM_PROGRAM is set: this is Cline in a terminal"
	}
	return ""
}

type clineAnswer struct {
	Cancel  bool   `json:"cancel"`
	Error   string `json:"errorMessage,omitempty"`
	Context string `json:"contextModification,omitempty"`
}
