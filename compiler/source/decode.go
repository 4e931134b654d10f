package source

// decoder builds the tree from nodes that the schema has judged. It leaves
// out effects with a refused key: what they would do is not known, and one
// mistake is one message.
type decoder struct {
	bad map[*Node]bool
}

func (d decoder) app(root *Node) App {
	key, n := root.pair("app")
	return App{
		ID: n.str("id"), Version: n.str("version"), Title: n.str("title"),
		Author: n.str("author"), License: n.str("license"), Pos: key.Pos,
	}
}

func (d decoder) worldKey(p Pair) WorldKey {
	if p.Value.Kind != KindMap {
		return WorldKey{Name: p.Key, Default: p.Value}
	}
	return WorldKey{
		Name: p.Key, Type: p.Value.str("type"),
		Default: p.Value.Get("default"), Values: p.Value.strs("values"),
	}
}

func (d decoder) intents(pairs []Pair) []Intent {
	var out []Intent
	for _, p := range pairs {
		out = append(out, d.intent(p))
	}
	return out
}

func (d decoder) intent(p Pair) Intent {
	n := p.Value
	out := Intent{
		Name: p.Key, Title: n.str("title"), Description: n.str("description"),
		Examples: phrases(n.Get("examples")), Synonyms: phrases(n.Get("synonyms")),
		Priority: n.number("priority"), Hidden: n.flag("hidden"), Confirm: n.flag("confirm"),
		Drive: n.flag("drive"), Detach: n.flag("detach"),
		Show: n.str("show"), Timeout: n.str("timeout"),
	}
	for _, a := range n.pairs("allow_words") {
		out.AllowWords = append(out.AllowWords, Allow{Word: a.Key, Reason: a.Value.Str()})
	}
	for _, s := range n.pairs("slots") {
		out.Slots = append(out.Slots, d.slot(s))
	}
	return out
}

// phrases reads a plain list, or language to list.
func phrases(n *Node) []Phrases {
	switch {
	case n == nil:
		return nil
	case n.Kind == KindList && len(n.Items) > 0:
		return []Phrases{{List: n.scalars()}}
	}
	var out []Phrases
	for _, p := range n.Pairs {
		out = append(out, Phrases{Locale: p.Key, List: p.Value.scalars()})
	}
	return out
}

func (d decoder) slot(p Pair) Slot {
	n := p.Value
	out := Slot{
		Name: p.Key, Type: n.str("type"), Must: n.str("must"),
		Description: n.str("description"), Prompt: n.str("prompt"),
		Required: n.flag("required"), Default: n.Get("default"),
		Values: n.strs("values"), Examples: n.strs("examples"),
	}
	for _, s := range n.pairs("synonyms") {
		out.Synonyms = append(out.Synonyms, Allowed{Value: s.Key, Phrases: s.Value.scalars()})
	}
	return out
}

func (d decoder) states(pairs []Pair) []State {
	var out []State
	for _, p := range pairs {
		out = append(out, d.state(p))
	}
	return out
}

func (d decoder) state(p Pair) State {
	n := p.Value
	out := State{
		Name: p.Key, Description: n.str("description"),
		View: d.view(n.Get("view")), RelevantWorld: n.strs("relevant_world"),
		OnEnter: d.effects(n.list("on_enter")), Intents: d.intents(n.pairs("intents")),
		Terminal: n.flag("terminal"), InterceptDrive: n.str("intercept_drive"),
		Outcome: n.str("outcome"), Initial: n.str("initial"),
		States: d.states(n.pairs("states")), Abort: d.effects(n.list("abort")),
	}
	if key, post := n.pair("postcondition"); post != nil && post.Kind == KindMap {
		c := d.precondition(post)
		c.Pos = key.Pos
		out.Postcondition = &c
	}
	for _, h := range n.pairs("on") {
		out.On = append(out.On, On{Intent: h.Key, Arcs: d.arcs(h.Value)})
	}
	return out
}

func (d decoder) arcs(n *Node) []Arc {
	if n.Kind == KindMap {
		return []Arc{d.arc(n)}
	}
	var out []Arc
	for _, item := range n.Items {
		if item.Kind == KindMap {
			out = append(out, d.arc(item))
		}
	}
	return out
}

func (d decoder) arc(n *Node) Arc {
	out := Arc{
		Target: n.str("target"), When: n.str("when"),
		GuardHint: n.str("guard_hint"), Outcome: n.str("outcome"),
		Default: n.flag("default"), Effects: d.effects(n.list("effects")), Pos: n.Pos,
	}
	for _, p := range n.list("precondition") {
		if p.Kind == KindMap {
			out.Preconditions = append(out.Preconditions, d.precondition(p))
		}
	}
	return out
}

func (d decoder) precondition(n *Node) Precondition {
	return Precondition{
		Invoke: n.str("invoke"), With: n.pairs("with"),
		Require: n.str("require"), Hint: n.str("hint"), Pos: n.Pos,
	}
}

func (d decoder) effects(items []*Node) []Effect {
	var out []Effect
	for _, n := range items {
		if n.Kind == KindMap && !d.bad[n] {
			out = append(out, d.effect(n))
		}
	}
	return out
}

func (d decoder) effect(n *Node) Effect {
	out := Effect{
		When: n.str("when"), Set: n.pairs("set"), Increment: n.pairs("increment"),
		Say: n.str("say"), Invoke: n.str("invoke"),
		With: n.pairs("with"), Bind: n.pairs("bind"), ID: n.str("id"), Once: n.flag("once"),
		OnError: n.str("on_error"), Agent: n.str("agent"),
		EmitIntent: n.str("emit_intent"), Slots: n.pairs("slots"), Pos: n.Pos,
	}
	for _, p := range n.Pairs {
		switch p.Key.Val {
		case "set", "increment", "say", "invoke", "emit_intent":
			out.Actions = append(out.Actions, p.Key)
		}
	}
	return out
}
