package lint

import (
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/text"
)

// shortExchange: "push" alone is a command that its author chose; "upload",
// which means it only through a group of words, is an everyday word that
// nobody chose.
func shortExchange(s *subject) {
	for _, in := range allIntents(s.Story) {
		r := s.reach[in.Name.Val]
		if r == nil || in.Confirm || in.Hidden || !r.top.Above(spec.Read) {
			continue
		}
		for _, p := range phrasesOf(in) {
			if word := onlyWord(p.Val); word != "" {
				s.exchanged(p, word, in.Name.Val)
			}
		}
	}
}

func (s *subject) exchanged(p source.Str, word, intent string) {
	for _, group := range s.Story.Routing.Synonyms {
		at := slices.IndexFunc(group, func(m source.Str) bool { return strings.EqualFold(m.Val, word) })
		if at < 0 || len(group) < 2 {
			continue
		}
		other := group[(at+1)%len(group)]
		s.ds.Addf(diag.ShortExchange, p.Pos, "%q is so short that %q alone starts %s too", p.Val, strings.Replace(p.Val, word, other.Val, 1), intent).
			Hintf("leave %q out of word_synonyms, and write longer phrases with the other words", word).
			Also(group[at].Pos, "the group")
	}
}

// onlyWord is the one word of a plain phrase that says what to do: the others
// are small.
func onlyWord(phrase string) string {
	if !pattern.Plain(phrase) {
		return ""
	}
	words := slices.DeleteFunc(text.Words(phrase), small)
	if len(words) != 1 {
		return ""
	}
	return words[0]
}
