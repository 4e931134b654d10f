package engine

import (
	"reflect"
	"sort"
	"strings"
)

// outcome judges a run that has come to rest, or that a fault stopped.
func (r *run) outcome(f *fault) Outcome {
	o := Outcome{State: r.state, HostCalls: r.calls, Say: strings.Join(r.said, "\n")}
	if r.world != nil {
		o.WorldChanges = changes(r.before, r.world)
		o.View = r.view()
		o.Elsewhere = r.elsewhere()
	}
	if f != nil {
		o.Kind, o.Code, o.Hint, o.Detail = f.kind(r.effectful), f.code, f.hint, f.detail
		o.MissingSlots = f.missing
		return o
	}
	o.Kind = r.rest()
	if o.Kind == Incomplete {
		o.Hint = firstOf(o.Say, o.View)
		o.Detail = "it would wait for a choice in " + r.state
	}
	return o
}

// rest says what coming to rest here means.
func (r *run) rest() Kind {
	switch {
	case r.terminal():
		return Terminal
	case r.elsewhere() && !r.effectful:
		return Incomplete
	case r.req.Drive:
		return Resolved
	}
	return Transitioned
}

// elsewhere: not in the bound room, not at the end, and not where the story
// says the job is done.
func (r *run) elsewhere() bool {
	if r.state == r.start || r.completed || r.terminal() {
		return false
	}
	s := findState(r.req.Program, r.state)
	return s == nil || !s.Completed
}

func changes(before, after map[string]any) []Change {
	var out []Change
	for k, v := range after {
		if !reflect.DeepEqual(v, before[k]) {
			out = append(out, Change{Key: k, Old: before[k], New: v})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Key < out[j].Key })
	return out
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
