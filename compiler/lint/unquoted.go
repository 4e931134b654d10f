package lint

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
)

// unquoted: YAML before version 1.2 reads these words as true or false, and
// editors and other tools still do.
func unquoted(s *subject) {
	for _, text := range s.plainTexts() {
		if switchWord(text.Val) && text.Plain() {
			s.ds.Addf(diag.Unquoted, text.Pos, "other YAML readers take %s for true or false", text.Val).
				Hintf("write \"%s\"", text.Val)
		}
	}
}

// plainTexts are the scalars that must be text: phrases, values of enums, and
// the words of groups.
func (s *subject) plainTexts() []source.Str {
	var out []source.Str
	for _, in := range allIntents(s.Story) {
		out = append(out, phrasesOf(in)...)
		for _, slot := range in.Slots {
			out = append(out, slot.Values...)
			for _, a := range slot.Synonyms {
				out = append(append(out, a.Value), a.Phrases...)
			}
		}
	}
	for _, k := range s.Story.World {
		out = append(out, k.Values...)
	}
	for _, group := range s.Story.Routing.Synonyms {
		out = append(out, group...)
	}
	return out
}

func switchWord(w string) bool {
	switch strings.ToLower(w) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}
