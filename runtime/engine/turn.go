package engine

import (
	"fmt"
	"slices"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
)

// turn dispatches one intent: finds its arc, checks what must hold before,
// runs the effects, and moves.
func (r *run) turn(t turn) *fault {
	if f := r.hop(); f != nil {
		return f
	}
	h, in, f := r.offered(t.intent)
	if f != nil {
		return f
	}
	if r.slots, f = takeSlots(in, t.slots); f != nil {
		return f
	}
	r.observe(Event{Kind: IntentTaken, Intent: t.intent, Slots: r.slots})
	arc, f := r.choose(h)
	if f != nil {
		return f
	}
	if f := r.preconditions(arc); f != nil {
		return f
	}
	return r.take(arc)
}

// offered finds what the nearest room says about an intent.
func (r *run) offered(intent string) (*artifact.Handler, *artifact.Intent, *fault) {
	in := findIntent(r.req.Program, intent)
	h, ok := handler(r.req.Program, r.state, intent)
	if !ok || in == nil {
		return nil, nil, refused(IntentNotAllowed, "", fmt.Sprintf("%s can't be done in %s", artifact.ShownIntent(intent), r.state))
	}
	return h, in, nil
}

// choose takes the first arc whose guard holds. A guard that looked at a
// call's result has dealt with it, whatever arc came of it.
func (r *run) choose(h *artifact.Handler) (*artifact.Arc, *fault) {
	var hint *artifact.Text
	for i := range h.Arcs {
		arc := &h.Arcs[i]
		if arc.When == nil {
			return arc, nil
		}
		holds, f := r.guard(arc.When.Src, r.roots())
		if f != nil {
			return nil, f
		}
		r.lookedAt(arc.When.Src)
		if holds {
			return arc, nil
		}
		if hint == nil {
			hint = arc.GuardHint
		}
	}
	return nil, refused(GuardFailed, rendered(hint, r.roots()), "no way to do "+artifact.ShownIntent(h.Intent)+" is open now")
}

// guard evaluates a condition.
func (r *run) guard(src string, env map[string]any) (bool, *fault) {
	v, err := expr.Eval(src, env)
	if err != nil {
		return false, broken("", err.Error())
	}
	b, ok := v.(bool)
	if !ok {
		return false, broken("", fmt.Sprintf("%s is %s and not true or false", src, show(v)))
	}
	return b, nil
}

// roots is what expressions and texts may name now.
func (r *run) roots() map[string]any {
	return map[string]any{"world": r.world, "slots": r.slots}
}

func (r *run) rootsWith(result map[string]any) map[string]any {
	env := r.roots()
	env["result"] = result
	return env
}

// take runs an arc whose time has come. A jump to an on_error state takes
// the place of the arc's own target.
func (r *run) take(arc *artifact.Arc) *fault {
	r.completed = arc.Completed
	emitted, jump, f := r.effects(arc.Effects)
	if f != nil {
		return f
	}
	r.turns = append(r.turns, emitted...)
	target, f := r.target(arc)
	if f != nil {
		return f
	}
	if jump != "" {
		r.completed, target = false, jump
	}
	if target == "" || target == stay {
		return nil
	}
	return r.move(target)
}

// target is where an arc leads. A computed one names a state as a written one
// does.
func (r *run) target(arc *artifact.Arc) (string, *fault) {
	if arc.Computed == nil {
		return arc.Target, nil
	}
	v, err := value(*arc.Computed, r.roots())
	if err != nil {
		return "", broken("", "target: "+err.Error())
	}
	name, ok := v.(string)
	if ok && (name == "" || name == stay) {
		return "", nil
	}
	path, found := resolve(r.req.Program, r.state, name)
	if !ok || !found {
		return "", broken("", "target: "+show(v)+" is no state here")
	}
	return path, nil
}

// stay is the on_error target that means: remain in the current room.
const stay = "."

// move enters a room and its rooms around it, and runs their on_enter outer
// to inner. A jump out of an on_enter leaves the rest of the way.
func (r *run) move(target string) *fault {
	if findState(r.req.Program, target) == nil {
		return broken("", "there is no room "+target)
	}
	for _, s := range entered(r.req.Program, r.state, target) {
		r.state = s.Path
		if s.Drive && !slices.Contains(r.passed, s.Path) {
			r.passed = append(r.passed, s.Path)
		}
		r.observe(Event{Kind: StateEntered})
		if s.Seed != nil {
			if f := r.set(s.Seed); f != nil {
				return f
			}
		}
		emitted, jump, f := r.effects(s.OnEnter)
		if f != nil {
			return f
		}
		r.turns = append(r.turns, emitted...)
		if jump != "" {
			return r.jump(jump)
		}
	}
	return nil
}

func (r *run) jump(target string) *fault {
	r.completed = false
	if target == stay {
		return nil
	}
	if f := r.hop(); f != nil {
		return f
	}
	return r.move(target)
}
