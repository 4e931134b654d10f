// Package lint gives advice on a story that compiles: what works and will
// still not do what its author or its users expect. In: a story's source, its
// program and image, what the compiler said, and its routing tests. Out: one
// sorted list, the compiler's diagnostics included, without those that the
// story exempts with a reason. Fixes gives the edits for what is mechanical.
//
// A rule is one file, one row of the table, and one page under doc with its
// reason and a bad and a good story. Rules only look: nothing of a story is
// executed.
package lint

import (
	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/compiler/storytest"
	"kitsoki/runtime/artifact"
)

// Input is what lint looks at. Image and File are nil for a story with
// errors; rules that need them are left out then. Cases are the routing tests
// of phrases.yaml; Tested is false when there is no such file.
type Input struct {
	Story   *source.Story
	Program *artifact.Program
	Image   *artifact.Image
	File    *artifact.File
	Found   diag.List
	Cases   []storytest.Case
	Tested  bool
}

// subject is the input with what several rules ask of it.
type subject struct {
	Input
	ds    *diag.List
	uses  *uses
	reach map[string]*reached
}

// Run gives all there is to say about a story, sorted by place.
func Run(in Input) diag.List {
	ds := append(diag.List(nil), in.Found...)
	if in.Story == nil || in.Program == nil {
		return ds
	}
	s := &subject{Input: in, ds: &ds, uses: usesOf(in.Story)}
	s.reach = s.reachedByIntent()
	for _, r := range rules() {
		r.run(s)
	}
	imported := importedFiles(in.Story)
	ds = own(imported, exempt(in.Story, own(imported, ds)))
	ds.Sort()
	return ds.Compact()
}

// own leaves out the advice on what a story imports: that is given where the
// imported story is looked at itself.
func own(imported map[string]bool, ds diag.List) diag.List {
	var out diag.List
	for _, d := range ds {
		if d.Severity == diag.Error || !imported[d.Pos.File] {
			out = append(out, d)
		}
	}
	return out
}

// importedFiles are the files of the stories that a story imports.
func importedFiles(st *source.Story) map[string]bool {
	out := map[string]bool{}
	for _, i := range st.Imports {
		if i.Story == nil {
			continue
		}
		for _, f := range i.Story.Files {
			out[f.Path] = true
		}
	}
	return out
}

// rule is one row of the table.
type rule struct {
	code diag.Code
	run  func(*subject)
}

func rules() []rule {
	return []rule{
		{diag.MissingTimeout, missingTimeout},
		{diag.NounPhrase, nounPhrase},
		{diag.NearPhrases, nearPhrases},
		{diag.DeadIntent, deadIntent},
		{diag.UnreachableState, unreachableState},
		{diag.UnusedWorld, unusedWorld},
		{diag.UnusedSlot, unusedSlot},
		{diag.UnusedRule, unusedRule},
		{diag.OnlyIncomplete, onlyIncomplete},
		{diag.FewPassPhrases, fewPassPhrases},
		{diag.UnusedHost, unusedHost},
		{diag.Unquoted, unquoted},
		{diag.KeyOrder, keyOrder},
		{diag.DestructiveUnasked, destructiveUnasked},
		{diag.HiddenPhrases, hiddenPhrases},
		{diag.GuardSeesCall, guardSeesCall},
		{diag.NeverFires, neverFires},
		{diag.ArgumentNotSplit, argumentNotSplit},
		{diag.BadPhraseTest, badPhraseTest},
		{diag.RepeatedPhrase, repeatedPhrase},
		{diag.UnusedAllowance, unusedAllowance},
		{diag.ConfirmNoExample, confirmNoExample},
		{diag.NothingToIntercept, nothingToIntercept},
		{diag.OpenOption, openOption},
		{diag.ShortExchange, shortExchange},
	}
}
