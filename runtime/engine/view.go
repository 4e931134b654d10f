package engine

import (
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
)

// View is all that a room shows in a world, as plain text: a line or more an
// element, lists and choices with a dash before each line. It is "" for a
// room that shows nothing or does not exist; what can't be rendered is left
// out.
func View(p *artifact.Program, room string, world map[string]any) string {
	s := findState(p, room)
	if s == nil {
		return ""
	}
	env := map[string]any{"world": world}
	var out []string
	for i := range s.View {
		v := &s.View[i]
		if !shown(v.When, env) {
			continue
		}
		out = append(out, rendered(v.Text, env))
		for j := range v.Items {
			out = append(out, item(v, &v.Items[j], env))
		}
	}
	return strings.Join(nonEmpty(out), "\n")
}

// item is a line of a list, a kv or a choice.
func item(v *artifact.View, c *artifact.Choice, env map[string]any) string {
	if !shown(c.When, env) {
		return ""
	}
	dash, colon := "- ", " — "
	if v.Kind == "kv" {
		dash, colon = "", ": "
	}
	line := dash + rendered(&c.Label, env)
	if value := rendered(c.Value, env); value != "" {
		line += colon + value
	}
	return line
}

// shown evaluates a guard of a view; one that can't be evaluated hides.
func shown(when *artifact.Expr, env map[string]any) bool {
	if when == nil {
		return true
	}
	v, err := expr.Eval(when.Src, env)
	return err == nil && v == true
}

// rendered is a text beside the outcome, such as a line of a view or a hint;
// one that can't be rendered is left out.
func rendered(t *artifact.Text, env map[string]any) string {
	if t == nil {
		return ""
	}
	s, err := expr.Render(t.Src, env)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

// view is the first line the room shows that can stand for an outcome.
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
	if !shown(v.When, r.roots()) {
		return ""
	}
	first, _, _ := strings.Cut(rendered(v.Text, r.roots()), "\n")
	return strings.TrimSpace(first)
}
