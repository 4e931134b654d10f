package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// around says why a value below child may not stand in n, nil when n does no
// harm. It is asked for every node around the hole, not only the nearest: a
// value in a command substitution is still part of what stands outside it.
func around(n, child syntax.Node, h hole, holes []hole) *Reason {
	switch n := n.(type) {
	case *syntax.LetClause:
		return refuse("in arithmetic", "use $(( … )) with a value that is declared int")
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.CStyleLoop,
		*syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm:
		if !h.number {
			return refuse("in arithmetic", "the shell runs code found in there: use a value that is declared int")
		}
	case *syntax.ParamExp:
		return inExpansion(n, child)
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
	return aroundCommand(n, child, h, holes)
}

// inExpansion allows the word that stands in for a variable without a value.
func inExpansion(n *syntax.ParamExp, child syntax.Node) *Reason {
	if n.Exp != nil && child == syntax.Node(n.Exp.Word) {
		switch n.Exp.Op {
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull,
			syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
			return nil
		}
	}
	return refuse("in ${…}", "assign the value to a variable first, and expand that")
}

func aroundCommand(n, child syntax.Node, h hole, holes []hole) *Reason {
	switch n := n.(type) {
	case *syntax.CallExpr:
		return inCall(n, child, holes)
	case *syntax.Assign:
		return inAssign(n, child)
	case *syntax.DeclClause:
		return inDecl(n, child, h)
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
		return inBinaryTest(n, h)
	case *syntax.Stmt:
		return asInput(n, child)
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
func inDecl(n *syntax.DeclClause, child syntax.Node, h hole) *Reason {
	for _, a := range n.Args {
		if a.Naked && a.Value != nil && strings.ContainsAny(fixed(a.Value).Text, "-+") {
			if h.number && fixed(a.Value).Text == "-i" {
				continue
			}
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
	case n.Hdoc != nil && child == syntax.Node(n.Hdoc):
		if quotedMark(n.Word) {
			return refuse("in a here-document under a quoted mark", "nothing is expanded there: write the mark without quotes, or pass the value by stdin or env")
		}
	case child != syntax.Node(n.Word):
		return refuse("in this place", "write it out")
	case n.Hdoc != nil:
		return refuse("as the end mark of a here-document", "write a fixed word")
	}
	return nil
}

// quotedMark tells whether any part of a here-document's mark is quoted.
func quotedMark(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); !ok || strings.Contains(l.Value, `\`) {
			return true
		}
	}
	return false
}

// asInput refuses a value in what a program reads that takes its standard
// input for code.
func asInput(n *syntax.Stmt, child syntax.Node) *Reason {
	r, ok := child.(*syntax.Redirect)
	if !ok || n.Cmd == nil {
		return nil
	}
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return codeReader(n.Cmd)
	}
	return nil
}

// inPipe refuses a value that flows into a program which reads its standard
// input as code.
func inPipe(n *syntax.BinaryCmd, child syntax.Node) *Reason {
	if n.Op != syntax.Pipe && n.Op != syntax.PipeAll || child != syntax.Node(n.X) {
		return nil
	}
	return codeReader(n.Y)
}

// codeReader finds a command below a node that may read its input as code.
func codeReader(n syntax.Node) *Reason {
	var found *Reason
	syntax.Walk(n, func(m syntax.Node) bool {
		if c, ok := m.(*syntax.CallExpr); ok && found == nil && readsCode(fixedAll(c.Args)) {
			found = &Reason{Msg: "a value may not flow into " + fixed(c.Args[0]).Text + ", which may read its input as code", Hint: "pass it by env or as an argument", Program: true}
		}
		return true
	})
	return found
}

func inBinaryTest(n *syntax.BinaryTest, h hole) *Reason {
	if h.number {
		return nil
	}
	switch n.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		return refuse("in a numeric comparison of [[ ]]", "the shell runs code found in there: use [ … -eq … ], or a value that is declared int")
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
