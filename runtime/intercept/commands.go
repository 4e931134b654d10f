package intercept

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host/spec"
)

// Command is one thing that may be said in a room, and all that it can run.
type Command struct {
	Intent  string      `json:"intent"`
	Title   string      `json:"title,omitempty"`
	Effect  spec.Effect `json:"effect"`
	Phrases []string    `json:"phrases"`
	Calls   []Call      `json:"calls"`
}

// Call is one host call as a person reads it: values that are only known when
// it runs stand in {{ }}.
type Call struct {
	Text   string      `json:"text"`
	Effect spec.Effect `json:"effect"`
}

// Commands lists what may be said in the bound room, in order; calls that read
// the same are listed once.
func (g *Gate) Commands() []Command {
	out := make([]Command, 0, len(g.intents))
	for _, id := range g.intents {
		in := g.program.Intents[id]
		c := Command{
			Intent: in.Name, Title: in.Title, Effect: g.Effect(in.Name), Phrases: g.phrases(id), Calls: []Call{},
		}
		for _, call := range engine.Calls(g.program, g.Room, in.Name) {
			if one := (Call{shown(call), spec.EffectOf(call)}); !slices.Contains(c.Calls, one) {
				c.Calls = append(c.Calls, one)
			}
		}
		out = append(out, c)
	}
	return out
}

// phrases are the declared ways to say an intent, as written.
func (g *Gate) phrases(intent uint32) []string {
	out := []string{}
	for i := range g.file.PhraseCount() {
		if p := g.file.Phrase(uint32(i)); p.Intent() == intent && p.Kind() <= artifact.PhrasePattern {
			out = append(out, p.Source())
		}
	}
	return out
}

// shown writes a call: host.run as the command it is, others with their
// arguments.
func shown(c artifact.Call) string {
	args := map[string]string{}
	var all []string
	for _, f := range c.With {
		args[f.Name] = value(f.Value)
		if f.Name != "effect" {
			all = append(all, f.Name+"="+args[f.Name])
		}
	}
	run := strings.TrimSpace(args["cmd"] + " " + args["args"])
	switch {
	case c.Name != "host.run":
		return strings.Join(append([]string{c.Name}, all...), " ")
	case args["project"] != "":
		return "the project's own command to " + args["project"] + ", whatever its files say it is" + strings.TrimRight(" "+args["args"], " ")
	case args["cwd"] != "":
		run = "in " + args["cwd"] + ": " + run
	}
	if args["env"] != "" {
		run += " (with " + args["env"] + ")"
	}
	return run
}

// value writes what stands in a story for a value.
func value(v artifact.Value) string {
	var b strings.Builder
	switch {
	case v.Literal != nil:
		return literal(v.Literal)
	case v.Expr != nil:
		return "{{ " + v.Expr.Src + " }}"
	case v.Parts != nil:
		for _, p := range v.Parts {
			b.WriteString(p.Text)
			if p.Expr != nil {
				b.WriteString("{{ " + p.Expr.Src + " }}")
			}
		}
	case v.List != nil:
		for i, item := range v.List {
			b.WriteString(strings.Repeat(" ", min(i, 1)) + quoted(value(item)))
		}
	default:
		for i, f := range v.Object {
			b.WriteString(strings.Repeat(" ", min(i, 1)) + f.Name + "=" + value(f.Value))
		}
	}
	return b.String()
}

// literal writes a text as it is, the items of a list with blanks between,
// and all else as JSON.
func literal(raw json.RawMessage) string {
	var text string
	var list []json.RawMessage
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &list) == nil:
		items := make([]string, len(list))
		for i, item := range list {
			items[i] = quoted(literal(item))
		}
		return strings.Join(items, " ")
	}
	return string(raw)
}

// quoted tells apart the items of a list.
func quoted(item string) string {
	if item == "" || strings.ContainsAny(item, " \t\n") && !strings.HasPrefix(item, "{{") {
		return strconv.Quote(item)
	}
	return item
}
