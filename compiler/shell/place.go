package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// spot is where a hole stands: the nodes around it from the file inwards,
// and how many literals claim to hold it (exactly one, when the script is
// what it seems).
type spot struct {
	chain    []syntax.Node
	literals int
}

// locate finds the innermost node around each hole.
func locate(file *syntax.File, holes []hole) []spot {
	spots := make([]spot, len(holes))
	var stack []syntax.Node
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		for i, h := range holes {
			if covers(n, h) {
				spots[i].note(n, stack)
			}
		}
		return true
	})
	return spots
}

func covers(n syntax.Node, h hole) bool {
	return int(n.Pos().Offset()) <= h.start && int(n.End().Offset()) >= h.end
}

func (s *spot) note(n syntax.Node, stack []syntax.Node) {
	if len(stack) > len(s.chain) {
		s.chain = append([]syntax.Node(nil), stack...)
	}
	switch n.(type) {
	case *syntax.Lit, *syntax.SglQuoted, *syntax.Comment:
		s.literals++
	}
}

// form is what to write in the hole's place, or why nothing can be.
func (s spot) form(text string, h hole, holes []hole) (string, *Reason) {
	if s.literals != 1 {
		return "", literalReason()
	}
	for i := 0; i+1 < len(s.chain); i++ {
		if r := around(s.chain[i], s.chain[i+1], h, holes); r != nil {
			return "", r
		}
	}
	switch last := s.chain[len(s.chain)-1].(type) {
	case *syntax.Comment:
		return "${" + h.name + "}", nil
	case *syntax.SglQuoted:
		return quotedForm(text, last, h)
	case *syntax.Lit:
		if escaped(text, int(last.Pos().Offset()), h.start) {
			return "", afterBackslash()
		}
		return s.wordForm(text, last, h)
	}
	return "", literalReason()
}

// quotedForm leaves the quotes and takes them up again behind the value.
func quotedForm(text string, n *syntax.SglQuoted, h hole) (string, *Reason) {
	if !n.Dollar {
		return `'"${` + h.name + `}"'`, nil
	}
	if escaped(text, int(n.Pos().Offset()), h.start) {
		return "", afterBackslash()
	}
	return `'"${` + h.name + `}"$'`, nil
}

func afterBackslash() *Reason {
	return refuse("after a backslash", "remove the backslash; a value needs no escaping")
}

// wordForm decides by the word the literal stands in and by what holds that
// word.
func (s spot) wordForm(text string, lit *syntax.Lit, h hole) (string, *Reason) {
	n := len(s.chain)
	if n < 3 {
		return "", literalReason()
	}
	plain, quoted := "${"+h.name+"}", `"${`+h.name+`}"`
	if _, in := s.chain[n-2].(*syntax.DblQuoted); in {
		return plain, nil
	}
	word, ok := s.chain[n-2].(*syntax.Word)
	if !ok {
		return "", refuse("as a name", "the shell would take the value for a name: write a fixed one")
	}
	switch holder := s.chain[n-3].(type) {
	case *syntax.CallExpr, *syntax.WordIter:
		return argumentForm(text, word, lit, h)
	case *syntax.Assign, *syntax.CaseClause, *syntax.CaseItem, *syntax.TestClause, *syntax.BinaryTest, *syntax.UnaryTest, *syntax.ParenTest:
		return quoted, nil
	case *syntax.Redirect:
		if holder.Hdoc == word {
			return plain, nil
		}
		return quoted, nil
	case *syntax.ParamExp:
		if s.withinQuotes(n - 3) {
			return plain, nil
		}
		return quoted, nil
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm, *syntax.CStyleLoop:
		return plain, nil // a whole number
	}
	return "", refuse("unquoted in this place", "put the word in double quotes")
}

// withinQuotes tells whether the node at that place of the chain stands in
// double quotes or in a here-document, in which no quotes are needed again.
func (s spot) withinQuotes(at int) bool {
	for i := at - 1; i >= 0; i-- {
		switch n := s.chain[i].(type) {
		case *syntax.DblQuoted:
			return true
		case *syntax.Redirect:
			return n.Hdoc != nil && s.chain[i+1] == syntax.Node(n.Hdoc)
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.Stmt:
			return false
		}
	}
	return false
}

func argumentForm(text string, word *syntax.Word, lit *syntax.Lit, h hole) (string, *Reason) {
	whole := int(word.Pos().Offset()) == h.start && int(word.End().Offset()) == h.end
	if whole && len(word.Parts) == 1 {
		return `${` + h.name + `:+"${` + h.name + `}"}`, nil
	}
	for _, p := range word.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.ContainsRune(text[l.Pos().Offset():l.End().Offset()], '{') {
			return "", refuse("in a word with braces", "write the words out, or put them in double quotes")
		}
	}
	return `"${` + h.name + `}"`, nil
}

// escaped says whether an odd number of backslashes stands right before at.
func escaped(text string, start, at int) bool {
	n := 0
	for at-n-1 >= start && text[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

func refuse(where, hint string) *Reason {
	return &Reason{Msg: "a value may not stand " + where + " of a shell script", Hint: hint}
}

func literalReason() *Reason {
	return refuse("in this place", "put the value in double quotes, or pass it by env and read the variable")
}
