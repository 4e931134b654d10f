package engine

import (
	"fmt"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
)

// effects runs a list top to bottom. It returns the turns the list emits and
// the room to go to after a domain error; such an error drops the rest of
// the list with all it has emitted.
func (r *run) effects(list []artifact.Effect) (emitted []turn, jump string, f *fault) {
	for i := range list {
		e := &list[i]
		holds, f := r.applies(e)
		if f != nil {
			return nil, "", f
		}
		if !holds {
			continue
		}
		t, jump, f := r.effect(e)
		if f != nil || jump != "" {
			return nil, jump, f
		}
		if t != nil {
			emitted = append(emitted, *t)
		}
	}
	return emitted, "", nil
}

// applies evaluates an effect's guard. One that holds has dealt with the
// calls it looked at; one that does not hold led to nothing.
func (r *run) applies(e *artifact.Effect) (bool, *fault) {
	if e.When == nil {
		return true, nil
	}
	holds, f := r.guard(e.When.Src, r.roots())
	if holds {
		r.lookedAt(e.When.Src)
	}
	return holds, f
}

// effect runs one action.
func (r *run) effect(e *artifact.Effect) (*turn, string, *fault) {
	switch {
	case e.Set != nil:
		return nil, "", r.set(e.Set)
	case e.Increment != nil:
		return nil, "", r.increment(e.Increment)
	case e.Say != nil:
		return nil, "", r.say(e.Say)
	case e.Invoke != nil:
		jump, f := r.invoke(e.Invoke)
		return nil, jump, f
	case e.Emit != nil:
		t, f := r.emit(e.Emit)
		return t, "", f
	}
	return nil, "", nil
}

// set evaluates every right-hand side against the world before the block,
// then commits them together.
func (r *run) set(fields []artifact.Field) *fault {
	next := copyOf(r.world)
	for _, fd := range fields {
		v, err := value(fd.Value, r.roots())
		if err == nil {
			err = write(r.req.Program, next, fd.Name, v)
		}
		if err != nil {
			return broken("", "set "+fd.Name+": "+err.Error())
		}
	}
	r.commit(next, names(fields))
	return nil
}

// increment adds to numbers; it, too, commits together.
func (r *run) increment(fields []artifact.Field) *fault {
	next := copyOf(r.world)
	for _, fd := range fields {
		by, err := value(fd.Value, r.roots())
		if err != nil {
			return broken("", "increment "+fd.Name+": "+err.Error())
		}
		sum, ok := add(r.world[fd.Name], by)
		if !ok {
			return broken("", fmt.Sprintf("increment %s: %s can't be added to %s", fd.Name, show(by), show(r.world[fd.Name])))
		}
		if err := write(r.req.Program, next, fd.Name, sum); err != nil {
			return broken("", "increment "+fd.Name+": "+err.Error())
		}
	}
	r.commit(next, names(fields))
	return nil
}

func add(a, b any) (any, bool) {
	x, okX := a.(int)
	y, okY := b.(int)
	if okX && okY {
		return x + y, true
	}
	f, okF := asFloat(a)
	g, okG := asFloat(b)
	if !okF || !okG {
		return nil, false
	}
	return f.(float64) + g.(float64), true
}

func names(fields []artifact.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// commit makes next the world and tells what was written, in order.
func (r *run) commit(next map[string]any, keys []string) {
	r.world = next
	for _, k := range keys {
		r.observe(Event{Kind: WorldSet, Key: k, Value: next[k]})
	}
}

func (r *run) say(t *artifact.Text) *fault {
	s, err := expr.Render(t.Src, r.roots())
	if err != nil {
		return broken("", "say: "+err.Error())
	}
	if s = strings.TrimSpace(s); s != "" {
		r.said = append(r.said, s)
	}
	r.spokeOf(t.Src)
	return nil
}

// emit makes a turn of its own; its slots are evaluated now.
func (r *run) emit(e *artifact.Emit) (*turn, *fault) {
	slots, err := objectOf(e.Slots, r.roots())
	if err != nil {
		return nil, broken("", "emit "+e.Intent+": "+err.Error())
	}
	return &turn{intent: e.Intent, slots: slots}, nil
}
