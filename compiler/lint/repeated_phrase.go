package lint

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/text"
)

// repeatedPhrase: the same words twice, in one language, for one intent. The
// second adds nothing, and a reader looks for the difference.
func repeatedPhrase(s *subject) {
	for _, in := range allIntents(s.Story) {
		first := map[string]source.Str{}
		for _, lists := range [][]source.Phrases{in.Examples, in.Synonyms} {
			for _, p := range lists {
				for _, phrase := range p.List {
					s.repeated(p.Locale.Val+"\x00"+spoken(phrase.Val), phrase, first)
				}
			}
		}
	}
}

func (s *subject) repeated(key string, phrase source.Str, first map[string]source.Str) {
	if old, twice := first[key]; twice {
		s.ds.Addf(diag.RepeatedPhrase, phrase.Pos, "%q is listed twice", phrase.Val).
			Hintf("remove one of the two").Also(old.Pos, "first listed here")
		return
	}
	first[key] = phrase
}

// spoken is a phrase as matching compares it; a pattern stays as written.
func spoken(phrase string) string {
	if !pattern.Plain(phrase) {
		return phrase
	}
	return strings.TrimRight(strings.Join(text.Words(phrase), " "), " .!")
}
