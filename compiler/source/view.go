package source

// decodeView reads a room's view: one text, which is a template, or elements.
func decodeView(n *Node) []View {
	switch {
	case n == nil:
		return nil
	case n.Kind == KindString:
		return []View{{Kind: Str{Val: "template", Pos: n.Pos}, Text: n.Str(), Pos: n.Pos}}
	}
	var out []View
	for _, item := range n.Items {
		if v, ok := decodeElement(item); ok {
			out = append(out, v)
		}
	}
	return out
}

// decodeElement reads one element: its kind is its one key beside when.
func decodeElement(n *Node) (View, bool) {
	if n.Kind != KindMap || n.refused {
		return View{}, false
	}
	out := View{When: n.str("when"), Pos: n.Pos}
	for _, p := range n.Pairs {
		if p.Key.Val == "when" {
			continue
		}
		out.Kind = p.Key
		out.Text, out.Items = content(p.Value)
	}
	return out, out.Kind.Val != ""
}

func content(n *Node) (Str, []ViewItem) {
	switch n.Kind {
	case KindList:
		return Str{}, items(n.Items)
	case KindMap:
		return n.str("prompt"), append(items(n.list("items")), kvItems(n.pairs("pairs"))...)
	}
	return n.Str(), nil
}

// items reads the lines of a list or choice; what a hint says is the line's
// value.
func items(nodes []*Node) []ViewItem {
	var out []ViewItem
	for _, n := range nodes {
		switch n.Kind {
		case KindString:
			out = append(out, ViewItem{Label: n.Str()})
		case KindMap:
			out = append(out, ViewItem{Label: n.str("label"), Value: n.str("hint"), Intent: n.str("intent"), When: n.str("when")})
		}
	}
	return out
}

func kvItems(pairs []Pair) []ViewItem {
	var out []ViewItem
	for _, p := range pairs {
		out = append(out, ViewItem{Label: p.Key, Value: p.Value.Str()})
	}
	return out
}
