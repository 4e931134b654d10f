package agent

import "time"

// kimi is Kimi Code. Contract: docs/en/customization/hooks.md in
// https://github.com/MoonshotAI/kimi-code. Ten minutes is the most that it
// waits.
func kimi() Row {
	return Row{
		Name:     "kimi",
		Title:    "Kimi Code",
		Mark:     Documented,
		Can:      Capabilities{Block: true, Show: true, Context: true},
		Timeout:  Timeout{Unit: time.Second, Default: 30 * time.Second, Longest: 600 * time.Second},
		ByStatus: true,
		Decode:   decoder(readKimi),
		WrongCaller: func(e Event, env Env) string {
			return misfit(e, env, "kimi")
		},
		Block:   blockStatus,
		Context: contextKimi,
	}
}

func readKimi(p *payload) Event {
	e := Event{
		HookEventName: p.text("hook_event_name"),
		Prompt:        p.parts("prompt"),
		CWD:           p.text("cwd"),
		SessionID:     p.text("session_id"),
		foreign:       p.foreign("client_type"),
		lacks:         p.lacks("session_id", "client_type"),
	}
	if client := p.text("client_type"); e.lacks == "" && client != "kimi_code_cli" {
		e.foreign = "client_type " + client
	}
	e.Kind = kindOf(e.HookEventName)
	return e
}

// parts reads a text, or a list of parts that is one text; beside a picture
// the words may mean anything, so they are not read.
func (p *payload) parts(key string) string {
	raw := p.keys[key]
	if len(raw) == 0 || raw[0] != '[' {
		return p.text(key)
	}
	var list []struct{ Type, Text string }
	p.read(key, &list)
	if len(list) != 1 || list[0].Type != "text" {
		return ""
	}
	return list[0].Text
}

type kimiContext struct {
	Message string `json:"message"`
}

func contextKimi(text string) []byte { return encode(kimiContext{text}) }
