package lint

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/runtime/text"
)

// nearPhrases: a slip of the pen, a swapped word or an article more must not
// start another command. The index names the phrase that is nearest to each
// one among the other intents of its room.
func nearPhrases(s *subject) {
	if s.File == nil {
		return
	}
	var scratch match.Scratch
	said := map[[2]artifact.Pos]bool{}
	for _, room := range s.File.Rooms() {
		for _, in := range allIntents(s.Story) {
			id, ok := s.intentID(room, in.Name.Val)
			if !ok {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(room.Intents), func(i uint32) bool { return i == id })
			for _, p := range phrasesOf(in) {
				near := match.Nearest(s.File, match.Query{Prompt: p.Val, Intents: others, Automaton: room.Automaton}, &scratch)
				if near.Intent == "" || !pattern.Plain(p.Val) || !pattern.Plain(near.Source) || !close(text.Words(p.Val), text.Words(near.Source)) {
					continue
				}
				s.tooClose(p, near, in.Name.Val, said)
			}
		}
	}
}

func (s *subject) tooClose(p source.Str, near match.Near, intent string, said map[[2]artifact.Pos]bool) {
	if said[[2]artifact.Pos{p.Pos, near.Pos}] || said[[2]artifact.Pos{near.Pos, p.Pos}] {
		return
	}
	said[[2]artifact.Pos{p.Pos, near.Pos}] = true
	s.ds.Addf(diag.NearPhrases, p.Pos, "%q (%s) is one slip away from %q (%s)", p.Val, intent, near.Source, near.Intent).
		Hintf("choose words that differ more").Also(near.Pos, "the other phrase")
}

// intentID finds an intent that a room offers.
func (s *subject) intentID(room artifact.Room, name string) (uint32, bool) {
	for _, id := range room.Intents {
		if s.File.Intent(id).Name == name {
			return id, true
		}
	}
	return 0, false
}

// close: the same words in another order, a small word more, or one word that
// differs by one letter or is small in both.
func close(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	switch len(b) - len(a) {
	case 0:
		return reordered(a, b) || oneWord(a, b)
	case 1:
		return oneMore(a, b)
	}
	return false
}

func reordered(a, b []string) bool {
	x, y := slices.Clone(a), slices.Clone(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func oneWord(a, b []string) bool {
	at := -1
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if at >= 0 {
			return false
		}
		at = i
	}
	return at >= 0 && (oneLetter([]rune(a[at]), []rune(b[at])) || small(a[at]) && small(b[at]))
}

// oneMore: b is a with one small word put in.
func oneMore(a, b []string) bool {
	at := 0
	for at < len(a) && a[at] == b[at] {
		at++
	}
	return small(b[at]) && slices.Equal(a[at:], b[at+1:])
}

// oneLetter: one letter more, less, other, or two swapped.
func oneLetter(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	at := 0
	for at < len(a) && a[at] == b[at] {
		at++
	}
	switch len(b) - len(a) {
	case 1:
		return slices.Equal(a[at:], b[at+1:])
	case 0:
		if at == len(a) {
			return false
		}
		swapped := at+1 < len(a) && a[at] == b[at+1] && a[at+1] == b[at] && slices.Equal(a[at+2:], b[at+2:])
		return swapped || slices.Equal(a[at+1:], b[at+1:])
	}
	return false
}

// small words carry too little to tell two commands apart.
func small(w string) bool {
	switch w {
	case "a", "an", "the", "my", "our", "this", "that", "these", "those", "it", "all", "of", ",":
		return true
	}
	return false
}
