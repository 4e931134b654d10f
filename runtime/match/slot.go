package match

import (
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// Class is a set of kinds of slot text that a token can be part of. The
// automaton reads an unknown word by its Class alone.
type Class = uint32

// The classes.
const (
	ClassText     Class = 1 << iota // may go on an unquoted free text
	ClassFirst                      // may begin an unquoted free text
	ClassJoin                       // joins parts of a text: a comma, "and"
	ClassAfter                      // may follow what joins: not the verb of a command
	ClassInDouble                   // may stand within "…"
	ClassInSingle                   // may stand within '…'
	ClassInt                        // a whole number
	ClassRef                        // certainly has the form of a ref
	ClassName                       // a bare word that is a ref when a branch has that name
	ClassBool                       // yes or no
	ClassPath                       // certainly has the form of a path
	ClassFile                       // a bare word that is a path when a file has that name
	ClassSpoken                     // stands in a phrase, a filler or a group: the other words of the table only shape free text
)

// Shape tells how a slot's text is delimited, and so which instructions the
// compiler makes for it.
type Shape uint8

// The shapes.
const (
	ShapeToken  Shape = iota + 1 // one token of SlotRow.Class
	ShapeText                    // free text to the end of the prompt, or quoted
	ShapeQuoted                  // text within quotation marks
	ShapeValues                  // one of the declared values
)

// SlotRow is everything matching knows about a slot type. Classify gives the
// classes a folded word has through this type; Samples make, together with
// the basic kinds of tokens, every class an unknown word can have; Parse
// turns the person's own bytes into the value, false when they are none.
type SlotRow struct {
	Type     artifact.SlotType
	Shape    Shape
	Class    Class
	Classify func(word []byte) Class
	Samples  []string
	Parse    func(raw string) (any, bool)
}

// SlotRows is the table of slot types.
func SlotRows() []SlotRow {
	return []SlotRow{boolRow(), enumRow(), intRow(), pathRow(), quotedRow(), refRow(), stringRow()}
}

// SlotRowOf finds the row of a type.
func SlotRowOf(t artifact.SlotType) (SlotRow, bool) {
	for _, r := range SlotRows() {
		if r.Type == t {
			return r, true
		}
	}
	return SlotRow{}, false
}

// ClassOf gives the classes of a token.
func ClassOf(kind text.Kind, word []byte) Class {
	switch kind {
	case text.Boundary:
		return ClassInDouble | ClassInSingle
	case text.Comma:
		return ClassJoin | ClassInDouble | ClassInSingle
	case text.Quote:
		return quoteClass(word)
	case text.Symbol:
		return classWord
	}
	return classWord | intClass(word) | refClass(word) | boolClass(word) | pathClass(word)
}

// classWord is what every word can be part of, unless the story's language
// gives it another part in a sentence.
const classWord = ClassText | ClassFirst | ClassAfter | ClassInDouble | ClassInSingle

// Sentence narrows the class of a word to its part in a sentence: one that
// joins, one that stops free text since a second request begins ("then"), or
// the verb of a command, which may not follow one that joins. NotFirst is a
// word that free text without quotation marks can't begin with.
func Sentence(c Class, joins, stops, verb, notFirst bool) Class {
	free := ClassText | ClassFirst | ClassAfter
	if notFirst {
		c &^= ClassFirst
	}
	switch {
	case stops:
		return c &^ free
	case joins:
		return c&^free | ClassJoin
	case verb:
		return c &^ ClassAfter
	}
	return c
}

// quoteClass gives the class of a quotation mark. None may stand in unquoted
// free text: in "something like 'wip'" the words before it are no value.
func quoteClass(word []byte) Class {
	switch word[0] {
	case '"':
		return ClassInSingle
	case '\'':
		return ClassInDouble
	}
	return ClassInDouble | ClassInSingle
}

// Samples gives one text for every class an unknown token can have: the
// compiler makes the automaton's edges from them, and an unsampled class
// passes.
func Samples() []string {
	out := []string{"über", "&", "§", ",", ";", "\"", "'", "`"}
	for _, r := range SlotRows() {
		out = append(out, r.Samples...)
	}
	return out
}
