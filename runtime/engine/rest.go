package engine

import (
	"reflect"
	"sort"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
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

// view is the first line the room shows.
func (r *run) view() string {
	s := findState(r.req.Program, r.state)
	if s == nil {
		return ""
	}
	for i := range s.View {
		if line := r.viewLine(&s.View[i]); line != "" {
			return line
		}
	}
	return ""
}

func (r *run) viewLine(v *artifact.View) string {
	switch v.Kind {
	case "prose", "heading", "template", "banner":
	default:
		return ""
	}
	if v.When != nil {
		if holds, f := r.guard(v.When.Src, r.roots()); f != nil || !holds {
			return ""
		}
	}
	if v.Text == nil {
		return ""
	}
	s, err := expr.Render(v.Text.Src, r.roots())
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(first)
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
