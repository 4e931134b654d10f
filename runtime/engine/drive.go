package engine

import (
	"context"
	"strings"
	"time"

	"kitsoki/runtime/artifact"
)

// The budgets of a drive, and of giving it up.
const (
	DriveBudget = 15 * time.Minute
	AbortBudget = 30 * time.Second
)

// Driven is how far a drive came before anything was verified. Passed are the
// states that begin a flow which is driven, in the order in which they were
// first entered.
type Driven struct {
	Outcome   Outcome
	World     map[string]any
	Passed    []string
	Effectful bool // something above read has started
}

// Drive runs a command that may need more than one go: it enters the bound
// room with its on_enter, then does what Run does. To rest inside a flow that
// is driven is to have failed. Nothing is given up here: that is Abort's, on a
// context of its own.
func Drive(ctx context.Context, req Request) Driven {
	req.Drive = true
	ctx, cancel := context.WithTimeout(ctx, budget(req))
	defer cancel()
	r, f := begin(ctx, req)
	if f == nil {
		f = r.arrive()
	}
	if f == nil {
		f = r.settle()
	}
	if f == nil && r.inFlow() {
		f = broken("", "the flow came to rest in "+r.state+" and could not be completed")
		f.hint = firstOf(strings.Join(r.said, "\n"), r.lastError())
	}
	return Driven{Outcome: r.outcome(f), World: r.world, Passed: r.passed, Effectful: r.effectful}
}

// arrive enters the bound room as a person would who comes in. The turn that
// was asked for comes before those that arriving emits.
func (r *run) arrive() *fault {
	room := r.state
	r.state = ""
	f := r.move(room)
	r.start = r.state
	return f
}

// inFlow tells a state that belongs to a flow which is driven.
func (r *run) inFlow() bool {
	for _, s := range lineage(r.req.Program, r.state) {
		if s.Drive {
			return true
		}
	}
	return false
}

// lastError is what the story was told of the last failure.
func (r *run) lastError() string {
	s, _ := r.world["last_error"].(string)
	return s
}

// Abort runs the way back of the states of a flow, that of the last one first,
// from the world as it was left. One that fails does not keep the others from
// running. Whether all is as it was, the caller has to look.
func Abort(ctx context.Context, req Request, world map[string]any, states []string) Outcome {
	req.Drive = true
	r := &run{ctx: ctx, req: req, world: world, before: copyOf(world), state: req.Room, start: req.Room}
	var first *fault
	for i := len(states) - 1; i >= 0; i-- {
		if f := r.wayBack(states[i]); f != nil && first == nil {
			first = f
		}
	}
	return r.outcome(first)
}

// wayBack runs the abort effects of a state, else what its intent abort does.
func (r *run) wayBack(path string) *fault {
	s := findState(r.req.Program, path)
	if s == nil {
		return broken("", "there is no room "+path)
	}
	r.state, r.turns, r.hops = path, nil, 0
	if len(s.Abort) > 0 {
		return r.each(s.Abort)
	}
	if intent, ok := abortIntent(r.req.Program, path); ok {
		r.turns = []turn{{intent: intent}}
		return r.settle()
	}
	return nil
}

// each runs every effect of a way back, whatever became of the one before it.
// The first fault is told.
func (r *run) each(list []artifact.Effect) (first *fault) {
	for i := range list {
		if _, _, f := r.effects(list[i : i+1]); f != nil && first == nil {
			first = f
		}
	}
	return first
}

// abortIntent is the intent abort that a state answers to: that of the story
// it was imported with, else the outermost story's.
func abortIntent(p *artifact.Program, path string) (string, bool) {
	for home := path; ; home = parentPath(home) {
		name := "abort"
		if home != "" {
			name = strings.ReplaceAll(home, ".", "__") + "__abort"
		}
		if _, ok := handler(p, path, name); ok {
			return name, true
		}
		if home == "" {
			return "", false
		}
	}
}

func parentPath(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[:i]
	}
	return ""
}

// Holds asks a state's postcondition. The text says what does not hold, ""
// when all does; declared is false for a state that has none.
func Holds(ctx context.Context, req Request, world map[string]any, state string) (broken string, declared bool) {
	s := findState(req.Program, state)
	if s == nil || s.Postcondition == nil {
		return "", false
	}
	req.Drive = true
	r := &run{ctx: ctx, req: req, world: world, state: state}
	p := s.Postcondition
	result, f := r.ask(&p.Call, map[string]map[string]any{})
	if f != nil {
		return firstOf(f.detail, "the postcondition of "+state+" can't be asked"), true
	}
	env := r.rootsWith(result)
	holds, f := r.guard(p.Require.Src, env)
	switch {
	case f != nil:
		return f.detail, true
	case !holds:
		return firstOf(rendered(p.Hint, env), "it is required after "+state+" that "+p.Require.Src), true
	}
	return "", true
}
