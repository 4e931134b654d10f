package source

// The decode functions build the tree from nodes that the schema has judged.
// They leave out effects with a refused key: what such an effect does is not
// known, and one mistake is one message.

func decodeApp(root *Node) App {
	key, n := root.pair("app")
	return App{
		ID: n.str("id"), Version: n.str("version"), Title: n.str("title"),
		Author: n.str("author"), License: n.str("license"), Lint: decodeAllow(n), Pos: key.Pos,
	}
}

func decodeWorldKey(p Pair) WorldKey {
	if p.Value.Kind != KindMap {
		return WorldKey{Name: p.Key, Default: p.Value}
	}
	return WorldKey{
		Name: p.Key, Type: p.Value.str("type"),
		Default: p.Value.Get("default"), Values: p.Value.strs("values"),
	}
}

func decodeIntents(pairs []Pair) []Intent {
	var out []Intent
	for _, p := range pairs {
		out = append(out, decodeIntent(p))
	}
	return out
}

func decodeIntent(p Pair) Intent {
	n := p.Value
	out := Intent{
		Name: p.Key, Title: n.str("title"), Description: n.str("description"),
		Examples: decodePhrases(n.Get("examples")), Synonyms: decodePhrases(n.Get("synonyms")),
		Priority: n.number("priority"), Hidden: n.flag("hidden"), Confirm: n.flag("confirm"),
		Drive: n.flag("drive"), Detach: n.flag("detach"),
		Show: n.str("show"), Timeout: n.str("timeout"), Lint: decodeExempt(n),
	}
	for _, a := range n.pairs("allow_words") {
		out.AllowWords = append(out.AllowWords, Allow{Word: a.Key, Reason: a.Value.Str()})
	}
	for _, s := range n.pairs("slots") {
		out.Slots = append(out.Slots, decodeSlot(s))
	}
	return out
}

// decodePhrases reads a plain list, or language to list.
func decodePhrases(n *Node) []Phrases {
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

func decodeSlot(p Pair) Slot {
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

func decodeStates(pairs []Pair) []State {
	var out []State
	for _, p := range pairs {
		out = append(out, decodeState(p))
	}
	return out
}

func decodeState(p Pair) State {
	n := p.Value
	out := State{
		Name: p.Key, Description: n.str("description"),
		View: decodeView(n.Get("view")), RelevantWorld: n.strs("relevant_world"),
		OnEnter: decodeEffects(n.list("on_enter")), Intents: decodeIntents(n.pairs("intents")),
		IncludeArcs: n.strs("include_arcs"),
		Terminal:    n.flag("terminal"), InterceptDrive: n.str("intercept_drive"),
		Outcome: n.str("outcome"), Initial: n.str("initial"),
		States: decodeStates(n.pairs("states")), Abort: decodeEffects(n.list("abort")),
		Lint: decodeExempt(n),
	}
	if key, post := n.pair("postcondition"); post != nil && post.Kind == KindMap {
		c := decodePrecondition(post)
		c.Pos = key.Pos
		out.Postcondition = &c
	}
	for _, h := range n.pairs("on") {
		out.On = append(out.On, On{Intent: h.Key, Arcs: decodeArcs(h.Value)})
	}
	return out
}

func decodeImport(p Pair, dir string) Import {
	n := p.Value
	intents, over := n.Get("intents"), n.Get("overrides")
	return Import{
		Alias: p.Key, Source: n.str("source"), Entry: n.str("entry"), WorldIn: n.pairs("world_in"),
		Offer: intents.strs("export"), Lift: intents.strs("import"),
		States: decodeStates(over.pairs("states")), Intents: decodeIntents(over.pairs("intents")),
		Prompts: over.pairs("prompts"), dir: dir,
	}
}

func decodeArcs(n *Node) []Arc {
	if n.Kind == KindMap {
		return []Arc{decodeArc(n)}
	}
	var out []Arc
	for _, item := range n.Items {
		if item.Kind == KindMap {
			out = append(out, decodeArc(item))
		}
	}
	return out
}

func decodeArc(n *Node) Arc {
	out := Arc{
		Target: n.str("target"), When: n.str("when"),
		GuardHint: n.str("guard_hint"), Outcome: n.str("outcome"),
		Default: n.flag("default"), Effects: decodeEffects(n.list("effects")), Pos: n.Pos,
	}
	for _, p := range n.list("precondition") {
		if p.Kind == KindMap {
			out.Preconditions = append(out.Preconditions, decodePrecondition(p))
		}
	}
	return out
}

func decodePrecondition(n *Node) Precondition {
	return Precondition{
		Invoke: n.str("invoke"), With: n.pairs("with"),
		Require: n.str("require"), Hint: n.str("hint"), Pos: n.Pos,
	}
}

func decodeEffects(items []*Node) []Effect {
	var out []Effect
	for _, n := range items {
		if n.Kind == KindMap && !n.refused {
			out = append(out, decodeEffect(n))
		}
	}
	return out
}

func decodeEffect(n *Node) Effect {
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
