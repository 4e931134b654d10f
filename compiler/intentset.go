package compiler

import (
	"maps"
	"slices"

	"kitsoki/runtime/artifact"
)

// intentSet is the set of intents a person may type while bound to the room:
// those with an arc on the room or one of its ancestors, minus hidden ones,
// sorted. Guards are the engine's to ask, when the world is known.
func intentSet(p *artifact.Program, room string) []string {
	hidden := map[string]bool{}
	for _, in := range p.Intents {
		hidden[in.Name] = in.Hidden
	}
	found := map[string]bool{}
	for _, s := range p.States {
		if !within(room, s.Path) {
			continue
		}
		for _, h := range s.On {
			if skip, declared := hidden[h.Intent]; declared && !skip && len(h.Arcs) > 0 {
				found[h.Intent] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}
