package lint

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/pattern"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// unusedAllowance: a word that no phrase holds, or that needs no allowance.
func unusedAllowance(s *subject) {
	pack, err := packs.Load(s.locale())
	if err != nil {
		return // the compiler has said so
	}
	for _, in := range allIntents(s.Story) {
		said := map[string]bool{}
		for _, p := range phrasesOf(in) {
			s.wordsOf(p.Val, said, nil)
		}
		for _, a := range in.AllowWords {
			switch w := a.Word.Val; {
			case !said[w]:
				s.ds.Addf(diag.UnusedAllowance, a.Word.Pos, "no phrase of %s holds %q", in.Name.Val, w).Hintf("remove the line")
			case !slices.Contains(pack.Forbidden, w):
				s.ds.Addf(diag.UnusedAllowance, a.Word.Pos, "%q needs no allowance", w).Hintf("remove the line")
			}
		}
	}
}

// wordsOf notes the words of a phrase and of the rules it uses.
func (s *subject) wordsOf(phrase string, said map[string]bool, open []string) {
	n, err := pattern.Parse(phrase)
	if err != nil {
		return
	}
	n.Walk(func(k *pattern.Node) {
		switch k.Kind {
		case pattern.Word:
			said[k.Text] = true
		case pattern.Rule:
			for _, r := range s.Story.Routing.Rules {
				if r.Name.Val == k.Text && !slices.Contains(open, k.Text) {
					s.wordsOf(r.Pattern.Val, said, append(open, k.Text))
				}
			}
		}
	})
}

// confirmNoExample: only an exact phrase starts an intent that asks first.
func confirmNoExample(s *subject) {
	labelled := map[string]bool{}
	for _, st := range s.Program.States {
		for _, v := range st.View {
			for _, c := range v.Items {
				labelled[c.Intent] = true
			}
		}
	}
	for _, in := range allIntents(s.Story) {
		exact := labelled[in.Name.Val]
		for _, list := range in.Examples {
			for _, p := range list.List {
				exact = exact || pattern.Plain(p.Val) && len(text.Words(p.Val)) > 0
			}
		}
		if in.Confirm && !in.Hidden && !exact {
			s.ds.Addf(diag.ConfirmNoExample, in.Name.Pos, "%s asks first, so only an exact example starts it, and it has none", in.Name.Val).
				Hintf("add examples: with what a person types, word for word")
		}
	}
}

// nothingToIntercept: no room that a prompt could be bound to offers a thing.
func nothingToIntercept(s *subject) {
	if s.Image == nil || slices.ContainsFunc(s.Image.Rooms, func(r artifact.Room) bool { return len(r.Intents) > 0 }) {
		return
	}
	s.ds.Addf(diag.NothingToIntercept, s.Story.App.Pos, "no room of this story offers an intent").
		Hintf("answer an intent in the on of a state that is not terminal, and give it phrases")
}
