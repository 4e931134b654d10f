package fold

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
)

// kept are the intents that keep their names: those that the importing story
// exports to the child, and those it imports from it.
func (f *folder) kept() map[string]bool {
	out := map[string]bool{}
	for _, s := range f.imp.Offer {
		if has(f.into.Intents, s.Val) || f.into.Incomplete {
			out[s.Val] = true
			continue
		}
		f.ds.Addf(diag.UnknownIntent, s.Pos, "this story has no intent %s to export", s.Val).
			Hintf("%s", didYouMean(s.Val, intentNames(f.into.Intents), "declare it under intents, or remove it here")).
			Also(f.child.App.Pos, "the story it would be exported to")
	}
	for _, s := range f.imp.Lift {
		if has(f.child.Intents, s.Val) || f.child.Incomplete {
			out[s.Val] = true
			continue
		}
		f.ds.Addf(diag.UnknownIntent, s.Pos, "the story imported as %s has no intent %s", f.imp.Alias.Val, s.Val).
			Hintf("%s", didYouMean(s.Val, intentNames(f.child.Intents), "name an intent of its top level")).
			Also(f.child.App.Pos, "the imported story")
	}
	return out
}

func has(list []source.Intent, name string) bool {
	return slices.ContainsFunc(list, func(in source.Intent) bool { return in.Name.Val == name })
}

func intentNames(list []source.Intent) []string {
	var out []string
	for _, in := range list {
		out = append(out, in.Name.Val)
	}
	return out
}

// intents adds the child's intents, without its own form of those exported
// to it. What a child with routing switched off declares can be emitted and
// not typed.
func (f *folder) intents() {
	if f.child.Routing.Disabled {
		hide(f.child.Intents)
		hideIn(f.child.States)
	}
	for _, in := range f.child.Intents {
		exported := slices.ContainsFunc(f.imp.Offer, func(s source.Str) bool { return s.Val == in.Name.Val })
		if !exported {
			f.into.Intents = append(f.into.Intents, in)
		}
	}
}

func hide(list []source.Intent) {
	for i := range list {
		list[i].Hidden = true
	}
}

func hideIn(states []source.State) {
	for i := range states {
		hide(states[i].Intents)
		hideIn(states[i].States)
	}
}

// routing joins the child's rules, fillers and word groups to the importing
// story's. A group or filler that both have is one.
func (f *folder) routing() {
	to, from := &f.into.Routing, &f.child.Routing
	for _, r := range from.Rules {
		if at := slices.IndexFunc(to.Rules, func(t source.Rule) bool { return t.Name.Val == r.Name.Val }); at >= 0 {
			f.ds.Addf(diag.DuplicateName, to.Rules[at].Name.Pos, "the rule %s has the name of an imported rule", r.Name.Val).
				Hintf("rename it").Also(r.Name.Pos, "the imported rule")
			continue
		}
		to.Rules = append(to.Rules, r)
	}
	to.Lead, to.Request, to.Trail = union(to.Lead, from.Lead), union(to.Request, from.Request), union(to.Trail, from.Trail)
	for _, g := range from.Synonyms {
		if !slices.ContainsFunc(to.Synonyms, func(h []source.Str) bool { return sameWords(g, h) }) {
			to.Synonyms = append(to.Synonyms, g)
		}
	}
}

func union(a, b []source.Str) []source.Str {
	for _, s := range b {
		if !slices.ContainsFunc(a, func(t source.Str) bool { return t.Val == s.Val }) {
			a = append(a, s)
		}
	}
	return a
}

func sameWords(a, b []source.Str) bool {
	return len(a) == len(b) && len(union(slices.Clip(a), b)) == len(a)
}

// override replaces states and intents of the child, before any name of it
// is changed.
func (f *folder) override() {
	for _, s := range f.imp.States {
		at := find(f.child.States, s.Name.Val)
		if at == nil {
			f.noSuch("state", s.Name, paths("", f.child.States))
			continue
		}
		s.Name = at.Name
		*at = s
	}
	for _, in := range f.imp.Intents {
		at := declared(f.child, in.Name.Val)
		if at == nil {
			f.noSuch("intent", in.Name, intentNames(f.child.Intents))
			continue
		}
		*at = in
	}
}

func (f *folder) noSuch(what string, name source.Str, known []string) {
	if f.child.Incomplete {
		return
	}
	f.ds.Addf(diag.UnknownOverride, name.Pos, "the story imported as %s has no %s %s to override", f.imp.Alias.Val, what, name.Val).
		Hintf("%s", didYouMean(name.Val, known, "an override takes the place of something; declare what is new in this story")).
		Also(f.child.App.Pos, "the imported story")
}

// declared finds an intent of the story, global or of a state.
func declared(st *source.Story, name string) *source.Intent {
	if in := among(st.Intents, name); in != nil {
		return in
	}
	return within(st.States, name)
}

func within(states []source.State, name string) *source.Intent {
	for i := range states {
		if in := among(states[i].Intents, name); in != nil {
			return in
		}
		if in := within(states[i].States, name); in != nil {
			return in
		}
	}
	return nil
}

func among(list []source.Intent, name string) *source.Intent {
	for i := range list {
		if list[i].Name.Val == name {
			return &list[i]
		}
	}
	return nil
}
