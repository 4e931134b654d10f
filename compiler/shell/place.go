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
		return "", literalReason(nil)
	}
	for i := 0; i+1 < len(s.chain); i++ {
		if r := around(s.chain[i], s.chain[i+1], holes); r != nil {
			return "", r
		}
	}
	lit, ok := s.chain[len(s.chain)-1].(*syntax.Lit)
	if !ok {
		return "", literalReason(s.chain[len(s.chain)-1])
	}
	if escaped(text, int(lit.Pos().Offset()), h.start) {
		return "", refuse("after a backslash", "remove the backslash; a value needs no escaping")
	}
	return s.wordForm(text, lit, h)
}

// wordForm decides by the word the literal stands in and by what holds that
// word.
func (s spot) wordForm(text string, lit *syntax.Lit, h hole) (string, *Reason) {
	n := len(s.chain)
	if n < 3 {
		return "", literalReason(lit)
	}
	if _, quoted := s.chain[n-2].(*syntax.DblQuoted); quoted {
		return "${" + h.name + "}", nil
	}
	word, ok := s.chain[n-2].(*syntax.Word)
	if !ok {
		return "", refuse("as a name", "the shell would take the value for a name: write a fixed one")
	}
	switch s.chain[n-3].(type) {
	case *syntax.CallExpr:
		return argumentForm(text, word, lit, h)
	case *syntax.Assign:
		return `"${` + h.name + `}"`, nil
	}
	return "", refuse("unquoted in this place", "put the word in double quotes")
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

func literalReason(n syntax.Node) *Reason {
	switch n := n.(type) {
	case *syntax.SglQuoted:
		if n.Dollar {
			return refuse("in $'…'", "use double quotes around the value")
		}
		return refuse("in single quotes", "use double quotes around the value")
	case *syntax.Comment:
		return refuse("in a comment", "remove it there")
	}
	return refuse("in this place", "put the value in double quotes, or pass it by env and read the variable")
}

// around says why a value below child may not stand in n, nil when n does no
// harm. It is asked for every node around the hole, not only the nearest: a
// value in a command substitution is still part of what stands outside it.
func around(n, child syntax.Node, holes []hole) *Reason {
	switch n := n.(type) {
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop,
		*syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm:
		return refuse("in arithmetic", "the shell runs code found in there: check the value as a number first, in a test of its own")
	case *syntax.ParamExp:
		return refuse("in ${…}", "assign the value to a variable first, and expand that")
	case *syntax.ExtGlob:
		return refuse("in an extended glob", "compare with a plain string")
	case *syntax.ArrayExpr:
		return refuse("in an array", "use args, or pass the value by env")
	case *syntax.ProcSubst:
		return refuse("in a process substitution", "write the value to a file first, or pass it by env")
	case *syntax.DblQuoted:
		if n.Dollar {
			return refuse(`in $"…"`, "use plain double quotes")
		}
	case *syntax.CmdSubst:
		if n.Backquotes || n.TempFile || n.ReplyVar {
			return refuse("in back-quotes", "use $(…)")
		}
	}
	return aroundCommand(n, child, holes)
}

func aroundCommand(n, child syntax.Node, holes []hole) *Reason {
	switch n := n.(type) {
	case *syntax.CallExpr:
		return inCall(n, child, holes)
	case *syntax.Assign:
		return inAssign(n, child)
	case *syntax.DeclClause:
		return inDecl(n, child)
	case *syntax.Redirect:
		return inRedirect(n, child)
	case *syntax.BinaryCmd:
		return inPipe(n, child)
	case *syntax.FuncDecl:
		if child != syntax.Node(n.Body) {
			return refuse("as a function's name", "write a fixed name")
		}
	case *syntax.CoprocClause, *syntax.TestDecl:
		return refuse("in this command", "use a plain command")
	case *syntax.WordIter:
		if child == syntax.Node(n.Name) {
			return refuse("as a loop variable", "write a fixed name")
		}
	case *syntax.BinaryTest:
		return inBinaryTest(n)
	case *syntax.UnaryTest:
		if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
			return refuse("as a variable's name", "write a fixed name")
		}
	}
	return nil
}

