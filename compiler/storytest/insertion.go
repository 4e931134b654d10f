package storytest

import (
	"strings"
	"unicode/utf8"

	"kitsoki/compiler/packs"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/runtime/text"
)

// Insertions holds accepted prompts against the property that a word which
// turns a command into something else makes them pass: each forbidden word
// of the language, put between any two words outside of a captured value.
// Both edges of free text count as inside. Only failures are returned, with
// the number of prompts tried.
func Insertions(f *artifact.File, cases []Case, pack *packs.Pack) (failed []Outcome, tried int) {
	var scratch match.Scratch
	for _, c := range cases {
		room, ok := f.Room(c.Room)
		if c.Intent == "" || !ok {
			continue
		}
		q := match.Query{Prompt: c.Input, Automaton: room.Automaton, Intents: room.Intents, Cover: true}
		d := match.Decide(match.Classify(f, q, &scratch), match.Policy{}, match.Facts{})
		if !d.Intercept {
			continue
		}
		for _, at := range gaps(c.Input, d.Hit) {
			for _, w := range pack.Forbidden {
				changed := c
				changed.Intent = ""
				changed.Input = insert(c.Input, at, w)
				q.Prompt = changed.Input
				tried++
				if o := judge(changed, match.Decide(match.Classify(f, q, &scratch), match.Policy{}, match.Facts{})); !o.OK {
					failed = append(failed, o)
				}
			}
		}
	}
	return failed, tried
}

// insert puts a word into a prompt as its script is written: with blanks
// around it, but for scripts that have none and behind an elision.
func insert(prompt string, at int, word string) string {
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case text.Unspaced(first):
		return prompt[:at] + word + prompt[at:]
	case strings.HasSuffix(word, "'"):
		return prompt[:at] + " " + word + strings.TrimLeft(prompt[at:], " ")
	}
	return prompt[:at] + " " + word + " " + prompt[at:]
}

// gaps gives the places between words, and at both ends, that lie outside of
// every captured value.
func gaps(prompt string, h *match.Hit) []int {
	places := []int{0, len(prompt)}
	before := ' '
	for i, r := range prompt {
		if r == ' ' || i > 0 && (text.Unspaced(r) || text.Unspaced(before)) {
			places = append(places, i)
		}
		before = r
	}
	var out []int
	for _, at := range places {
		if !inside(at, prompt, h) {
			out = append(out, at)
		}
	}
	return out
}

// inside tells whether a place lies in a captured value, or between blanks at
// the edge of free text.
func inside(at int, prompt string, h *match.Hit) bool {
	for _, c := range h.Cover {
		if c.Kind != "slot" {
			continue
		}
		start, end := c.Start, c.End
		if freeText(c.Name, h) {
			start = len(strings.TrimRight(prompt[:start], " "))
			end += len(prompt[end:]) - len(strings.TrimLeft(prompt[end:], " .!。！"))
			if at >= start && at <= end {
				return true
			}
		}
		if at > start && at < end {
			return true
		}
	}
	return false
}

func freeText(name string, h *match.Hit) bool {
	for _, s := range h.Slots {
		if s.Name == name {
			return s.Type == artifact.SlotString || s.Type == artifact.SlotQuoted
		}
	}
	return false
}
