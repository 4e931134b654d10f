package fold

import "kitsoki/compiler/source"

// story renames all that a story declares and names.
func (r *renamer) story(st *source.Story) {
	for i := range st.World {
		st.World[i].Name = r.key(st.World[i].Name)
	}
	locale := st.Routing.Locale
	if locale.Val == "" {
		locale.Val = "en"
	}
	r.intents(st.Intents, locale)
	r.states(st.States, locale)
	r.agents(st)
	rt := &st.Routing
	for i := range rt.Rules {
		rt.Rules[i] = source.Rule{Name: r.name(rt.Rules[i].Name), Pattern: r.phrase(rt.Rules[i].Pattern)}
	}
	rt.Lead, rt.Request, rt.Trail = r.phrases(rt.Lead), r.phrases(rt.Request), r.phrases(rt.Trail)
}

func (r *renamer) intents(list []source.Intent, locale source.Str) {
	for i := range list {
		in := &list[i]
		in.Name = r.intent(in.Name)
		in.Examples, in.Synonyms = r.spoken(in.Examples, locale), r.spoken(in.Synonyms, locale)
		for j := range in.Slots {
			for k, a := range in.Slots[j].Synonyms {
				in.Slots[j].Synonyms[k].Phrases = r.phrases(a.Phrases)
			}
		}
	}
}

// spoken rewrites phrases. A plain list is in the language of its own story,
// whatever that of the importing one.
func (r *renamer) spoken(lists []source.Phrases, locale source.Str) []source.Phrases {
	out := make([]source.Phrases, len(lists))
	for i, p := range lists {
		if p.Locale.Val == "" {
			p.Locale = locale
		}
		out[i] = source.Phrases{Locale: p.Locale, List: r.phrases(p.List)}
	}
	return out
}

func (r *renamer) states(list []source.State, locale source.Str) {
	for i := range list {
		s := &list[i]
		s.RelevantWorld = r.keys(s.RelevantWorld)
		s.View = r.views(s.View)
		s.OnEnter, s.Abort = r.effects(s.OnEnter), r.effects(s.Abort)
		for j := range s.On {
			s.On[j] = source.On{Intent: r.intent(s.On[j].Intent), Arcs: r.arcs(s.On[j].Arcs)}
		}
		if s.Postcondition != nil {
			p := r.precondition(*s.Postcondition)
			s.Postcondition = &p
		}
		if s.Fold != nil {
			s.Fold.Seed = r.keyed(s.Fold.Seed)
		}
		r.intents(s.Intents, locale)
		r.states(s.States, locale)
	}
}

func (r *renamer) views(list []source.View) []source.View {
	out := make([]source.View, len(list))
	for i, v := range list {
		v.When, v.Text = r.guard(v.When), r.text(v.Text)
		items := make([]source.ViewItem, len(v.Items))
		for j, it := range v.Items {
			items[j] = source.ViewItem{
				Label: r.text(it.Label), Value: r.text(it.Value), Intent: r.intent(it.Intent), When: r.guard(it.When),
			}
		}
		v.Items = items
		out[i] = v
	}
	return out
}

func (r *renamer) arcs(list []source.Arc) []source.Arc {
	out := make([]source.Arc, len(list))
	for i, a := range list {
		a.When, a.GuardHint, a.Target = r.guard(a.When), r.text(a.GuardHint), r.value(a.Target)
		a.Effects = r.effects(a.Effects)
		pre := make([]source.Precondition, len(a.Preconditions))
		for j, p := range a.Preconditions {
			pre[j] = r.precondition(p)
		}
		a.Preconditions = pre
		out[i] = a
	}
	return out
}

func (r *renamer) precondition(p source.Precondition) source.Precondition {
	p.With, p.Require, p.Hint = r.values(p.With), r.guard(p.Require), r.text(p.Hint)
	return p
}

func (r *renamer) effects(list []source.Effect) []source.Effect {
	out := make([]source.Effect, len(list))
	for i, e := range list {
		e.When, e.Say = r.guard(e.When), r.text(e.Say)
		e.Set, e.Increment = r.keyed(e.Set), r.keyed(e.Increment)
		e.With, e.Bind = r.with(e), r.keyed(e.Bind)
		e.Agent = r.name(e.Agent)
		e.EmitIntent, e.Slots = r.intent(e.EmitIntent), r.values(e.Slots)
		out[i] = e
	}
	return out
}
