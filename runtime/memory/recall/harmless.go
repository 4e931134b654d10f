package recall

import (
	"html"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"kitsoki/runtime/text"
)

// neutral takes the place of the frame's marker in what others wrote.
const neutral = "[marker]"

// harmless makes a text unable to end the frame it stands in: lines end in one
// way, characters that do not show are gone, and so is the marker, whatever
// its case, what stands between its letters, and whichever alphabet they are
// borrowed from.
func harmless(s string) string {
	s = visible(s)
	for {
		from, to := findMarker(s)
		if from < 0 {
			return s
		}
		s = s[:from] + neutral + s[to:]
	}
}

// visible makes one newline of every kind of line end, and drops characters
// of control and format, which could carry a text that only a machine reads.
func visible(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
			return '\n'
		case '\t':
			return r
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, s)
}

// letter is a letter of a text and the bytes it came from.
type letter struct {
	r          rune
	start, end int
}

// findMarker finds the marker by its letters alone; -1 when there is none.
func findMarker(s string) (from, to int) {
	var all []letter // one for each byte of what they spell
	var spelled strings.Builder
	for _, p := range entities(s) {
		for l := range p.letters() {
			for range utf8.RuneLen(l.r) {
				all = append(all, l)
			}
			spelled.WriteRune(l.r)
		}
	}
	name := markerLetters()
	at := strings.Index(spelled.String(), name)
	if at < 0 {
		return -1, -1
	}
	return all[at].start, all[at+len(name)-1].end
}

// letters are the letters and digits of a piece, as they look.
func (p piece) letters() iter.Seq[letter] {
	return func(yield func(letter) bool) {
		for r, span := range text.Folded(p.text) {
			l := letter{plain(r), p.start + span.Start, p.start + span.End}
			if p.whole {
				l.start, l.end = p.start, p.end
			}
			if (unicode.IsLetter(l.r) || unicode.IsDigit(l.r)) && !yield(l) {
				return
			}
		}
	}
}

// piece is a stretch of a text: as it is, or a character reference of HTML,
// whole, with what it stands for.
type piece struct {
	text       string
	start, end int
	whole      bool
}

// maxEntity is the longest character reference that is looked for, in bytes.
const maxEntity = 32

// entities cuts a text at its character references.
func entities(s string) []piece {
	var out []piece
	from := 0
	for i := 0; i < len(s); i++ {
		end := strings.IndexByte(s[i:min(len(s), i+maxEntity)], ';')
		if s[i] != '&' || end < 0 {
			continue
		}
		ref := s[i : i+end+1]
		if as := html.UnescapeString(ref); as != ref {
			out = append(out, piece{s[from:i], from, i, false}, piece{as, i, i + len(ref), true})
			i += end
			from = i + 1
		}
	}
	return append(out, piece{s[from:], from, len(s), false})
}

// plain is the Latin letter that a letter looks like, of those that the marker
// has; i, l and 1 are one. The pairs are from Unicode's confusables.txt (UTS
// 39); what NFKD takes apart is plain already.
func plain(r rune) rune {
	for _, first := range []rune{0x1F150, 0x1F170, 0x1F1E6} { // letters in black circles, in black squares, of flags
		if first <= r && r < first+26 {
			r += 'a' - first
		}
	}
	for _, row := range []string{"aаɑα⍺ᴀ", "cсϲᴄ", "dԁᏧᴅ", "eеҽεᴇ", "ilіɩıιӏɪʟǀ1", "kкκᴋ", "nոпᴨηɴ", "oоօᴏσο0", "rгᴦʀ", "sѕꜱ", "tтτᴛ"} {
		first, size := utf8.DecodeRuneInString(row)
		if strings.ContainsRune(row[size:], r) {
			return first
		}
	}
	return r
}

// markerLetters is the marker as its letters are looked for.
func markerLetters() string {
	return strings.ReplaceAll(strings.ReplaceAll(marker, "-", ""), "l", "i")
}
