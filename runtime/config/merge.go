package config

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// layers are the files read, in rising precedence.
type layers []layer

// merge puts the layers over the defaults, key by key. The app, the room and
// the world belong together: where a repository names an app, the user's room
// and world are not for it.
func (r *Resolved) merge(found layers) {
	r.Enabled = byDefault(true)
	r.Bar = byDefault(DefaultBar)
	r.EscapePrefix = byDefault("")
	r.Mode = byDefault(Enforce)
	r.Trace = byDefault(Trace{})
	r.Owner = LayerUser
	theirs := found.repositoryNamesApp()
	for _, l := range found {
		if l.from == LayerUser {
			r.Policy = l.policy
		} else if l.in.claims() {
			r.Owner = LayerRepository
		}
		if l.from != LayerUser || !theirs {
			r.App, r.Room = over(r.App, l.in.app), over(r.Room, l.in.room)
			r.World = overWorld(r.World, l.in.world)
		}
		r.Enabled = over(r.Enabled, l.in.enabled)
		r.Bar = over(r.Bar, l.in.bar)
		r.Mode = over(r.Mode, l.in.mode)
		r.takeGuarded(l)
	}
	r.mergeMemory(found)
	r.mergeGuard(found)
}

// takeGuarded merges what no repository may take from the user: a repository
// can't remove or replace the user's escape prefix, nor choose the file that
// prompts are written into. It may ask for no trace.
func (r *Resolved) takeGuarded(l layer) {
	if l.from == LayerUser || l.in.trace.V.Off {
		r.Trace = over(r.Trace, l.in.trace)
	}
	if r.EscapePrefix.Origin.Layer != LayerUser || r.EscapePrefix.V == "" {
		r.EscapePrefix = over(r.EscapePrefix, l.in.escapePrefix)
	}
}

func (ls layers) repositoryNamesApp() bool {
	return slices.ContainsFunc(ls, func(l layer) bool { return l.from != LayerUser && l.in.app.Set() })
}

// claims says whether the block makes the binding the repository's own. To
// switch kitsoki off, or to ask for no trace, is not a claim: both only take
// away.
func (in intercept) claims() bool {
	return in.app.Set() || in.room.Set() || in.bar.Set() || in.escapePrefix.Set() || in.mode.Set() ||
		len(in.world) > 0 || in.enabled.V
}

func byDefault[T any](v T) Value[T] {
	return Value[T]{V: v, Origin: Origin{Layer: LayerDefault}}
}

func over[T any](low, high Value[T]) Value[T] {
	if high.Set() {
		return high
	}
	return low
}

func overWorld(low, high []World) []World {
	out := slices.Clone(low)
	for _, w := range high {
		out = slices.DeleteFunc(out, func(o World) bool { return o.Name == w.Name })
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b World) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// limit applies the user's policy.
func (r *Resolved) limit(rd *reader) {
	if p := r.Policy.EscapePrefix; p.V != "" {
		r.EscapePrefix = p
	}
	floor := r.Policy.MinBar
	if !floor.Set() || r.Bar.V >= floor.V {
		return
	}
	if o := r.Bar.Origin; o.Layer != LayerDefault {
		rd.at(o, Info, fmt.Sprintf("the bar %v lies under the user's policy.min_bar %v, which holds", r.Bar.V, floor.V), "")
	}
	r.Bar = floor
}

// check finds what no single file shows. After an error it would only speak
// of that error's consequences.
func (r *Resolved) check(rd *reader) {
	if firstError(rd.problems) != "" {
		return
	}
	if r.Room.Set() && !r.App.Set() {
		rd.at(r.Room.Origin, Warning, "intercept.room is named without an app", "add app: and a story, as in builtin:git-ops")
	}
}

// at adds a problem where a value stands.
func (r *reader) at(o Origin, s Severity, message, hint string) {
	r.file = o.File
	r.say(&yaml.Node{Line: o.Line, Column: o.Col}, s, message, hint)
}
