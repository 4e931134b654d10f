package compiler

import (
	"kitsoki/compiler/diag"
	"kitsoki/compiler/phrase"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

// lowerPhrases makes the image of the program: what may be said in each room
// a person can be bound to.
func lowerPhrases(st *source.Story, p *artifact.Program, tool string, ds *diag.List) *artifact.Image {
	var rooms []phrase.Room
	for _, s := range p.States {
		if s.Terminal {
			continue
		}
		rooms = append(rooms, phrase.Room{Path: s.Path, Intents: intentSet(p, s.Path)})
	}
	return phrase.Lower(st, p, rooms, tool, ds)
}
