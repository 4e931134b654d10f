package expr

import (
	"errors"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
)

// Piece is a part of a value: text, or the source of an expression. Offset
// is the byte in the value where Text or Expr starts.
type Piece struct {
	Text   string
	Expr   string
	Offset int
	IsExpr bool
}

// literalBraces is what to write when {{ was meant as text.
const literalBraces = `write {{ "{{" }} for a literal {{`

// Split cuts a value at its {{ }}. A value that is one expression piece keeps
// the expression's type, all else is text with the results spliced in. Each
// expression is checked for syntax, not for names.
func Split(src string) ([]Piece, *Error) {
	var pieces []Piece
	for pos := 0; pos < len(src); {
		open := strings.Index(src[pos:], "{{")
		if open < 0 {
			return append(pieces, Piece{Text: src[pos:], Offset: pos}), nil
		}
		if open > 0 {
			pieces = append(pieces, Piece{Text: src[pos : pos+open], Offset: pos})
		}
		piece, next, err := expression(src, pos+open)
		if err != nil {
			return nil, err
		}
		pieces, pos = append(pieces, piece), next
	}
	return pieces, nil
}

// expression reads the {{ }} that opens at open.
func expression(src string, open int) (Piece, int, *Error) {
	start := open + 2
	end := closing(src, start)
	if end < 0 {
		return Piece{}, 0, &Error{Offset: open, Msg: "this {{ is not closed", Hint: "add }}, or " + literalBraces}
	}
	text := src[start:end]
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return Piece{}, 0, &Error{Offset: open, Msg: "there is no expression between {{ and }}", Hint: literalBraces}
	}
	p := Piece{Expr: trimmed, Offset: start + strings.Index(text, trimmed), IsExpr: true}
	if err := syntax(trimmed); err != nil {
		return Piece{}, 0, &Error{Offset: p.Offset + err.Offset, Msg: err.Msg, Hint: literalBraces}
	}
	return p, end + 2, nil
}

// closing is the offset of the }} that ends the expression at start: not the
// one in a string literal, not the ends of nested map literals. -1 when there
// is none.
func closing(src string, start int) int {
	depth := 0
	for i := start; i < len(src); i++ {
		switch c := src[i]; c {
		case '"', '\'', '`':
			if i = stringEnd(src, i); i < 0 {
				return -1
			}
		case '{':
			depth++
		case '}':
			if depth == 0 && strings.HasPrefix(src[i:], "}}") {
				return i
			}
			depth = max(0, depth-1)
		}
	}
	return -1
}

// stringEnd is the offset of the quote that closes the one at open, or -1.
// A back-quoted string knows no escapes.
func stringEnd(src string, open int) int {
	quote := src[open]
	for i := open + 1; i < len(src); i++ {
		switch {
		case src[i] == quote:
			return i
		case src[i] == '\\' && quote != '`':
			i++
		}
	}
	return -1
}

// syntax parses an expression without looking at its names.
func syntax(src string) *Error {
	if e := tooLong(src); e != nil {
		return e
	}
	_, err := parser.ParseWithConfig(src, config())
	if err == nil {
		return nil
	}
	var fe *file.Error
	if errors.As(err, &fe) {
		return &Error{Offset: byteOffset(src, fe.From), Msg: fe.Message}
	}
	return &Error{Msg: err.Error()}
}