func inAssign(n *syntax.Assign, child syntax.Node) *Reason {
	switch {
	case n.Array != nil && child == syntax.Node(n.Array):
		return nil // its own row says why
	case n.Value == nil || child != syntax.Node(n.Value):
		return refuse("as a variable's name or subscript", "write a fixed name")
	case n.Index != nil:
		return refuse("in an array", "use a plain variable")
	case n.Name != nil && CodeVariable(n.Name.Value):
		return refuse("in "+n.Name.Value, "programs read this variable as code: write its value out")
	}
	return nil
}

// inDecl allows NAME=value behind declare and its kin, unless an option
// changes what the value means (-i: arithmetic, -n: a name).
func inDecl(n *syntax.DeclClause, child syntax.Node) *Reason {
	for _, a := range n.Args {
		if a.Naked && a.Value != nil && strings.ContainsAny(fixed(a.Value).Text, "-+") {
			return refuse("behind an option of "+n.Variant.Value, "assign without options")
		}
		if syntax.Node(a) == child && a.Naked {
			return refuse("as a variable's name", "write a fixed name")
		}
	}
	return nil
}

func inRedirect(n *syntax.Redirect, child syntax.Node) *Reason {
	switch {
	case child != syntax.Node(n.Word):
		return refuse("in a here-document", "pass it by stdin or env")
	case n.Hdoc != nil:
		return refuse("as the end mark of a here-document", "write a fixed word")
	case n.Op == syntax.WordHdoc:
		return refuse("in a here-string", "pass it by stdin or env")
	}
	return nil
}

// inPipe refuses a value that flows into a program which reads its standard
// input as code.
func inPipe(n *syntax.BinaryCmd, child syntax.Node) *Reason {
	if n.Op != syntax.Pipe && n.Op != syntax.PipeAll || child != syntax.Node(n.X) {
		return nil
	}
	var found *Reason
	syntax.Walk(n.Y, func(m syntax.Node) bool {
		if c, ok := m.(*syntax.CallExpr); ok && found == nil && readsCode(fixedAll(c.Args)) {
			found = &Reason{Msg: "a value may not flow into " + fixed(c.Args[0]).Text + ", which may read its input as code", Hint: "pass it by env or as an argument", Program: true}
		}
		return true
	})
	return found
}

func inBinaryTest(n *syntax.BinaryTest) *Reason {
	switch n.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		return refuse("in a numeric comparison of [[ ]]", "the shell runs code found in there: use [ … -eq … ]")
	}
	return nil
}

// inCall asks about the argument that holds the hole.
func inCall(n *syntax.CallExpr, child syntax.Node, holes []hole) *Reason {
	args := fixedAll(n.Args)
	for i, w := range n.Args {
		for _, h := range holes {
			if covers(w, h) {
				args[i].Value = true
			}
		}
		args[i].Fixed = args[i].Fixed && !args[i].Value
	}
	for i, w := range n.Args {
		if syntax.Node(w) == child {
			return Refuse(args, i)
		}
	}
	return nil
}

func fixedAll(words []*syntax.Word) []Arg {
	out := make([]Arg, len(words))
	for i, w := range words {
		out[i] = fixed(w)
	}
	return out
}

// fixed is the text of a word as far as it is written out: Fixed when all of
// it is, else the part before the first expansion.
func fixed(w *syntax.Word) Arg {
	a := Arg{Fixed: true}
	for _, p := range w.Parts {
		if !a.add(p) {
			a.Fixed = false
			break
		}
	}
	return a
}

func (a *Arg) add(p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.Lit:
		a.Text += strings.ReplaceAll(p.Value, `\`, "")
	case *syntax.SglQuoted:
		a.Text += p.Value
		return !p.Dollar
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			if !a.add(q) {
				return false
			}
		}
	default:
		return false
	}
	return true
}
