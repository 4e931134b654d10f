package lint

import (
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/runtime/engine/expr"
)

// allIntents are the intents of a story, those of its states included.
func allIntents(st *source.Story) []*source.Intent {
	var out []*source.Intent
	for i := range st.Intents {
		out = append(out, &st.Intents[i])
	}
	eachState(st.States, "", func(_ string, s *source.State) {
		for i := range s.Intents {
			out = append(out, &s.Intents[i])
		}
	})
	return out
}

// eachState visits every state with its dotted path.
func eachState(states []source.State, parent string, visit func(path string, s *source.State)) {
	for i := range states {
		s := &states[i]
		path := s.Name.Val
		if parent != "" {
			path = parent + "." + path
		}
		visit(path, s)
		eachState(s.States, path, visit)
	}
}

// phrasesOf are all phrases of an intent, in every language.
func phrasesOf(in *source.Intent) []source.Str {
	var out []source.Str
	for _, lists := range [][]source.Phrases{in.Examples, in.Synonyms} {
		for _, p := range lists {
			out = append(out, p.List...)
		}
	}
	return out
}

// uses is what a story's expressions, templates and patterns name.
type uses struct {
	world, slots, rules map[string]bool
	calls, emitted      map[string]bool
	filled              map[string]map[string]bool // intent → slot that an emitted turn gives
	wholeWorld          bool                       // some expression takes a key that is only known later
}

func usesOf(st *source.Story) *uses {
	u := &uses{
		world: map[string]bool{}, slots: map[string]bool{}, rules: map[string]bool{},
		calls: map[string]bool{}, emitted: map[string]bool{}, filled: map[string]map[string]bool{},
	}
	eachState(st.States, "", func(_ string, s *source.State) { u.state(s) })
	for _, in := range allIntents(st) {
		for _, p := range phrasesOf(in) {
			u.pattern(p)
		}
	}
	for _, r := range st.Routing.Rules {
		u.pattern(r.Pattern)
	}
	for _, i := range st.Imports {
		u.pairs(i.WorldIn)
	}
	for _, list := range [][]source.Str{st.Routing.Lead, st.Routing.Request, st.Routing.Trail} {
		for _, p := range list {
			u.pattern(p)
		}
	}
	return u
}

func (u *uses) pattern(p source.Str) {
	n, err := pattern.Parse(p.Val)
	if err != nil {
		return
	}
	n.Walk(func(k *pattern.Node) {
		if k.Kind == pattern.Rule {
			u.rules[k.Text] = true
		}
	})
}

func (u *uses) state(s *source.State) {
	for _, k := range s.RelevantWorld {
		u.world[k.Val] = true
	}
	for _, v := range s.View {
		u.guard(v.When)
		u.text(v.Text)
		for _, it := range v.Items {
			u.guard(it.When)
			u.text(it.Label)
			u.text(it.Value)
		}
	}
	u.effects(s.OnEnter)
	u.effects(s.Abort)
	if s.Postcondition != nil {
		u.precondition(*s.Postcondition)
	}
	for _, on := range s.On {
		for _, a := range on.Arcs {
			u.arc(a)
		}
	}
}

func (u *uses) arc(a source.Arc) {
	u.guard(a.When)
	u.text(a.GuardHint)
	u.text(a.Target)
	for _, p := range a.Preconditions {
		u.precondition(p)
	}
	u.effects(a.Effects)
}

func (u *uses) precondition(p source.Precondition) {
	u.calls[p.Invoke.Val] = true
	u.pairs(p.With)
	u.guard(p.Require)
	u.text(p.Hint)
}

func (u *uses) effects(list []source.Effect) {
	for _, e := range list {
		u.guard(e.When)
		u.text(e.Say)
		u.calls[e.Invoke.Val] = true
		for _, pairs := range [][]source.Pair{e.Set, e.Increment, e.With, e.Bind, e.Slots} {
			u.pairs(pairs)
		}
		if e.EmitIntent.Val != "" {
			u.emit(e)
		}
	}
}

func (u *uses) emit(e source.Effect) {
	name := e.EmitIntent.Val
	u.emitted[name] = true
	if u.filled[name] == nil {
		u.filled[name] = map[string]bool{}
	}
	for _, p := range e.Slots {
		u.filled[name][p.Key.Val] = true
	}
}

func (u *uses) guard(s source.Str) {
	keys := expr.Keys(s.Val, "world")
	u.add(keys, expr.Keys(s.Val, "slots"))
	for _, root := range expr.Roots(s.Val) {
		u.wholeWorld = u.wholeWorld || root == "world" && len(keys) == 0
	}
}

func (u *uses) text(s source.Str) {
	u.add(expr.TextKeys(s.Val, "world"), expr.TextKeys(s.Val, "slots"))
}

func (u *uses) add(world, slots []string) {
	for _, k := range world {
		u.world[k] = true
	}
	for _, k := range slots {
		u.slots[k] = true
	}
}

func (u *uses) pairs(pairs []source.Pair) {
	for _, p := range pairs {
		u.value(p.Value)
	}
}

// value reads the {{ expr }} within data.
func (u *uses) value(n *source.Node) {
	u.pairs(n.Pairs)
	for _, item := range n.Items {
		u.value(item)
	}
	if n.Kind != source.KindString {
		return
	}
	pieces, err := expr.Split(n.Text)
	if err != nil {
		return
	}
	for _, p := range pieces {
		if p.IsExpr {
			u.guard(source.Str{Val: p.Expr})
		}
	}
}
