package phrase

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// term is a word of the pack as the tokens it is typed as: one, but for
// scripts without blanks. The first token of a prefix only begins a word, as
// an elided "n'" does.
type term struct {
	word   string
	tokens []string
	prefix bool
}

func terms(list []string) []term {
	out := make([]term, len(list))
	for i, w := range list {
		out[i] = term{word: w, tokens: text.Words(w)}
		if strings.HasSuffix(w, "'") {
			out[i] = term{word: w, tokens: []string{strings.ToLower(w)}, prefix: true}
		}
	}
	return out
}

// reads tells whether a word is the term's token at i.
func (t term) reads(i int, word string) bool {
	return word == t.tokens[i] || t.prefix && strings.HasPrefix(word, t.tokens[i])
}

// standsIn tells whether the term stands anywhere in a row of words.
func (t term) standsIn(words []string) bool {
	for from := range words {
		n := 0
		for n < len(t.tokens) && from+n < len(words) && t.reads(n, words[from+n]) {
			n++
		}
		if n == len(t.tokens) {
			return true
		}
	}
	return false
}

// spotter finds forbidden words in a phrase, in its own text or in a rule it
// uses, across brackets too.
type spotter struct {
	l     *lowerer
	d     *decl
	allow map[string]bool
	open  []string // rules being followed
}

// begun is a forbidden word of which some tokens have been read, and where
// the first of them stands.
type begun struct {
	term, read int
	src        source.Str
	offset     int
}

// spot reads a node with what is begun before it, and gives what is begun
// behind it.
func (s *spotter) spot(n *pattern.Node, src source.Str, before []begun) []begun {
	switch n.Kind {
	case pattern.Word:
		return s.word(n, src, before)
	case pattern.Seq:
		for _, k := range n.Kids {
			before = s.spot(k, src, before)
		}
		return before
	case pattern.Alt:
		var behind []begun
		for _, k := range n.Kids {
			behind = union(behind, s.spot(k, src, before))
		}
		return behind
	case pattern.Opt:
		return union(s.spot(n.Kids[0], src, before), before)
	case pattern.Rule:
		return s.rule(n.Text, before)
	}
	return nil
}

// word takes everything begun one token further, and begins anew.
func (s *spotter) word(n *pattern.Node, src source.Str, before []begun) []begun {
	var behind []begun
	next := func(b begun) {
		t := s.l.forbidden[b.term]
		switch {
		case !t.reads(b.read, n.Text):
		case b.read+1 < len(t.tokens):
			b.read++
			behind = append(behind, b)
		case !s.allow[text.Key(t.word)]:
			s.l.forbid(s.d, b.src, b.offset, t.word)
		}
	}
	for _, b := range before {
		next(b)
	}
	for i := range s.l.forbidden {
		next(begun{term: i, src: src, offset: n.Offset})
	}
	return behind
}

func (s *spotter) rule(name string, before []begun) []begun {
	r := s.l.rules[name]
	if r == nil || slices.Contains(s.open, name) {
		return nil
	}
	s.open = append(s.open, name)
	behind := s.spot(r.node, r.src, before)
	s.open = s.open[:len(s.open)-1]
	return behind
}

func union(a, b []begun) []begun {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// forbid reports a forbidden word, once for each place.
func (l *lowerer) forbid(d *decl, src source.Str, offset int, word string) {
	pos := src.At(offset)
	for _, old := range *l.ds {
		if old.Code == diag.ForbiddenWord && old.Pos == pos {
			return
		}
	}
	e := l.ds.Addf(diag.ForbiddenWord, pos, "the word %q turns a command into something for the model", word).
		Hintf("say it without %q, or allow it with a reason: allow_words: {%s: \"…\"}", word, word)
	if src.Pos != d.src.Pos {
		e.Also(d.src.Pos, "the phrase that uses it")
	}
}

// delimited tells whether every way to a place of a program reads a colon,
// or a word that free text may follow, right before it. Behind holds the
// words read between that place and the slot.
func (l *lowerer) delimited(prog []artifact.Inst, at int, behind []string) bool {
	if slices.Contains(artifact.Closure(prog, 0), at) {
		return false
	}
	for pc, in := range prog {
		reads := in.Op == artifact.OpWord || in.Op == artifact.OpClass
		if !reads || !slices.Contains(artifact.Closure(prog, pc+1), at) {
			continue
		}
		if in.Op != artifact.OpWord {
			return false
		}
		words := append([]string{l.words.list[in.A]}, behind...)
		if l.delimits(words) {
			continue
		}
		if !l.endsDelimiter(words) || !l.delimited(prog, pc, words) {
			return false
		}
	}
	return true
}

func (l *lowerer) delimits(words []string) bool {
	return slices.Equal(words, []string{":"}) ||
		slices.ContainsFunc(l.freeText, func(t term) bool { return slices.Equal(words, t.tokens) })
}

// endsDelimiter tells whether a longer word that free text may follow ends
// with these.
func (l *lowerer) endsDelimiter(words []string) bool {
	return slices.ContainsFunc(l.freeText, func(t term) bool {
		n := len(t.tokens) - len(words)
		return n > 0 && slices.Equal(words, t.tokens[n:])
	})
}

// spelled writes tokens as a person would type them: with blanks, but for
// marks and for scripts that have none.
func spelled(words []string) string {
	var out string
	for _, w := range words {
		before, _ := utf8.DecodeLastRuneInString(out)
		first, _ := utf8.DecodeRuneInString(w)
		mark := w == "," || w == "." || w == "!" || w == ":"
		if out != "" && !mark && !(text.Unspaced(before) && text.Unspaced(first)) {
			out += " "
		}
		out += w
	}
	return out
}
