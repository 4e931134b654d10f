package flow

import (
	"regexp"
	"sort"
	"strings"
	"time"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/text"
)

func (r *reader) report(c diag.Code, pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	return r.ds.Addf(c, pos, format, args...)
}

// known reports a name that is none of those that there are.
func (r *reader) known(n source.Str, names []string, code diag.Code, what string) bool {
	for _, name := range names {
		if name == n.Val {
			return true
		}
	}
	d := r.report(code, n.Pos, "there is no %s %q", what, n.Val)
	if near := text.Nearest(n.Val, names); near != "" {
		d.Hintf("did you mean %s?", near)
	} else if len(names) > 0 {
		d.Hintf("there are: %s", strings.Join(names, ", "))
	}
	return false
}

func (r *reader) state(n *source.Node) string {
	var names []string
	for i := range r.story.Program.States {
		names = append(names, r.story.Program.States[i].Path)
	}
	r.known(n.Str(), names, diag.UnknownState, "state")
	return n.Text
}

func (r *reader) intent(n *source.Node) string {
	var names []string
	for i := range r.story.Program.Intents {
		names = append(names, r.story.Program.Intents[i].Name)
	}
	sort.Strings(names)
	r.known(n.Str(), names, diag.UnknownIntent, "intent")
	return n.Text
}

func (r *reader) intents(n *source.Node) []string {
	var out []string
	for _, item := range n.Items {
		out = append(out, r.intent(item))
	}
	return out
}

// call checks the name of a host call.
func (r *reader) call(n source.Str) (spec.Call, bool) {
	var names []string
	for _, c := range spec.Calls() {
		names = append(names, c.Name)
	}
	if !r.known(n, names, diag.UnknownCall, "host call") {
		return spec.Call{}, false
	}
	return spec.Lookup(n.Val)
}

// args reads arguments that a call must have.
func (r *reader) args(row spec.Call, n *source.Node) map[string]any {
	var names []string
	for _, p := range row.Params {
		names = append(names, p.Name)
	}
	for _, p := range pairs(n) {
		r.known(p.Key, names, diag.UnknownArgument, "argument of "+row.Name)
	}
	return object(n)
}

// world reads values of world keys, as the world would hold them.
func (r *reader) world(n *source.Node) map[string]any {
	var names []string
	for _, k := range r.story.Program.World {
		names = append(names, k.Name)
	}
	out := map[string]any{}
	for _, p := range pairs(n) {
		if !r.known(p.Key, names, diag.UndeclaredWorld, "world key") {
			continue
		}
		given := map[string]any{p.Key.Val: value(p.Value)}
		world, err := engine.World(r.story.Program, given)
		if err != nil {
			r.report(diag.WrongType, p.Value.Pos, "%s", err).Hintf("give it a value of the declared type")
			continue
		}
		out[p.Key.Val] = world[p.Key.Val]
	}
	return out
}

// callID checks that the story has a call of that name and id.
func (r *reader) callID(call string, id source.Str) {
	var ids []string
	for _, c := range calls(r.story.Program) {
		if c.Name == call && c.ID != "" {
			ids = append(ids, c.ID)
		}
	}
	sort.Strings(ids)
	r.known(id, ids, diag.UnknownCall, "call of "+call+" with the id")
}

// calls lists the calls that the story's effects make.
func calls(p *artifact.Program) []artifact.Call {
	var out []artifact.Call
	add := func(list []artifact.Effect) {
		for i := range list {
			if list[i].Invoke != nil {
				out = append(out, *list[i].Invoke)
			}
		}
	}
	for i := range p.States {
		add(p.States[i].OnEnter)
		for j := range p.States[i].On {
			for k := range p.States[i].On[j].Arcs {
				add(p.States[i].On[j].Arcs[k].Effects)
			}
		}
	}
	return out
}

func (r *reader) regexp(n *source.Node) *regexp.Regexp {
	re, err := regexp.Compile(n.Text)
	if err != nil {
		r.report(diag.BadValue, n.Pos, "%q is no regular expression: %s", n.Text, err).
			Hintf("a backslash stands before a sign that is meant as it is, such as \\(")
		return nil
	}
	return re
}

func (r *reader) delay(n *source.Node) time.Duration {
	if n == nil {
		return 0
	}
	d, err := time.ParseDuration(n.Text)
	if err != nil || d < 0 {
		r.report(diag.BadDuration, n.Pos, "%q is no duration", n.Text).
			Hintf("write a number with its unit, such as 15s, 2m or 1m30s")
	}
	return d
}

// pairs is a map's pairs, nil for a node that is not there.
func pairs(n *source.Node) []source.Pair {
	if n == nil {
		return nil
	}
	return n.Pairs
}

// value is a node as a value of a story.
func value(n *source.Node) any {
	v, err := host.Decode(n.JSON())
	if err != nil {
		return nil // a node is one JSON value
	}
	return v
}

// object is a map as values, nil for a node that is not there.
func object(n *source.Node) map[string]any {
	if n == nil {
		return nil
	}
	m, _ := value(n).(map[string]any)
	return m
}
