package text

import (
	"unicode"
	"unicode/utf8"
)

// chunk tokenises a run without white space: what stands alone cuts it, the
// rest are words with outer punctuation.
func (t *Text) chunk(rs []mark) {
	from := 0
	for i := range rs {
		if alone(rs[i].r) || t.wide(rs[i]) {
			t.word(rs[from:i])
			t.single(rs[i])
			from = i + 1
		}
	}
	t.word(rs[from:])
}

// Unspaced tells the characters of scripts that are written without blanks
// between words: Han, Kana, Hangul. Each is a word of its own. The long-vowel
// and closing marks belong to no script in Unicode's tables, and are only
// written within these.
func Unspaced(r rune) bool {
	return r >= 0x1100 && (r == 'ー' || r == '〆' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}

// wide tells a full-width mark: no blank is written behind one, so that it
// ends a word where its narrow form may stand inside of one (go.mod). In
// UTF-8 they begin with 0xe3 or more, and no Western mark does.
func (t *Text) wide(m mark) bool {
	if t.Source[m.start] < 0xe3 {
		return false
	}
	k := kindOf(m.r)
	return k == Comma || k == Boundary
}

// alone tells runes that are a token of their own wherever they stand: those
// of unspaced scripts, emoji and other pictures, control and format
// characters.
func alone(r rune) bool {
	if r < 0x80 {
		return r < ' ' || r == 0x7f
	}
	return Unspaced(r) ||
		unicode.In(r, unicode.So, unicode.Sk, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) ||
		unicode.Is(unicode.Variation_Selector, r) || r == utf8.RuneError
}

// word emits leading punctuation, the core, trailing punctuation. A run
// without any letter or digit is punctuation only.
func (t *Text) word(rs []mark) {
	if !hasCore(rs) {
		for _, m := range rs {
			t.single(m)
		}
		return
	}
	i, j := 0, len(rs)
	for i < j && opens(rs[i].r) {
		t.single(rs[i])
		i++
	}
	for j > i && closes(rs[j-1].r) {
		j--
	}
	t.core(rs[i:j])
	for ; j < len(rs); j++ {
		t.single(rs[j])
	}
}

func hasCore(rs []mark) bool {
	for _, m := range rs {
		if unicode.IsLetter(m.r) || unicode.IsDigit(m.r) {
			return true
		}
	}
	return false
}

// opens tells the punctuation that is split off before a word. "-", ".",
// "/", "@", "#" stay: -rf, .gitignore, /help, @file and #42 are one word.
func opens(r rune) bool {
	switch r {
	case '"', '\'', '`', '(', '[', '{', '<', '*', ',', ';', ':', '!', '?', '¿', '¡':
		return true
	}
	return false
}

// closes tells the punctuation that is split off behind a word.
func closes(r rune) bool {
	switch r {
	case '"', '\'', '`', ')', ']', '}', '>', '*', ',', ';', ':', '!', '?', '.':
		return true
	}
	return false
}

// core emits a word, or the words of a contraction over the same range.
func (t *Text) core(rs []mark) {
	if len(rs) == 0 {
		return
	}
	tok := Token{Kind: Word, Mixed: mixed(rs), Start: rs[0].start, End: rs[len(rs)-1].end, from: len(t.folded)}
	for _, m := range rs {
		t.folded = utf8.AppendRune(t.folded, m.r)
	}
	first, second := contraction(t.folded[tok.from:])
	if first == "" {
		tok.to = len(t.folded)
		t.Tokens = append(t.Tokens, tok)
		return
	}
	t.folded = t.folded[:tok.from]
	t.part(tok, first)
	if second != "" {
		t.part(tok, second)
	}
}

// part emits one word of a contraction.
func (t *Text) part(tok Token, word string) {
	tok.from = len(t.folded)
	t.folded = append(t.folded, word...)
	tok.to = len(t.folded)
	t.Tokens = append(t.Tokens, tok)
}

// single emits a token of one rune.
func (t *Text) single(m mark) {
	tok := Token{Kind: kindOf(m.r), Start: m.start, End: m.end, from: len(t.folded)}
	t.folded = utf8.AppendRune(t.folded, m.r)
	tok.to = len(t.folded)
	t.Tokens = append(t.Tokens, tok)
}

func kindOf(r rune) Kind {
	switch r {
	case ',':
		return Comma
	case '.', '!', '?', ';', ':', '\n':
		return Boundary
	case '"', '\'', '`':
		return Quote
	}
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return Word
	}
	return Symbol
}

