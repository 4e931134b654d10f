package lint

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
)

// wholeArgument is how the compiler writes a value that stands alone, without
// quotes, in a script.
const wholeArgument = `:+"${KITSOKI_V`

// argumentNotSplit: such a value is one argument, or none when it is empty; a
// shell that got it spliced in would have split it at blanks.
func argumentNotSplit(s *subject) {
	look := func(list []artifact.Effect) {
		for _, e := range list {
			if e.Invoke != nil && holds(e.Invoke.With, wholeArgument) {
				s.ds.Addf(diag.ArgumentNotSplit, e.Invoke.Pos, "a value in this script stands without quotes: it stays one argument, or none when it is empty").
					Hintf("to pass several arguments, use args: with a list")
			}
		}
	}
	for _, st := range s.Program.States {
		look(st.OnEnter)
	}
	s.eachArc(func(_ artifact.Handler, a artifact.Arc, _ artifact.State) { look(a.Effects) })
}

// holds looks for a text in literal arguments and lists of them.
func holds(with []artifact.Field, what string) bool {
	for _, f := range with {
		if strings.Contains(unquote(f.Value.Literal), what) {
			return true
		}
		for _, v := range f.Value.List {
			if strings.Contains(unquote(v.Literal), what) {
				return true
			}
		}
	}
	return false
}
