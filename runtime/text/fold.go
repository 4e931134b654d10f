package text

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Span is a byte range of a text.
type Span struct{ Start, End int }

// Folded gives the characters of a text in lower case and taken apart as far
// as they go (NFKD), an accent from its letter, a wide or a ringed letter to
// the plain one; each with the bytes it came from. It is for those who look
// for a text behind its disguises; words are compared by Parse.
func Folded(src string) iter.Seq2[rune, Span] {
	return func(yield func(rune, Span) bool) {
		for i := 0; i < len(src); {
			_, n := utf8.DecodeRuneInString(src[i:])
			for _, r := range norm.NFKD.String(src[i : i+n]) {
				if !yield(unicode.ToLower(unicode.ToUpper(r)), Span{i, i + n}) {
					return
				}
			}
			i += n
		}
	}
}
