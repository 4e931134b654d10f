package compiler

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
)

// want is what a value must be, and how to speak of it when it is not. Null
// says that null is allowed.
type want struct {
	typ    artifact.Type
	values []string
	null   bool
	code   diag.Code
	what   string
}

// value lowers what stands on the right of a key: a literal, one expression,
// text with expressions, or a list or map of such values.
func (l *lowerer) value(n *source.Node, w want, sc expr.Scope) artifact.Value {
	if n == nil {
		n = &source.Node{}
	}
	if n.Kind == source.KindString {
		return l.textValue(n, w, sc)
	}
	l.checkLiteral(n, w)
	switch n.Kind {
	case source.KindList:
		return l.listValue(n, sc)
	case source.KindMap:
		return l.mapValue(n, sc)
	}
	return artifact.Value{Literal: n.JSON()}
}

func (l *lowerer) checkLiteral(n *source.Node, w want) {
	if n.Kind == source.KindNull && w.null {
		return
	}
	if misfit := mismatch(n, w.typ, w.values); w.typ != "" && misfit != "" {
		l.report(w.code, n.Pos, "%s is %s", w.what, misfit).Hint = fitHint(n, w.typ, w.values)
	}
}

func (l *lowerer) listValue(n *source.Node, sc expr.Scope) artifact.Value {
	out := artifact.Value{List: make([]artifact.Value, 0, len(n.Items))}
	literal := true
	for _, item := range n.Items {
		v := l.value(item, want{code: diag.WrongType}, sc)
		literal = literal && v.Literal != nil
		out.List = append(out.List, v)
	}
	if literal {
		return artifact.Value{Literal: n.JSON()}
	}
	return out
}

func (l *lowerer) mapValue(n *source.Node, sc expr.Scope) artifact.Value {
	out := artifact.Value{Object: make([]artifact.Field, 0, len(n.Pairs))}
	literal := true
	for _, p := range n.Pairs {
		v := l.value(p.Value, want{code: diag.WrongType}, sc)
		literal = literal && v.Literal != nil
		out.Object = append(out.Object, artifact.Field{Name: p.Key.Val, Value: v})
	}
	if literal {
		return artifact.Value{Literal: n.JSON()}
	}
	return out
}

func (l *lowerer) textValue(n *source.Node, w want, sc expr.Scope) artifact.Value {
	s := n.Str()
	pieces, err := expr.Split(s.Val)
	switch {
	case err != nil:
		l.badExpr(s, 0, err, diag.BadExpression)
		return artifact.Value{Literal: n.JSON()}
	case !interpolated(pieces):
		l.checkLiteral(n, w)
		return artifact.Value{Literal: n.JSON()}
	case len(pieces) == 1:
		return artifact.Value{Expr: l.expr(s, pieces[0], sc, w)}
	}
	if !typeFits(artifact.TypeString, w.typ) {
		l.report(w.code, s.Pos, "%s is text put together, %s is needed", w.what, article(w.typ)).
			Hintf("write one {{ … }} and nothing around it: it keeps its type")
	}
	return artifact.Value{Parts: l.parts(s, pieces, sc)}
}

func interpolated(pieces []expr.Piece) bool {
	for _, p := range pieces {
		if p.IsExpr {
			return true
		}
	}
	return false
}

func (l *lowerer) parts(s source.Str, pieces []expr.Piece, sc expr.Scope) []artifact.Part {
	out := make([]artifact.Part, 0, len(pieces))
	for _, p := range pieces {
		if p.IsExpr {
			out = append(out, artifact.Part{Expr: l.expr(s, p, sc, want{})})
		} else {
			out = append(out, artifact.Part{Text: p.Text})
		}
	}
	return out
}

// expr checks one {{ }} of a value.
func (l *lowerer) expr(s source.Str, p expr.Piece, sc expr.Scope, w want) *artifact.Expr {
	if err := expr.Check(p.Expr, sc, w.typ); err != nil {
		code := diag.BadExpression
		if w.typ != "" && expr.Check(p.Expr, sc, artifact.TypeAny) == nil {
			code = w.code
			err.Msg = w.what + ": " + err.Msg
		}
		l.badExpr(s, p.Offset, err, code)
	}
	return &artifact.Expr{Src: p.Expr, Pos: s.At(p.Offset)}
}

// guard lowers a condition; nil when there is none.
func (l *lowerer) guard(s source.Str, sc expr.Scope) *artifact.Expr {
	if !given(s) {
		return nil
	}
	if strings.HasPrefix(strings.TrimSpace(s.Val), "{{") {
		l.report(diag.BadExpression, s.Pos, "a condition is an expression without {{ }}").
			Hintf("remove the {{ and }}")
		return &artifact.Expr{Src: s.Val, Pos: s.Pos}
	}
	if err := expr.Check(s.Val, sc, artifact.TypeBool); err != nil {
		code := diag.BadExpression
		if expr.Check(s.Val, sc, artifact.TypeAny) == nil {
			code = diag.WrongType
		}
		l.badExpr(s, 0, err, code)
	}
	return &artifact.Expr{Src: s.Val, Pos: s.Pos}
}

// text lowers a text template; nil when there is none.
func (l *lowerer) text(s source.Str, sc expr.Scope) *artifact.Text {
	if !given(s) {
		return nil
	}
	for _, err := range expr.CheckText(s.Val, sc) {
		l.badExpr(s, 0, err, diag.BadTemplate)
	}
	return &artifact.Text{Src: s.Val, Pos: s.Pos}
}

// badExpr reports a mistake in an expression that starts at the byte offset
// of the scalar. A name that is not declared gets a code of its own; it is
// not reported while a file could not be read, since it may stand there.
func (l *lowerer) badExpr(s source.Str, offset int, err *expr.Error, code diag.Code) {
	if missing := missingName(err); missing != "" {
		if l.st.Incomplete && err.Missing != expr.MissingRoot {
			return
		}
		code = missing
	}
	l.report(code, s.At(offset+err.Offset), "%s", err.Msg).Hint = err.Hint
}

// missingName is the code for an error about an undeclared name, "" for
// every other one.
func missingName(err *expr.Error) diag.Code {
	root, _, _ := strings.Cut(err.Missing, ".")
	switch {
	case err.Missing == "":
		return ""
	case root == "world":
		return diag.UndeclaredWorld
	case root == "slots":
		return diag.UndeclaredSlot
	}
	return diag.UndeclaredRoot
}
