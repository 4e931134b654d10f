package agent

import "time"

// gemini is Gemini CLI. Contract: docs/hooks/reference.md in
// https://github.com/google-gemini/gemini-cli. A systemMessage beside the
// reason would be shown in its place, so there is none.
func gemini() Row {
	return Row{
		Name:        "gemini",
		Title:       "Gemini CLI",
		Mark:        Documented,
		Can:         Capabilities{Block: true, Show: true, Context: true, Drive: true},
		Timeout:     Timeout{Unit: time.Millisecond, Default: 60 * time.Second},
		Decode:      decoder(readGemini),
		WrongCaller: notGemini,
		Block: func(report string) []byte {
			return encode(decision{"deny", report})
		},
		Context: func(text string) []byte {
			return contextFor("BeforeAgent", text)
		},
	}
}

func readGemini(p *payload) Event {
	e := Event{
		Kind:           Other,
		HookEventName:  p.text("hook_event_name"),
		Prompt:         p.text("prompt"),
		CWD:            p.text("cwd"),
		SessionID:      p.text("session_id"),
		PromptID:       p.text("timestamp"), // there is no id; the time stands for it
		TranscriptPath: p.text("transcript_path"),
		foreign:        p.foreign(),
		lacks:          p.lacks("session_id", "timestamp"),
	}
	switch e.HookEventName {
	case "BeforeAgent":
		e.Kind = Prompt
	case "AfterAgent":
		e.Kind = Stop
		e.LastMessage, e.StopHookActive = p.text("prompt_response"), p.yes("stop_hook_active")
		e.PromptID = "" // its time is not the prompt's
	}
	return e
}

// notGemini wants the session named by the payload and by the environment:
// other programs that came out of Gemini CLI send the same keys.
func notGemini(e Event, env Env) string {
	if why := misfit(e, env, "gemini"); why != "" {
		return why
	}
	if env.Get("GEMINI_SESSION_ID") != e.SessionID {
		return "GEMINI_SESSION_ID is not the payload's session"
	}
	return ""
}
