package main

import (
	"fmt"
	"io/fs"
	"strings"

	"kitsoki/compiler/phrase"
	"kitsoki/compiler/storytest"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

// suggest says why nothing covers a prompt, what came nearest, and what
// adding the prompt to that intent would newly take. It advises to add only
// what begins as the nearest phrase does and leaves no value out: else the
// prompt is likely to mean something else.
func (a *app) suggest(b *bound, e *explanation) {
	near := b.gate.Near(e.Prompt)
	if near.Token >= 0 {
		where := "does not go on any phrase"
		if near.Unknown {
			where = "is in no phrase"
		}
		e.Detail = fmt.Sprintf("token %d %q (column %d) %s", near.Token+1, near.Text, near.Column, where)
	}
	if near.Intent == "" {
		return
	}
	e.Nearest = &nearestPart{
		Intent: near.Intent, Phrase: near.Source, After: near.After, Expected: near.Expected,
		Place: fmt.Sprintf("%s %s:%d:%d", b.shown, near.Pos.File, near.Pos.Line, near.Pos.Col),
	}
	core := b.gate.Core(e.Prompt)
	if core == "" || near.After == "" || near.Slots || !phrase.Sayable(core) {
		return
	}
	pass, traced := a.passPhrases(b), a.tracedPrompts(b)
	e.ToAdd = &toAddPart{
		Intent: near.Intent, Synonym: core,
		PassPhrases: len(pass), TakesPass: b.gate.WouldTake(core, pass),
		Traced: len(traced), TakesTraced: b.gate.WouldTake(core, traced),
	}
}

// passPhrases are the prompts that the story's routing tests want to reach
// the model from this room; none for an artifact.
func (a *app) passPhrases(b *bound) []string {
	if strings.HasSuffix(b.shown, artifact.Extension) {
		return nil
	}
	src, err := a.story(b.shown)
	if err != nil {
		return nil
	}
	data, err := fs.ReadFile(src.fsys, storytest.PhrasesFile)
	if err != nil {
		return nil
	}
	cases, _ := storytest.ReadPhrases(storytest.PhrasesFile, data)
	var out []string
	for _, c := range cases {
		if c.Intent == "" && c.Room == b.gate.Room {
			out = append(out, c.Input)
		}
	}
	return out
}

// tracedPrompts are the prompts that passed in this repository for want of a
// phrase, each once.
func (a *app) tracedPrompts(b *bound) []string {
	j := a.journalOf(b.conf, "")
	if j == nil {
		return nil
	}
	entries, err := journal.Read(j.Path, journal.Filter{Type: journal.TypePassed, Reason: string(match.ReasonNoMatch)})
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	var out []string
	for _, e := range entries {
		if e.Passed != nil && !seen[e.Passed.Input] {
			seen[e.Passed.Input] = true
			out = append(out, e.Passed.Input)
		}
	}
	return out
}

// advice renders the nearest phrase and what to add.
func (e explanation) advice(line func(name, format string, args ...any)) {
	if n := e.Nearest; n != nil {
		after := "it begins with "
		if n.After != "" {
			after = fmt.Sprintf("after %q it expects ", n.After)
		}
		line("nearest", "%s: %s%s   %s", artifact.ShownIntent(n.Intent), after, strings.Join(n.Expected, " | "), n.Place)
	}
	if t := e.ToAdd; t != nil {
		line("to add", "%s synonyms: [%q], if that is what it means   would newly take %d of %d pass phrases, %d of %d traced prompts",
			artifact.ShownIntent(t.Intent), t.Synonym, t.TakesPass, t.PassPhrases, t.TakesTraced, t.Traced)
	}
}
