// Package shell makes values in a shell script safe. In goes a script cut
// into text and values, each value with the name of the variable that will
// hold it; out comes a script that reads those variables so that no value is
// ever parsed as code, or the faults that say where a value may not stand.
//
// The guarantee is that of a positional parameter written in double quotes:
// the value is one argument (none when it is empty and was the whole of an
// unquoted argument), never split, never expanded, never a command.
//
// The script is parsed with an identifier in each value's place, and edited
// by byte offset; what is not a value stays as it was written. It refuses
// every place it does not know to be safe, above all those where the shell
// or the program called reads its argument as code.
package shell

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Dialect is the shell that will run a script.
type Dialect uint8

// The dialects.
const (
	Bash Dialect = iota
	POSIX
)

// Piece is a part of a script: text, or, when Name is set, a value that the
// variable Name will hold. Int says that the value is a whole number whatever
// it is: then it may stand in arithmetic too.
type Piece struct {
	Text string
	Name string
	Int  bool
}

// Fault is a place where a value may not stand, or, with Parse set, where the
// script can't be read. Piece is the index of the piece it lies in, Offset
// the byte in that piece's text, 0 for a value.
type Fault struct {
	Piece, Offset int
	Parse         bool
	Reason
}

// Reason says why a value may not stand somewhere and what to do instead.
// Program is set when the value would be part of another program's source.
type Reason struct {
	Msg, Hint string
	Program   bool
}

// hole is the place of a value in the joined text.
type hole struct {
	start, end int
	name       string
	piece      int
	number     bool
}

// Edit joins the pieces into a script that takes its values from variables.
// With a fault the script is "".
func Edit(pieces []Piece, d Dialect) (string, []Fault) {
	text, holes := joined(pieces)
	if at := strings.IndexFunc(text, control); at >= 0 {
		piece, offset := pieceAt(pieces, at)
		return "", []Fault{{Piece: piece, Offset: offset, Parse: true, Reason: Reason{
			Msg: "a script that holds values may hold no control characters", Hint: "write them as escapes, such as $'\\033'",
		}}}
	}
	file, err := parser(d).Parse(strings.NewReader(text), "")
	if err != nil {
		return "", []Fault{parseFault(err, pieces)}
	}
	spots := locate(file, holes)
	var faults []Fault
	forms := make([]string, len(holes))
	for i, h := range holes {
		form, reason := spots[i].form(text, h, holes)
		if reason != nil {
			faults = append(faults, Fault{Piece: h.piece, Reason: *reason})
		}
		forms[i] = form
	}
	if faults != nil {
		return "", faults
	}
	return replaced(text, holes, forms), nil
}

// control: the parser gives some of these a meaning the shell does not.
func control(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' || r == 0x7f || r == '\uFFFD'
}

func parser(d Dialect) *syntax.Parser {
	if d == POSIX {
		return syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangPOSIX))
	}
	return syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash))
}

func joined(pieces []Piece) (string, []hole) {
	var b strings.Builder
	var holes []hole
	for i, p := range pieces {
		start := b.Len()
		if p.Name == "" {
			b.WriteString(p.Text)
			continue
		}
		b.WriteString(p.Name)
		holes = append(holes, hole{start: start, end: b.Len(), name: p.Name, piece: i, number: p.Int})
	}
	return b.String(), holes
}

func replaced(text string, holes []hole, forms []string) string {
	var b strings.Builder
	last := 0
	for i, h := range holes {
		b.WriteString(text[last:h.start])
		b.WriteString(forms[i])
		last = h.end
	}
	b.WriteString(text[last:])
	return b.String()
}

func parseFault(err error, pieces []Piece) Fault {
	offset, msg := 0, err.Error()
	var pe syntax.ParseError
	var le syntax.LangError
	switch {
	case errors.As(err, &pe):
		offset, msg = int(pe.Pos.Offset()), pe.Text
	case errors.As(err, &le):
		offset, msg = int(le.Pos.Offset()), fmt.Sprintf("%v needs another shell", le.Feature)
	}
	piece, at := pieceAt(pieces, offset)
	return Fault{Piece: piece, Offset: at, Parse: true, Reason: Reason{
		Msg:  "this shell script can't be read: " + msg,
		Hint: "a script that holds values must parse; correct it, or use args",
	}}
}

// pieceAt finds the piece that holds a byte of the joined text, and the byte
// in that piece.
func pieceAt(pieces []Piece, offset int) (piece, at int) {
	for i, p := range pieces {
		size := len(p.Text)
		if p.Name != "" {
			size = len(p.Name)
		}
		if offset < size || i == len(pieces)-1 {
			if p.Name != "" {
				return i, 0
			}
			return i, min(offset, size)
		}
		offset -= size
	}
	return 0, 0
}
