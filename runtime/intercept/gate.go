// Package intercept is one bound room with its story: what decides about a
// prompt there, and what runs the command it decided for.
//
// In: a Binding (an artifact, a room, the world's values, the bar) and a
// prompt. Out: a match.Decision, an engine.Outcome, the Document that
// describes both. Invariants: the intents that may be taken are those of the
// room under the binding's world, nothing more; deciding runs no effect. It
// refuses artifacts that are not whole and rooms that do not exist: an
// unknown room is an error, never an empty set of intents.
package intercept

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/match"
)

// Binding names what a person's prompts are held against.
type Binding struct {
	Room       string
	World      map[string]any // values over the story's defaults
	Bar        float64        // 0: the default
	Escape     string         // escape prefix, "" for none
	MaxTimeout time.Duration  // the user's limit, 0 for none
	MaxEffect  spec.Effect    // the user's limit, "" for none
	Cover      bool           // decisions account for every token
}

// Gate is an open binding. It is not safe for concurrent use.
type Gate struct {
	Binding
	file    *artifact.File
	program *artifact.Program
	room    artifact.Room
	intents []uint32
	scratch match.Scratch
}

// RoomError says that an artifact has no room of that name.
type RoomError struct {
	Room  string
	Rooms []string
}

func (e *RoomError) Error() string {
	return fmt.Sprintf("there is no room %q; there are: %s", e.Room, strings.Join(e.Rooms, ", "))
}

// Open binds a room of an open artifact. The error is a *RoomError, a damaged
// artifact's *artifact.LoadError, or what is wrong with the world's values.
func Open(f *artifact.File, b Binding) (*Gate, error) {
	p, err := f.Program()
	if err != nil {
		return nil, err
	}
	g := &Gate{Binding: b, file: f, program: p}
	var ok bool
	if g.room, ok = f.Room(b.Room); !ok {
		return nil, &RoomError{b.Room, rooms(f)}
	}
	if _, err := engine.World(p, b.World); err != nil {
		return nil, fmt.Errorf("the binding's world: %w", err)
	}
	g.intents = g.intentSet()
	return g, nil
}

// rooms lists the rooms in which something can be said.
func rooms(f *artifact.File) []string {
	var out []string
	for _, r := range f.Rooms() {
		if len(r.Intents) > 0 {
			out = append(out, r.Path)
		}
	}
	return out
}

// intentSet narrows the room's intents to those the world does not block.
func (g *Gate) intentSet() []uint32 {
	names := engine.IntentSet(g.program, g.Room, g.World)
	var out []uint32
	for _, i := range g.room.Intents {
		if int(i) < len(g.program.Intents) && slices.Contains(names, g.program.Intents[i].Name) {
			out = append(out, i)
		}
	}
	return out
}

// Program is the story's executable part.
func (g *Gate) Program() *artifact.Program { return g.program }

// Intents names what may be said in the room, in order.
func (g *Gate) Intents() []string {
	out := make([]string, len(g.intents))
	for i, id := range g.intents {
		out[i] = g.program.Intents[id].Name
	}
	return out
}

// IntentIDs are the intents of Intents as the artifact counts them.
func (g *Gate) IntentIDs() []uint32 { return slices.Clone(g.intents) }

// Blocked names the room's intents that the world keeps out, in order.
func (g *Gate) Blocked() []string {
	var out []string
	for _, id := range g.room.Intents {
		if !slices.Contains(g.intents, id) && int(id) < len(g.program.Intents) {
			out = append(out, g.program.Intents[id].Name)
		}
	}
	return out
}

// Classify asks the tables about a prompt. It runs nothing.
func (g *Gate) Classify(prompt string) match.Result {
	return match.Classify(g.file, g.query(prompt), &g.scratch)
}

func (g *Gate) query(prompt string) match.Query {
	return match.Query{
		Prompt: prompt, Escape: g.Escape, Automaton: g.room.Automaton, Intents: g.intents, Cover: g.Cover,
	}
}

// Near says what a prompt that passed came closest to.
func (g *Gate) Near(prompt string) match.Near {
	return match.Nearest(g.file, g.query(prompt), &g.scratch)
}

// Core is a prompt without the fillers around it.
func (g *Gate) Core(prompt string) string { return match.Core(g.file, prompt, &g.scratch) }

// WouldTake counts the prompts that a plain phrase, added to the story,
// would take and that pass today.
func (g *Gate) WouldTake(phrase string, prompts []string) int {
	n := 0
	for _, p := range prompts {
		if match.WouldTake(g.file, phrase, p, &g.scratch) {
			n++
		}
	}
	return n
}

// Decide says what to do with a prompt. An intent that reaches further than
// the user's limit allows passes.
func (g *Gate) Decide(prompt string, facts match.Facts) match.Decision {
	d := match.Decide(g.Classify(prompt), match.Policy{Bar: g.Bar}, facts)
	if !d.Intercept {
		return d
	}
	if g.Beyond(d.Hit.Intent) {
		d.Intercept, d.Reason = false, match.ReasonUntrusted
		d.Detail = fmt.Sprintf("policy.max_effect is %s, and %s reaches %s", g.MaxEffect, d.Hit.Shown(), g.Effect(d.Hit.Intent))
	}
	return d
}

// Beyond tells an intent that reaches further than the user's limit.
func (g *Gate) Beyond(intent string) bool {
	return g.MaxEffect != "" && reach(g.Effect(intent)) > reach(g.MaxEffect)
}

// Effect is how far an intent can reach.
func (g *Gate) Effect(intent string) spec.Effect {
	return cmp.Or(engine.Effects(g.program, g.Room, intent), spec.Read)
}

// Budget is how long an intent may take here.
func (g *Gate) Budget(intent string) time.Duration {
	b := engine.Budget(g.program, intent)
	if g.MaxTimeout > 0 {
		b = min(b, g.MaxTimeout)
	}
	return b
}

func reach(e spec.Effect) int {
	return slices.Index([]spec.Effect{spec.Read, spec.Write, spec.Network, spec.Destructive}, e)
}
