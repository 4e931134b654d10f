// Package pattern is the little language of phrases: words, [optional],
// (this|that), <rule>, {slot}. Parse turns a phrase into a tree, Compile a
// tree into instructions over interned tokens, Build many programs into one
// deterministic automaton.
//
// Words are folded by runtime/text, so that a phrase and a prompt can never
// disagree. It refuses unbalanced brackets, brackets inside a word, empty
// alternatives, and automata over the cap.
package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kitsoki/runtime/text"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of a node.
const (
	Word Kind = iota + 1 // Text is one folded token
	Seq
	Alt
	Opt
	Rule // Text is its name
	Slot // Text is its name
)

// Node is a parsed phrase. Offset is the byte offset in the source.
type Node struct {
	Kind   Kind
	Text   string
	Offset int
	Kids   []*Node
}

// Error is a mistake in a phrase, at a byte offset of its source.
type Error struct {
	Offset    int
	Msg, Hint string
}

func (e *Error) Error() string { return e.Msg }

// Plain tells a phrase without brackets.
func Plain(src string) bool { return !strings.ContainsAny(src, "[](){}<>|") }

// Parse reads a phrase.
func Parse(src string) (*Node, *Error) {
	p := &parser{src: src}
	n, err := p.seq()
	if err != nil {
		return nil, err
	}
	if p.at < len(src) {
		return nil, p.stray()
	}
	return n, nil
}

type parser struct {
	src string
	at  int
}

// stray reports what ended a sequence that nothing had opened.
func (p *parser) stray() *Error {
	if p.src[p.at] == '|' {
		return &Error{p.at, "\"|\" stands outside of brackets", "write (this|that), or two phrases"}
	}
	return &Error{p.at, "\"" + p.src[p.at:p.at+1] + "\" closes nothing", "remove it, or open the bracket before it"}
}

// seq reads up to the end, "|" or a closing bracket.
func (p *parser) seq() (*Node, *Error) {
	out := &Node{Kind: Seq, Offset: p.at}
	for p.at < len(p.src) {
		kids, err := p.item()
		if err != nil {
			return nil, err
		}
		if kids == nil {
			break
		}
		out.Kids = append(out.Kids, kids...)
	}
	return out, nil
}

// item reads one item; nil without error ends the sequence.
func (p *parser) item() ([]*Node, *Error) {
	switch p.src[p.at] {
	case ']', ')', '|':
		return nil, nil
	case '[':
		return p.group(']', Opt)
	case '(':
		return p.group(')', Alt)
	case '{':
		return p.name('}', Slot)
	case '<':
		return p.name('>', Rule)
	case '}', '>':
		return nil, p.stray()
	}
	return p.words(), nil
}

// group reads [a|b] or (a|b).
func (p *parser) group(closing byte, kind Kind) ([]*Node, *Error) {
	open := p.at
	if err := p.edge(open-1, open); err != nil {
		return nil, err
	}
	p.at++
	alt := &Node{Kind: Alt, Offset: open}
	for {
		n, err := p.seq()
		if err != nil {
			return nil, err
		}
		if len(n.Kids) == 0 {
			return nil, &Error{p.at, "an empty alternative", "write [word] for something that may be left out"}
		}
		alt.Kids = append(alt.Kids, n)
		if p.at == len(p.src) {
			return nil, &Error{open, "\"" + p.src[open:open+1] + "\" is never closed", "close it with \"" + string(closing) + "\""}
		}
		if p.src[p.at] != '|' {
			break
		}
		p.at++
	}
	if p.src[p.at] != closing {
		return nil, &Error{p.at, "\"" + p.src[p.at:p.at+1] + "\" closes a \"" + p.src[open:open+1] + "\"", "close it with \"" + string(closing) + "\""}
	}
	p.at++
	if err := p.edge(p.at-1, p.at); err != nil {
		return nil, err
	}
	return []*Node{wrap(kind, alt)}, nil
}

func wrap(kind Kind, alt *Node) *Node {
	body := alt
	if len(alt.Kids) == 1 {
		body = alt.Kids[0]
	}
	if kind == Opt {
		return &Node{Kind: Opt, Offset: alt.Offset, Kids: []*Node{body}}
	}
	return body
}

// edge refuses a bracket that cuts a word: of the characters that end at i
// and begin at j, neither may be part of one. A character of a script without
// blanks is a whole word.
func (p *parser) edge(i, j int) *Error {
	if i < 0 || j >= len(p.src) {
		return nil
	}
	before, _ := utf8.DecodeLastRuneInString(p.src[:i+1])
	behind, _ := utf8.DecodeRuneInString(p.src[j:])
	if inner(before) || inner(behind) && strings.ContainsRune("])}>", before) {
		return &Error{j, "a bracket inside a word", "brackets hold whole words: write (test|tests), not test[s]"}
	}
	return nil
}

// inner tells a character that would be part of a word beside it.
func inner(r rune) bool {
	return !unicode.IsSpace(r) && !strings.ContainsRune("[]()|{}<>,.:;!?\"'，、。：；！？「」『』“”", r) && !text.Unspaced(r)
}

// name reads {slot} or <rule>.
func (p *parser) name(closing byte, kind Kind) ([]*Node, *Error) {
	open := p.at
	if err := p.edge(open-1, open); err != nil {
		return nil, err
	}
	end := strings.IndexByte(p.src[open:], closing)
	if end < 0 {
		return nil, &Error{open, "\"" + p.src[open:open+1] + "\" is never closed", "close it with \"" + string(closing) + "\""}
	}
	name := p.src[open+1 : open+end]
	if !identifier(name) {
		return nil, &Error{open + 1, "\"" + name + "\" is no name", "names are letters, digits and _"}
	}
	p.at = open + end + 1
	if err := p.edge(p.at-1, p.at); err != nil {
		return nil, err
	}
	return []*Node{{Kind: kind, Text: name, Offset: open}}, nil
}

func identifier(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return s != ""
}

// words reads literal text up to the next bracket.
func (p *parser) words() []*Node {
	from := p.at
	for p.at < len(p.src) && strings.IndexByte("[](){}<>|", p.src[p.at]) < 0 {
		p.at++
	}
	var t text.Text
	t.Parse(p.src[from:p.at])
	out := []*Node{}
	for i, tok := range t.Tokens {
		out = append(out, &Node{Kind: Word, Text: string(t.Word(i)), Offset: from + tok.Start})
	}
	return out
}

// Walk calls f for every node, parents first.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for _, k := range n.Kids {
		k.Walk(f)
	}
}

// Reverse gives the phrase read from its end; slots and rules stay.
func (n *Node) Reverse() *Node {
	out := &Node{Kind: n.Kind, Text: n.Text, Offset: n.Offset}
	for _, k := range n.Kids {
		out.Kids = append(out.Kids, k.Reverse())
	}
	if n.Kind == Seq {
		for i, j := 0, len(out.Kids)-1; i < j; i, j = i+1, j-1 {
			out.Kids[i], out.Kids[j] = out.Kids[j], out.Kids[i]
		}
	}
	return out
}
