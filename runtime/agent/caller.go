package agent

import (
	"fmt"
	"slices"
)

// sign is a variable that an agent sets for the hooks it starts, or the
// beginning of one's name.
type sign struct{ agent, prefix string }

// signs lists what betrays an agent. Keys that people set themselves, such as
// GEMINI_API_KEY, are none, and neither is a variable that several agents
// set: CLAUDE_PROJECT_DIR, and GEMINI_PROJECT_DIR, which Qwen Code sets too.
func signs() []sign {
	return []sign{
		{"claude", "CLAUDECODE"},
		{"copilot", "COPILOT_CLI"},
		{"grok", "GROK_"},
		{"cursor", "CURSOR_"},
		{"gemini", "GEMINI_CLI"},
		{"gemini", "GEMINI_SESSION_ID"},
		{"qwen", "QWEN_"},
		{"droid", "FACTORY_PROJECT_DIR"},
	}
}

// foreignSign is a variable of an agent that is not the named one.
func (e Env) foreignSign(own string) string {
	for _, s := range signs() {
		if name := e.prefixed(s.prefix); s.agent != own && name != "" {
			return name
		}
	}
	return ""
}

// foreign is a key that only other agents' payloads have: those that tell
// agents apart, without the ones of its own.
func (p *payload) foreign(own ...string) string {
	for _, k := range []string{
		"hookEventName", "sessionId", "turn_id", "conversation_id", "generation_id",
		"agent_action_name", "trajectory_id", "clineVersion", "hookName", "client_type",
	} {
		if p.any(k) != "" && !slices.Contains(own, k) {
			return k
		}
	}
	return ""
}

// misfit says what in a call speaks against the named agent, whatever the
// agent's own check asks for besides.
func misfit(e Event, env Env, own string) string {
	if e.foreign != "" {
		return fmt.Sprintf("the payload has the key %s of another agent", e.foreign)
	}
	if e.lacks != "" {
		return "the payload lacks " + e.lacks
	}
	if name := env.foreignSign(own); name != "" {
		return name + " is another agent's variable"
	}
	return ""
}

// needs is misfit, and a variable that the agent sets for its hooks.
func needs(e Event, env Env, own, prefix string) string {
	if why := misfit(e, env, own); why != "" {
		return why
	}
	if env.prefixed(prefix) == "" {
		return "no variable " + prefix + " is set"
	}
	return ""
}
