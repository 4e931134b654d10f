package engine

import (
	"sort"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
	"kitsoki/runtime/host/spec"
)

// IntentSet lists what may be intercepted in a room under the binding's
// world, sorted: the intents with an arc on the room or around it, without
// the hidden ones and those whose every arc is blocked by a guard that needs
// nothing but the world a run starts with. A world that does not fit blocks
// everything.
func IntentSet(p *artifact.Program, room string, world map[string]any) []string {
	start, err := World(p, world)
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	var out []string
	for _, s := range lineage(p, innermost(p, room)) {
		for i := range s.On {
			h := &s.On[i]
			if seen[h.Intent] {
				continue
			}
			seen[h.Intent] = true
			if in := findIntent(p, h.Intent); in != nil && !in.Hidden && !blocked(h, start) {
				out = append(out, h.Intent)
			}
		}
	}
	sort.Strings(out)
	return out
}

func blocked(h *artifact.Handler, world map[string]any) bool {
	for i := range h.Arcs {
		if !closed(&h.Arcs[i], world) {
			return false
		}
	}
	return true
}

// closed: the arc's guard needs the world alone and does not hold there.
func closed(a *artifact.Arc, world map[string]any) bool {
	if a.When == nil {
		return false
	}
	for _, root := range expr.Roots(a.When.Src) {
		if root != "world" {
			return false
		}
	}
	v, err := expr.Eval(a.When.Src, map[string]any{"world": world})
	return err == nil && v == false
}

// Effects is the highest effect an intent can reach from a room, through
// on_enter, on_error and emitted turns.
func Effects(p *artifact.Program, room, intent string) spec.Effect {
	w := &reach{p: p, top: spec.Read, turns: map[[2]string]bool{}}
	w.turn(innermost(p, room), intent)
	return w.top
}

// Calls lists every host call an intent can reach from a room, each once, in
// the order in which they are met: the questions asked first, what runs, and
// the way back of a flow that is driven.
func Calls(p *artifact.Program, room, intent string) []artifact.Call {
	w := &reach{p: p, top: spec.Read, turns: map[[2]string]bool{}, met: map[*artifact.Call]bool{}}
	w.turn(innermost(p, room), intent)
	return w.calls
}

// reach walks what could run, every turn once. It gathers the calls when met
// is set.
type reach struct {
	p     *artifact.Program
	top   spec.Effect
	turns map[[2]string]bool
	met   map[*artifact.Call]bool
	calls []artifact.Call
}

// gather keeps a call that was not met before.
func (w *reach) gather(c *artifact.Call) {
	if w.met != nil && !w.met[c] {
		w.met[c] = true
		w.calls = append(w.calls, *c)
	}
}

// wayBack gathers what runs when a driven flow is given up, and what is asked
// after it.
func (w *reach) wayBack(s *artifact.State) {
	for i := range s.Abort {
		if c := s.Abort[i].Invoke; c != nil {
			w.gather(c)
		}
	}
	if s.Postcondition != nil {
		w.gather(&s.Postcondition.Call)
	}
}

func (w *reach) turn(room, intent string) {
	if w.turns[[2]string{room, intent}] {
		return
	}
	w.turns[[2]string{room, intent}] = true
	h, ok := handler(w.p, room, intent)
	if !ok {
		return
	}
	for i := range h.Arcs {
		w.arc(room, &h.Arcs[i])
	}
}

func (w *reach) arc(room string, a *artifact.Arc) {
	found := &trail{rooms: map[string]bool{}, intents: map[string]bool{}}
	for i := range a.Preconditions {
		w.gather(&a.Preconditions[i].Call)
	}
	w.list(room, a.Effects, found)
	switch {
	case a.Computed != nil:
		for i := range w.p.States {
			w.enter(room, w.p.States[i].Path, found)
		}
	case a.Target == "":
		found.rooms[room] = true
	default:
		w.enter(room, a.Target, found)
	}
	for at := range found.rooms {
		for intent := range found.intents {
			w.turn(at, intent)
		}
	}
}

// trail is where an arc can end and what it emits on the way.
type trail struct {
	rooms   map[string]bool
	intents map[string]bool
}

func (w *reach) list(room string, effects []artifact.Effect, found *trail) {
	for i := range effects {
		if e := effects[i].Emit; e != nil {
			found.intents[e.Intent] = true
		}
		if c := effects[i].Invoke; c != nil {
			w.call(room, c, found)
		}
	}
}

func (w *reach) call(room string, c *artifact.Call, found *trail) {
	if e := spec.EffectOf(*c); e.Above(w.top) {
		w.top = e
	}
	w.gather(c)
	switch c.OnError {
	case "":
	case stay:
		found.rooms[room] = true
	default:
		w.enter(room, c.OnError, found)
	}
}

func (w *reach) enter(from, target string, found *trail) {
	if found.rooms[target] {
		return
	}
	found.rooms[target] = true
	for _, s := range entered(w.p, from, target) {
		found.rooms[s.Path] = true
		w.list(s.Path, s.OnEnter, found)
		w.wayBack(s)
	}
}
