package config

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kitsoki/runtime/match"
)

// Inert says why the binding does nothing, with a detail for people; the
// reason is "" when it is in force.
func (r Resolved) Inert() (match.Reason, string) {
	switch {
	case r.Off:
		return match.ReasonDisabled, "KITSOKI=off"
	case r.Switched:
		return match.ReasonDisabled, "switched off; kitsoki on switches it on again"
	case r.Broken != "":
		return match.ReasonNotReady, r.Broken
	case !r.Enabled.V:
		return match.ReasonDisabled, "enabled is false in " + r.Enabled.Origin.String()
	case !r.App.Set():
		return match.ReasonNotBound, "no configuration file names an app"
	case r.Owner == LayerRepository && !r.Trusted:
		return match.ReasonUntrusted, cmp.Or(r.Doubt, "the binding is the repository's, and not trusted; see what it would run: kitsoki trust")
	}
	return "", ""
}

// Explain says in a sentence or two what the configuration leads to.
func (r Resolved) Explain() string {
	reason, detail := r.Inert()
	switch reason {
	case "":
		whose := "your own binding"
		if r.Trusted {
			whose = "the repository's binding, which you trust"
		}
		return fmt.Sprintf("In force: prompts are matched against %s, %s, by %s (%s).", r.App.V, r.room(), whose, r.App.Origin)
	case match.ReasonUntrusted:
		return fmt.Sprintf("Inert (untrusted): %s binds a story, and a repository's file that runs commands on a prompt is code: %s.",
			r.claimant(), detail)
	}
	return fmt.Sprintf("Inert (%s): %s.", reason, detail)
}

func (r Resolved) room() string {
	if r.Room.Set() {
		return "room " + r.Room.V
	}
	return "the story's root room"
}

// claimant is the repository's file that made the binding its own.
func (r Resolved) claimant() string {
	for _, o := range r.origins() {
		if o.Layer == LayerRepository || o.Layer == LayerLocal {
			return o.String()
		}
	}
	return "the repository"
}

func (r Resolved) origins() []Origin {
	list := []Origin{r.App.Origin, r.Room.Origin, r.Enabled.Origin, r.Bar.Origin, r.Mode.Origin, r.EscapePrefix.Origin}
	for _, w := range r.World {
		list = append(list, w.Origin)
	}
	return list
}

// Row is one line of `kitsoki config show`. Origin is file:line or "default".
type Row struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

// Rows lists every value that is present, with its origin.
func (r Resolved) Rows() []Row {
	rows := []Row{
		row("intercept.enabled", r.Enabled, strconv.FormatBool),
		row("intercept.app", r.App, App.String),
		row("intercept.room", r.Room, plainText),
		row("intercept.confidence_bar", r.Bar, number),
		row("intercept.escape_prefix", r.EscapePrefix, strconv.Quote),
		row("intercept.mode", r.Mode, func(m Mode) string { return string(m) }),
		row("intercept.trace", r.Trace, Trace.String),
	}
	for _, w := range r.World {
		rows = append(rows, Row{"intercept.world." + w.Name, string(w.JSON), w.Origin.String()})
	}
	rows = append(rows,
		row("policy.min_bar", r.Policy.MinBar, number),
		row("policy.max_timeout", r.Policy.MaxTimeout, time.Duration.String),
		row("policy.max_effect", r.Policy.MaxEffect, plainText),
		row("policy.escape_prefix", r.Policy.EscapePrefix, strconv.Quote))
	rows = append(rows, r.Memory.rows()...)
	return present(append(rows, r.Guard.rows()...))
}

func (m Memory) rows() []Row {
	list := func(l []string) string { return strings.Join(l, " ") }
	return []Row{
		row("memory.recall.enabled", m.Recall, strconv.FormatBool),
		row("memory.recall.sources", m.Sources, list),
		row("memory.recall.floor", m.Floor, number),
		row("memory.recall.max_items", m.MaxItems, strconv.Itoa),
		row("memory.recall.max_chars", m.MaxChars, strconv.Itoa),
		row("memory.capture.enabled", m.Capture, strconv.FormatBool),
		row("memory.url", m.URL, plainText),
		row("memory.token", m.Token, func(string) string { return "(set)" }),
	}
}

func (g Guard) rows() []Row {
	mode := func(m GuardMode) string { return string(m) }
	rows := []Row{
		row("guard.mode.must_reply", g.MustReply, mode), row("guard.mode.kb_first", g.KBFirst, mode),
		row("guard.satisfied_by", g.SatisfiedBy, func(s Satisfied) string { return string(s) }),
	}
	if len(g.KBTools) > 0 {
		rows = append(rows, Row{"guard.kb_tools", strings.Join(g.KBTools, " "), string(g.Owner)})
	}
	for i, o := range g.Overrides {
		rows = append(rows, Row{fmt.Sprintf("guard.overrides[%d]", i), o.String(), o.Origin.String()})
	}
	return rows
}

// String is the override as a file may have it.
func (o GuardOverride) String() string {
	var out []string
	for _, kv := range [][2]string{
		{"branch", o.Branch},
		{"path", o.Path},
		{"permission_mode", o.PermissionMode},
		{"must_reply", string(o.MustReply)},
		{"kb_first", string(o.KBFirst)},
	} {
		if kv[1] != "" {
			out = append(out, kv[0]+": "+kv[1])
		}
	}
	return strings.Join(out, ", ")
}

func row[T any](key string, v Value[T], show func(T) string) Row {
	if !v.Set() {
		return Row{}
	}
	return Row{key, show(v.V), v.Origin.String()}
}

func present(rows []Row) []Row {
	out := rows[:0]
	for _, r := range rows {
		if r.Key != "" {
			out = append(out, r)
		}
	}
	return out
}

func plainText(s string) string { return s }

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// String is off, on, or the path.
func (t Trace) String() string {
	switch {
	case t.Off:
		return "off"
	case t.Path != "":
		return t.Path
	}
	return "on"
}
