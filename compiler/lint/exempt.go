package lint

import (
	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
)

// exemption is one entry of a lint.allow and the lines it covers; file "" is
// the whole story.
type exemption struct {
	code     source.Str
	file     string
	from, to int
	used     bool
}

func (e *exemption) covers(d diag.Diagnostic) bool {
	if string(d.Code) != e.code.Val || d.Severity == diag.Error {
		return false
	}
	return e.file == "" || d.Pos.File == e.file && d.Pos.Line >= e.from && d.Pos.Line <= e.to
}

// exempt drops what the story exempts, and reports exemptions that dropped
// nothing.
func exempt(st *source.Story, ds diag.List) diag.List {
	list := exemptions(st)
	var out diag.List
	for _, d := range ds {
		if !covered(list, d) {
			out = append(out, d)
		}
	}
	for _, e := range list {
		if e.used {
			continue
		}
		d := out.Addf(diag.UnusedExemption, e.code.Pos, "lint.allow: %s has nothing to say here", e.code.Val).Hintf("remove the line")
		if known, ok := diag.Lookup(diag.Code(e.code.Val)); !ok {
			d.Hintf("there is no %s; kitsoki lint --explain all lists the codes", e.code.Val)
		} else if known.Severity == diag.Error {
			d.Hintf("%s is an error, and errors can't be exempted", e.code.Val)
		}
	}
	return out
}

// covered marks every exemption that covers the diagnostic.
func covered(list []*exemption, d diag.Diagnostic) bool {
	found := false
	for _, e := range list {
		if e.covers(d) {
			e.used, found = true, true
		}
	}
	return found
}

func exemptions(st *source.Story) []*exemption {
	var out []*exemption
	for _, a := range st.App.Lint {
		out = append(out, &exemption{code: a.Word})
	}
	add := func(name source.Str, x source.Exempt) {
		for _, a := range x.Allow {
			out = append(out, &exemption{code: a.Word, file: name.Pos.File, from: name.Pos.Line, to: x.Last})
		}
	}
	for _, in := range allIntents(st) {
		add(in.Name, in.Lint)
	}
	eachState(st.States, "", func(_ string, s *source.State) { add(s.Name, s.Lint) })
	return out
}
