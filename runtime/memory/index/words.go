package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"

	"kitsoki/runtime/text"
)

// analysis version: it grows with every change of what a text's terms are.
const analysisVersion = 1

// language is what a text's words are stemmed by.
type language uint8

const (
	undecided language = iota
	english
	german
)

// lexicon knows the words that carry no content, and the stems of the others.
type lexicon struct {
	english, german, empty analysis.TokenMap
}

func newLexicon() (*lexicon, error) {
	l := &lexicon{english: analysis.NewTokenMap(), german: analysis.NewTokenMap(), empty: analysis.NewTokenMap()}
	if err := l.english.LoadBytes(en.EnglishStopWords); err != nil {
		return nil, err
	}
	if err := l.german.LoadBytes(de.GermanStopWords); err != nil {
		return nil, err
	}
	for _, w := range strings.Fields(askingWords) {
		l.empty.AddToken(w)
	}
	return l, nil
}

// askingWords ask, or refer to the conversation, and say nothing of what is
// asked: bleve's lists, made for documents, lack them.
const askingWords = `
can could will would shall should may might must please
tell tells explain explains explained describe show shows give gives know knows think mean means meant
happen happens happened happening need needs needed want wants anything something someone everything
exactly actually really just also still ever yet else instead maybe perhaps
bitte erkläre erklär zeig zeige sag welch wieso warum weshalb wozu passiert bedeutet gibt mal denn eigentlich genau
`

// stop tells a word without content.
func (l *lexicon) stop(word string) bool {
	return l.english[word] || l.german[word] || l.empty[word] || oneLetter(word)
}

// oneLetter tells a single letter of a script with blanks between words.
func oneLetter(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsLetter(r) && !text.Unspaced(r)
}

// language is the one whose own stop words a text has more of.
func (l *lexicon) language(words []string) language {
	var e, g int
	for _, w := range words {
		switch inE, inG := l.english[w], l.german[w]; {
		case inE && !inG:
			e++
		case inG && !inE:
			g++
		}
	}
	switch {
	case e > g:
		return english
	case g > e:
		return german
	}
	return undecided
}

// words are the folded words of a text, identifiers and paths cut into theirs:
// host.run and max_timeout are two each.
func words(src string) []string {
	var t text.Text
	t.Parse(src)
	var out []string
	for i, tok := range t.Tokens {
		if tok.Kind == text.Word {
			out = append(out, strings.FieldsFunc(string(t.Word(i)), mark)...)
		}
	}
	return out
}

// mark tells what stands between words.
func mark(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}

// stem takes a word's ending off; an undecided one may have a stem in each
// language.
func (l *lexicon) stem(word string, lang language) []string {
	var out []string
	if lang != german {
		out = append(out, stemmed(word, en.NewEnglishStemmerFilter()))
	}
	if lang != english {
		out = append(out, stemmed(word, de.NewGermanLightStemmerFilter()))
	}
	return slices.Compact(out)
}

func stemmed(word string, by analysis.TokenFilter) string {
	return string(by.Filter(analysis.TokenStream{{Term: []byte(word)}})[0].Term)
}

// Analyze implements bleve's analysis.Analyzer: the stems of the words with
// content, each at the place it has among all words, counted from 1.
func (l *lexicon) Analyze(src []byte) analysis.TokenStream {
	all := words(string(src))
	lang := l.language(all)
	if lang == undecided {
		lang = english
	}
	var out analysis.TokenStream
	for i, w := range all {
		if !l.stop(w) {
			out = append(out, &analysis.Token{Term: []byte(l.stem(w, lang)[0]), Position: i + 1, Type: analysis.AlphaNumeric})
		}
	}
	return out
}