// mixed tells whether a word has letters of more than one script, as a
// look-alike of a command would.
func mixed(rs []mark) bool {
	seen := 0
	for _, m := range rs {
		s := script(m.r)
		if s == 0 || s == seen {
			continue
		}
		if seen != 0 {
			return true
		}
		seen = s
	}
	return false
}

// script numbers the scripts a prompt's words are written in; 0 is shared by
// all (digits, marks, punctuation), 1 Latin, 99 any script not named here.
func script(r rune) int {
	if r < 0x80 {
		if 'a' <= r && r <= 'z' {
			return 1
		}
		return 0
	}
	if !unicode.IsLetter(r) {
		return 0
	}
	for i, table := range [...]*unicode.RangeTable{
		unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Hebrew,
		unicode.Arabic, unicode.Georgian, unicode.Cherokee, unicode.Devanagari, unicode.Thai,
	} {
		if unicode.Is(table, r) {
			return i + 1
		}
	}
	return 99
}

// contraction gives the one or two words a contracted form stands for, "" for
// a word that is none. A prompt's meaning hangs on these: "don't" must carry
// the same "not" as "do not".
func contraction(word []byte) (first, second string) {
	switch string(word) {
	case "let's":
		return "lets", ""
	case "don't", "dont":
		return "do", "not"
	case "doesn't", "doesnt":
		return "does", "not"
	case "didn't", "didnt":
		return "did", "not"
	case "can't", "cant", "cannot":
		return "can", "not"
	case "couldn't", "couldnt":
		return "could", "not"
	case "won't", "wont":
		return "will", "not"
	case "wouldn't", "wouldnt":
		return "would", "not"
	case "shouldn't", "shouldnt":
		return "should", "not"
	case "mustn't":
		return "must", "not"
	case "needn't":
		return "need", "not"
	case "isn't", "isnt":
		return "is", "not"
	case "aren't", "arent":
		return "are", "not"
	case "wasn't", "wasnt":
		return "was", "not"
	case "weren't":
		return "were", "not"
	case "haven't", "havent":
		return "have", "not"
	case "hasn't", "hasnt":
		return "has", "not"
	case "hadn't":
		return "had", "not"
	case "ain't":
		return "is", "not"
	}
	return pronoun(word)
}

// pronoun is the half of the contraction table that begins with a pronoun or
// a question word.
func pronoun(word []byte) (first, second string) {
	switch string(word) {
	case "i'm", "im":
		return "i", "am"
	case "i've", "ive":
		return "i", "have"
	case "i'll":
		return "i", "will"
	case "i'd":
		return "i", "would"
	case "we've":
		return "we", "have"
	case "we're":
		return "we", "are"
	case "we'll":
		return "we", "will"
	case "we'd":
		return "we", "would"
	case "you've":
		return "you", "have"
	case "you're":
		return "you", "are"
	case "you'll":
		return "you", "will"
	case "you'd":
		return "you", "would"
	case "they're":
		return "they", "are"
	case "they've":
		return "they", "have"
	case "it's":
		return "it", "is"
	case "it'll":
		return "it", "will"
	case "he's":
		return "he", "is"
	case "she's":
		return "she", "is"
	case "that's", "thats":
		return "that", "is"
	case "there's":
		return "there", "is"
	case "here's":
		return "here", "is"
	case "what's", "whats":
		return "what", "is"
	case "who's":
		return "who", "is"
	case "how's":
		return "how", "is"
	case "where's":
		return "where", "is"
	case "when's":
		return "when", "is"
	case "why's":
		return "why", "is"
	}
	return "", ""
}
