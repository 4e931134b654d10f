package source

import (
	"path"

	"kitsoki/compiler/diag"
)

// merge is the flat union of all files: lists are joined, names declared
// twice are errors that name both places and keep the first.
func (l *loader) merge(files []part) *Story {
	m := &merger{story: &Story{}, ds: l.ds, names: map[string]diag.Pos{}}
	for _, f := range files {
		m.file(f.root)
		m.imports(f)
	}
	return m.story
}

type merger struct {
	story *Story
	ds    *diag.List
	names map[string]diag.Pos
}

func (m *merger) file(root *Node) {
	s := m.story
	var keys []Str
	for _, p := range root.Pairs {
		keys = append(keys, p.Key)
	}
	s.TopKeys = append(s.TopKeys, keys)
	if s.App.Pos.Line == 0 {
		s.App = decodeApp(root)
	}
	if s.Root.Val == "" {
		s.Root = root.str("root")
	}
	for _, h := range root.strs("hosts") {
		if !hasHost(s.Hosts, h.Val) {
			s.Hosts = append(s.Hosts, h)
		}
	}
	m.routing(root.Get("routing"))
	for _, p := range root.pairs("world") {
		if m.fresh("world key", p.Key) {
			s.World = append(s.World, decodeWorldKey(p))
		}
	}
	for _, p := range root.pairs("intents") {
		if m.fresh("intent", p.Key) {
			s.Intents = append(s.Intents, decodeIntent(p))
		}
	}
	for _, p := range root.pairs("agents") {
		if m.fresh("agent", p.Key) {
			s.Agents = append(s.Agents, decodeAgent(p))
		}
	}
	for _, p := range root.pairs("states") {
		if m.fresh("state", p.Key) {
			s.States = append(s.States, decodeState(p))
		}
	}
}

func (m *merger) imports(f part) {
	for _, p := range f.root.pairs("imports") {
		if p.Value.Kind == KindMap && m.fresh("import", p.Key) {
			m.story.Imports = append(m.story.Imports, decodeImport(p, path.Dir(f.path)))
		}
	}
}

func hasHost(list []Str, name string) bool {
	for _, s := range list {
		if s.Val == name {
			return true
		}
	}
	return false
}

// fresh reports a name that another file has declared.
func (m *merger) fresh(what string, name Str) bool {
	id := what + "\x00" + name.Val
	first, taken := m.names[id]
	if !taken {
		m.names[id] = name.Pos
		return true
	}
	m.ds.Addf(diag.DuplicateName, name.Pos, "the %s %q is declared twice", what, name.Val).
		Hintf("rename or remove one of the two").
		Also(first, "%q is declared here first", name.Val)
	return false
}

func (m *merger) routing(n *Node) {
	r := &m.story.Routing
	if v := n.Get("enabled"); v != nil && m.freshSetting(n, "enabled") {
		r.Disabled = v.Kind == KindBool && !v.isTrue()
	}
	if v := n.str("locale"); v.Val != "" && m.freshSetting(n, "locale") {
		r.Locale = v
	}
	fillers := n.Get("fillers")
	r.Lead = append(r.Lead, fillers.strs("lead")...)
	r.Request = append(r.Request, fillers.strs("request")...)
	r.Trail = append(r.Trail, fillers.strs("trail")...)
	for _, p := range n.pairs("rules") {
		if m.fresh("rule", p.Key) {
			r.Rules = append(r.Rules, Rule{Name: p.Key, Pattern: p.Value.Str()})
		}
	}
	for _, group := range n.list("word_synonyms") {
		r.Synonyms = append(r.Synonyms, group.scalars())
	}
}

func (m *merger) freshSetting(n *Node, key string) bool {
	at, _ := n.pair(key)
	return m.fresh("setting", Str{Val: "routing." + at.Val, Pos: at.Pos})
}
