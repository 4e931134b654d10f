package storytest

import (
	"slices"
	"strings"

	"kitsoki/compiler/packs"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/runtime/text"
)

// Frames holds the plain examples of a room against a language pack's own
// frames: polite forms must match the example's intent, questions, negations
// and reports must pass. Intents that ask first take exact phrases only and
// are left out.
func Frames(f *artifact.File, room artifact.Room, pack *packs.Pack) []Outcome {
	var scratch match.Scratch
	var out []Outcome
	try := func(frame, intent string, ex artifact.PhraseView) {
		c := Case{Room: room.Path, Intent: intent, Input: strings.ReplaceAll(frame, "{i}", ex.Source()), Pos: ex.Pos()}
		res := match.Classify(f, match.Query{Prompt: c.Input, Automaton: room.Automaton, Intents: room.Intents}, &scratch)
		d := match.Decide(res, match.Policy{}, match.Facts{})
		if intent == "" && d.Intercept && strings.ContainsAny(d.Hit.Source, "?？") {
			return // the question is itself a declared command
		}
		out = append(out, judge(c, d))
	}
	for _, ex := range examples(f, room) {
		for _, frame := range pack.TestMatch {
			try(frame, f.Intent(ex.Intent()).Name, ex)
		}
		for _, frame := range pack.TestPass {
			try(frame, "", ex)
		}
	}
	return out
}

// examples lists the exact phrases of a room that fillers may stand around.
func examples(f *artifact.File, room artifact.Room) []artifact.PhraseView {
	var out []artifact.PhraseView
	for id := range uint32(f.PhraseCount()) {
		p := f.Phrase(id)
		if p.Kind() != artifact.PhraseExample || !slices.Contains(room.Intents, p.Intent()) {
			continue
		}
		if !f.Intent(p.Intent()).Confirm && !strings.HasSuffix(text.Key(p.Source()), "?") {
			out = append(out, p)
		}
	}
	return out
}
