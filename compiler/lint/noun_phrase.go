package lint

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/pattern"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/text"
)

// nounPhrase: "tests" alone may be an answer to a question the agent asked.
// An intent that asks first, or only reads, does no harm.
func nounPhrase(s *subject) {
	pack, err := packs.Load(s.locale())
	if err != nil {
		return // the compiler has said so
	}
	asks := map[string]bool{}
	for _, in := range s.Program.Intents {
		asks[in.Name] = in.Confirm || in.Hidden
	}
	for _, in := range allIntents(s.Story) {
		r := s.reach[in.Name.Val]
		if r == nil || asks[in.Name.Val] || !r.top.Above(spec.Read) {
			continue
		}
		for _, p := range phrasesOf(in) {
			words := slices.DeleteFunc(text.Words(p.Val), func(w string) bool { return w == "." || w == "!" })
			if pattern.Plain(p.Val) && len(words) == 1 && slices.Contains(pack.Nouns, words[0]) {
				s.ds.Addf(diag.NounPhrase, p.Pos, "%q alone is a common noun, and starts %s", p.Val, in.Name.Val).
					Hintf("say what is to be done with it, or set confirm: true")
			}
		}
	}
}

func (s *subject) locale() string {
	if l := s.Story.Routing.Locale.Val; l != "" {
		return l
	}
	return "en"
}
