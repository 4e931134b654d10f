// Package text is the only place that folds text. It turns what a person
// typed, and what a story's author wrote, into the same tokens, so that the
// compiler and the runtime can never disagree about a word.
//
// In: any string. Out: tokens with a folded form and the byte range they
// cover in the original. Invariants: no stop words and no stemming, since
// "the commit", "committed" and "don't" carry the meaning; every byte that is
// not white space lies in some token's range; a phrase's key depends on
// nothing but its own text. Exact keys of one Version mean nothing under
// another. It refuses nothing: invalid UTF-8 becomes symbol tokens.
package text

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Version names this normaliser. It grows with every change of what a text
// folds to, or of the classes that runtime/match gives to words; an artifact
// made under another version is refused.
const Version = 2

// Kind tells words from punctuation.
type Kind uint8

// The kinds of a token.
const (
	Word     Kind = iota
	Comma         // , and its full-width and ideographic forms
	Boundary      // . ! ? ; : and the end of a line
	Quote         // " ' ` at a word's edge
	Symbol        // any other mark, an emoji, a control character
)

// Token is one unit of a text. Start and End are its byte range in the
// source; the two halves of a contraction share one range.
type Token struct {
	Kind       Kind
	Mixed      bool // letters of more than one script
	Start, End int
	from, to   int
}

// Text is a tokenised text. Parse reuses its memory, so that deciding about
// a prompt allocates nothing; the zero Text is ready.
type Text struct {
	Source string
	Tokens []Token
	folded []byte
	runes  []mark
	nfkc   []byte
}

// mark is one normalised rune and the byte range it came from.
type mark struct {
	r          rune
	start, end int
}

// Parse tokenises src into t, forgetting what t held.
func (t *Text) Parse(src string) {
	t.Source = src
	t.Tokens, t.folded, t.runes = t.Tokens[:0], t.folded[:0], t.runes[:0]
	t.normalise()
	rs := trim(t.runes)
	for i := 0; i < len(rs); {
		switch {
		case rs[i].r == '\n':
			t.single(rs[i])
			i++
		case unicode.IsSpace(rs[i].r):
			i++
		default:
			j := i + 1
			for j < len(rs) && !unicode.IsSpace(rs[j].r) {
				j++
			}
			t.chunk(rs[i:j])
			i = j
		}
	}
}

// Word gives the folded form of token i. The bytes are valid until the next
// Parse.
func (t *Text) Word(i int) []byte { return t.folded[t.Tokens[i].from:t.Tokens[i].to] }

// Unspaced tells whether token i is a character of a script without blanks.
func (t *Text) Unspaced(i int) bool {
	r, size := utf8.DecodeRune(t.Word(i))
	return size == len(t.Word(i)) && Unspaced(r)
}

// AppendKey appends the exact key of tokens i to j (excluding j): their
// folded forms with one blank between them.
func (t *Text) AppendKey(dst []byte, i, j int) []byte {
	for k := i; k < j; k++ {
		if k > i {
			dst = append(dst, ' ')
		}
		dst = append(dst, t.Word(k)...)
	}
	return dst
}

// Span gives the source bytes of tokens i to j (excluding j), as typed.
func (t *Text) Span(i, j int) string {
	if i >= j {
		return ""
	}
	return t.Source[t.Tokens[i].Start:t.Tokens[j-1].End]
}

// Words gives the folded tokens of src, for callers outside the prompt's
// path.
func Words(src string) []string {
	var t Text
	t.Parse(src)
	out := make([]string, len(t.Tokens))
	for i := range out {
		out[i] = string(t.Word(i))
	}
	return out
}

// Key gives the exact key of a whole text.
func Key(src string) string {
	var t Text
	t.Parse(src)
	return string(t.AppendKey(nil, 0, len(t.Tokens)))
}

// normalise fills t.runes: NFKC, straight quotes and dashes, case folded.
func (t *Text) normalise() {
	src := t.Source
	t.runes = slices.Grow(t.runes, len(src)) // at once: growing step by step touches ever new memory
	t.folded = slices.Grow(t.folded, len(src))
	for i := 0; i < len(src); {
		if c := src[i]; c < utf8.RuneSelf && (i+1 == len(src) || src[i+1] < utf8.RuneSelf) {
			t.runes = append(t.runes, mark{lowerASCII(c), i, i + 1})
			i++
			continue
		}
		i = t.composed(i)
	}
}

// composed appends the normal form of the characters that begin at byte i,
// up to the next place where normalisation may stop, and returns that place.
func (t *Text) composed(i int) int {
	n := norm.NFKC.NextBoundaryInString(t.Source[i:], true)
	if n <= 0 {
		n = len(t.Source) - i
	}
	if r, w := utf8.DecodeRuneInString(t.Source[i:]); w == n && '！' <= r && r <= '～' {
		t.fold(r-'！'+'!', i, i+n) // full-width ASCII, for which norm would allocate
		return i + n
	}
	t.nfkc = norm.NFKC.AppendString(t.nfkc[:0], t.Source[i:i+n])
	for out := t.nfkc; len(out) > 0; {
		r, w := utf8.DecodeRune(out)
		out = out[w:]
		t.fold(straight(r), i, i+n)
	}
	return i + n
}

// fold appends the case-folded form of r.
func (t *Text) fold(r rune, start, end int) {
	if r == 'ß' || r == 'ẞ' { // the one full folding that European prompts need
		t.runes = append(t.runes, mark{'s', start, end}, mark{'s', start, end})
		return
	}
	t.runes = append(t.runes, mark{unicode.ToLower(unicode.ToUpper(r)), start, end})
}

func lowerASCII(c byte) rune {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return rune(c)
}

// straight maps typographic marks to the ones people type.
func straight(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', 'ʼ', '′', '‹', '›':
		return '\''
	case '“', '”', '„', '‟', '″', '«', '»', '「', '」', '『', '』':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	case '。', '｡':
		return '.'
	case '、', '､':
		return ','
	}
	return r
}

// trim drops the outer white space.
func trim(rs []mark) []mark {
	for len(rs) > 0 && unicode.IsSpace(rs[0].r) {
		rs = rs[1:]
	}
	for len(rs) > 0 && unicode.IsSpace(rs[len(rs)-1].r) {
		rs = rs[:len(rs)-1]
	}
	return rs
}
