package compiler

import (
	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// driveStates are the paths of the states that begin an agent-in-the-loop
// flow. Each must have a way back: abort effects, or an arc for an intent
// named abort.
func (l *lowerer) driveStates() map[string]bool {
	out := map[string]bool{}
	for _, r := range l.rooms.list {
		d := r.src.InterceptDrive
		if !given(d) {
			continue
		}
		if d.Val != "rest" {
			l.report(diag.BadValue, d.Pos, "intercept_drive is %s; the only value is rest", d.Val).
				Hintf("write intercept_drive: rest or leave the key out")
			continue
		}
		out[r.path] = true
		if len(r.src.Abort) == 0 && !l.answers(r, named(r.home, "abort")) {
			l.report(diag.NoAbort, d.Pos, "the state %s is driven and has no way back", r.path).
				Hintf("add abort: effects that undo what the flow began, or an arc for an intent named abort")
		}
	}
	return out
}

// answers says whether the room or an ancestor has an arc for the intent.
func (l *lowerer) answers(r room, intent string) bool {
	for path := r.path; path != ""; path = parentOf(path) {
		for _, on := range l.rooms.byPath[path].src.On {
			if on.Intent.Val == intent && len(on.Arcs) > 0 {
				return true
			}
		}
	}
	return false
}

// markDrives flags each intent that can come to a driven state, or to a call
// that only a drive makes: by its arcs, by what these emit, and by what is
// entered on the way.
func markDrives(p *artifact.Program, driven map[string]bool) {
	arcs, byPath := map[string][]artifact.Arc{}, map[string]artifact.State{}
	for _, s := range p.States {
		byPath[s.Path] = s
		for _, h := range s.On {
			arcs[h.Intent] = append(arcs[h.Intent], h.Arcs...)
		}
	}
	for i := range p.Intents {
		r := reach{arcs: arcs, byPath: byPath, intents: map[string]bool{}, states: map[string]bool{}, drives: new(bool)}
		r.intent(p.Intents[i].Name)
		p.Intents[i].Drive = p.Intents[i].Drive || *r.drives
		for path := range r.states {
			p.Intents[i].Drive = p.Intents[i].Drive || driven[path]
		}
	}
}

// reach is what an intent can come to, guards left out of account.
type reach struct {
	arcs            map[string][]artifact.Arc // by intent, of all states
	byPath          map[string]artifact.State
	intents, states map[string]bool // what was visited
	drives          *bool           // a call that only a drive makes was met
}

func (r reach) intent(name string) {
	if r.intents[name] {
		return
	}
	r.intents[name] = true
	for _, a := range r.arcs[name] {
		r.effects(a.Effects)
		r.enter(a.Target)
		if a.Computed != nil {
			for path := range r.byPath {
				r.enter(path)
			}
		}
	}
}

// enter visits a state with its ancestors and, in a compound state, its
// first child.
func (r reach) enter(path string) {
	s, known := r.byPath[path]
	if !known || r.states[path] {
		return
	}
	r.states[path] = true
	r.effects(s.OnEnter)
	r.enter(s.Initial)
	r.enter(s.Parent)
}

func (r reach) effects(list []artifact.Effect) {
	for _, e := range list {
		if e.Invoke != nil {
			*r.drives = *r.drives || spec.NeedsDrive(*e.Invoke)
			r.enter(e.Invoke.OnError)
		}
		if e.Emit != nil {
			r.intent(e.Emit.Intent)
		}
	}
}
