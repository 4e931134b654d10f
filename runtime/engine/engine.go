// Package engine runs what a story declares: rooms, arcs, guards, the world,
// effects. It is the one executor, and it works strictly in order.
//
// In goes a Request (a program, the room a person stands in, the intent they
// meant with its slots); out comes an Outcome. A one-shot starts in the bound
// room without its on_enter, on a world made of the defaults and the
// binding's values, and keeps nothing afterwards.
//
// Invariants: a guard sees the world as it is when it is evaluated; a world
// key always holds a value of its declared type; nothing runs before every
// precondition of the arc held; an outcome never claims more than was seen.
//
// A command that exits non-zero is data, and a story may handle it: by
// fail_on_error and on_error, by a guard that looks at what was bound from
// the call and holds, by an arc chosen after such a guard, or by a say that
// names what was bound from ok, exit_code or timed_out. When the turn ends
// and its last call, or its last call above read, was not handled in one of
// these ways, the outcome is failed (timed_out, or error when nothing above
// read had started) and not a success.
//
// It refuses undeclared rooms, world keys and slots, values that do not fit
// their type, and more than 32 hops.
package engine

import (
	"context"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
	"kitsoki/runtime/proc"
)

// HopLimit is how many arcs, emitted turns and jumps to an on_error state
// one prompt may cause: more is a story that goes in circles.
const HopLimit = 32

// DefaultBudget is how long a one-shot may take whose intent declares no
// timeout; MaxBudget is the most an intent may declare.
const (
	DefaultBudget = 5 * time.Second
	MaxBudget     = 15 * time.Minute
)

// Request is one command to run.
type Request struct {
	Program *artifact.Program
	Room    string         // the bound room
	Intent  string         // what the person meant
	Slots   map[string]any // as matched; converted to their declared types
	World   map[string]any // the binding's values over the defaults

	Host    host.Caller
	Dir     string   // working directory, absolute
	Env     []string // environment of host calls, KEY=VALUE
	Session string   // told to children, so that our hook passes there
	Drive   bool     // a drive: its calls may be those that only a drive makes
	// Started is told of each process that may change something, before it
	// works; nil: nobody need be told.
	Started func(proc.Process) error
	// MaxTimeout bounds the intent's budget, 0: only MaxBudget does.
	MaxTimeout time.Duration
	Clock      func() time.Time // nil: nothing is timed
	Observe    func(Event)      // nil: nobody watches
}

// Run runs one command to rest. It never returns an error: what went wrong
// is the outcome.
func Run(ctx context.Context, req Request) Outcome {
	ctx, cancel := context.WithTimeout(ctx, budget(req))
	defer cancel()
	r, f := begin(ctx, req)
	if f == nil {
		f = r.settle()
	}
	return r.outcome(f)
}

// Budget is how long a one-shot of the intent may take.
func Budget(p *artifact.Program, intent string) time.Duration {
	in := findIntent(p, intent)
	if in == nil || in.TimeoutMS <= 0 {
		return DefaultBudget
	}
	return min(time.Duration(in.TimeoutMS)*time.Millisecond, MaxBudget)
}

func budget(req Request) time.Duration {
	b := Budget(req.Program, req.Intent)
	if in := findIntent(req.Program, req.Intent); req.Drive && (in == nil || in.TimeoutMS <= 0) {
		b = DriveBudget
	}
	if req.MaxTimeout > 0 {
		b = min(b, req.MaxTimeout)
	}
	return b
}

// run is one command on its way.
type run struct {
	ctx   context.Context
	req   Request
	start string // where the person stands
	state string
	world map[string]any
	slots map[string]any
	turns []turn // emitted, not yet dispatched
	hops  int

	before    map[string]any // the world at the start
	passed    []string       // states entered that begin a flow which is driven
	completed bool           // the last arc says that its end is the job done
	effectful bool           // something above read has started
	detach    bool           // the intent's command goes on when the run is over
	said      []string
	calls     []HostCall
	open      []*unhandled
}

// turn is an intent to dispatch.
type turn struct {
	intent string
	slots  map[string]any
}

// begin checks the request and prepares the world.
func begin(ctx context.Context, req Request) (*run, *fault) {
	r := &run{ctx: ctx, req: req, state: req.Room}
	if findState(req.Program, req.Room) == nil {
		return r, broken("", "there is no room "+req.Room)
	}
	world, err := World(req.Program, req.World)
	if err != nil {
		return r, broken("", err.Error())
	}
	r.world, r.before = world, copyOf(world)
	r.state = innermost(req.Program, req.Room)
	r.start = r.state
	r.turns = []turn{{intent: req.Intent, slots: req.Slots}}
	if in := findIntent(req.Program, req.Intent); in != nil {
		r.detach = in.Detach
	}
	return r, nil
}

// settle dispatches turns until none is left or the session has ended.
func (r *run) settle() *fault {
	for len(r.turns) > 0 && !r.terminal() {
		next := r.turns[0]
		r.turns = r.turns[1:]
		if f := r.turn(next); f != nil {
			return f
		}
	}
	return r.unhandledFault()
}

func (r *run) terminal() bool {
	s := findState(r.req.Program, r.state)
	return s != nil && s.Terminal
}

// hop counts a step that could go in circles.
func (r *run) hop() *fault {
	if r.hops++; r.hops > HopLimit {
		return broken(HopLimitReached, "the story goes in circles: more than 32 hops")
	}
	return nil
}
