package taskagent

import (
	"maps"
	"slices"
	"time"

	"kitsoki/runtime/host"
)

// result is the report as the calls' signatures have it.
func (rep *report) result(t *task, before *snapshot) map[string]any {
	out := map[string]any{
		"submitted":         nil,
		"attempts":          rep.attempts,
		"put_back":          host.Anys(slices.Sorted(maps.Keys(rep.putBack))),
		"changed_meanwhile": host.Anys(slices.Sorted(maps.Keys(rep.meanwhile))),
		"set_aside":         rep.aside,
		"agent":             t.agent.Name,
		"cost_usd":          rep.cost,
		"tokens":            rep.tokens,
		"duration_ms":       int(rep.took / time.Millisecond),
		"reason":            rep.reason,
	}
	if v, err := host.Decode(rep.verdict); err == nil {
		out["submitted"] = v
	}
	if t.call == decideName {
		out["rationale"] = rationale(out["submitted"], rep.message)
	} else {
		out["files_changed"] = host.Anys(before.changed)
	}
	return out
}

// rationale is why an agent decided so: its verdict says it, or the message
// around it.
func rationale(verdict any, message string) string {
	if m, ok := verdict.(map[string]any); ok {
		if s, ok := m["rationale"].(string); ok {
			return s
		}
	}
	return around(message)
}
