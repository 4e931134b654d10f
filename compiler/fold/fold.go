// Package fold puts imported stories into the story that imports them.
//
// In: a story's tree with the trees of its imports. Out: one tree, in which
// an imported story stands below one compound state named as its alias, its
// intents, world keys and rules carry the alias as a prefix, and every
// reference follows; or diagnostics at the import, with the place in the
// imported story beside it. Invariants: a scalar keeps its place in its own
// file whatever was put into it; what an imported story names is its own
// and never the importing story's, but for the intents that are exported to
// it and the keys that the engine writes.
//
// It refuses circles of names, not of files: those the source stage finds.
package fold

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// Story folds all imports of a story in, those of its imports first. An
// import that is at fault is left out, and the story marked incomplete.
func Story(st *source.Story, ds *diag.List) {
	for i := range st.Imports {
		imp := &st.Imports[i]
		if imp.Story == nil {
			continue
		}
		f := &folder{into: st, imp: imp, child: imp.Story, own: len(imp.Story.World), ds: ds}
		f.override()
		Story(imp.Story, ds)
		if f.fold(); imp.Story.Incomplete {
			st.Incomplete = true
		}
	}
}

// folder folds one import in.
type folder struct {
	into  *source.Story
	imp   *source.Import
	child *source.Story
	own   int // world keys that the child declares itself; they stand first
	ds    *diag.List
}

func (f *folder) fold() {
	if !f.named() {
		f.into.Incomplete = true
		return
	}
	seed := f.seed()
	r := &renamer{alias: f.imp.Alias.Val, prefix: Prefix(f.imp.Alias.Val), kept: f.kept(), ds: f.ds}
	r.story(f.child)
	for i := range seed {
		seed[i].Key = r.key(seed[i].Key)
	}
	f.into.States = append(f.into.States, source.State{
		Name: f.imp.Alias, Description: f.child.App.Title, Initial: f.entry(), States: f.child.States,
		Fold: &source.Fold{App: f.child.App, Hosts: f.child.Hosts, Seed: seed},
	})
	f.into.Agents = append(f.into.Agents, f.child.Agents...)
	f.into.Assets = append(f.into.Assets, f.child.Assets...)
	f.world()
	f.intents()
	f.routing()
}

// Prefix is what names of a story imported under the alias begin with; the
// alias may be a dotted path of aliases.
func Prefix(alias string) string {
	return strings.ReplaceAll(alias, ".", artifact.AliasMark) + artifact.AliasMark
}

// named checks the alias: it begins names that expressions use, and must be
// told from them.
func (f *folder) named() bool {
	alias := f.imp.Alias
	if !identifier(alias.Val) || strings.Contains(alias.Val, artifact.AliasMark) || strings.HasSuffix(alias.Val, "_") {
		f.ds.Addf(diag.BadName, alias.Pos, "%q is no name for an import", alias.Val).
			Hintf("use letters, digits and single _ between them, beginning with a letter")
		return false
	}
	for _, s := range f.into.States {
		if s.Name.Val == alias.Val {
			f.ds.Addf(diag.DuplicateName, alias.Pos, "the import %s has the name of a state", alias.Val).
				Hintf("rename one of the two").Also(s.Name.Pos, "the state is declared here")
			return false
		}
	}
	return true
}

func identifier(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// entry is the state that is entered first. A wrong one is reported, and the
// child's own first state takes its place.
func (f *folder) entry() source.Str {
	e := f.imp.Entry
	switch {
	case e.Val == "":
		f.ds.Addf(diag.BadEntry, f.imp.Alias.Pos, "the import %s has no entry", f.imp.Alias.Val).
			Hintf("add entry: the state that is entered first, such as %s", f.child.Root.Val).
			Also(f.child.Root.Pos, "the imported story begins here by itself")
	case find(f.child.States, e.Val) == nil && !f.child.Incomplete:
		f.ds.Addf(diag.BadEntry, e.Pos, "the story imported as %s has no state %s", f.imp.Alias.Val, e.Val).
			Hintf("%s", didYouMean(e.Val, paths("", f.child.States), "name one of its states, such as "+f.child.Root.Val)).
			Also(f.child.App.Pos, "the imported story")
	default:
		return e
	}
	return f.child.Root
}

// find is the state at a dotted path, nil when there is none.
func find(states []source.State, path string) *source.State {
	name, rest, deeper := strings.Cut(path, ".")
	for i := range states {
		if states[i].Name.Val != name {
			continue
		}
		if !deeper {
			return &states[i]
		}
		return find(states[i].States, rest)
	}
	return nil
}

func paths(above string, states []source.State) []string {
	var out []string
	for _, s := range states {
		out = append(out, above+s.Name.Val)
		out = append(out, paths(above+s.Name.Val+".", s.States)...)
	}
	return out
}

// seed is what entering the child writes: a value of the importing story, or
// null, which is the default.
func (f *folder) seed() []source.Pair {
	given := map[string]source.Pair{}
	for _, p := range f.imp.WorldIn {
		given[p.Key.Val] = p
	}
	var out []source.Pair
	for i, k := range f.child.World {
		p, ok := given[k.Name.Val]
		switch own := i < f.own && !engineKey(k.Name.Val); {
		case ok && own:
			out = append(out, p)
			delete(given, k.Name.Val)
		case !engineKey(k.Name.Val):
			out = append(out, source.Pair{Key: k.Name, Value: &source.Node{Pos: k.Name.Pos}})
		}
	}
	for _, p := range f.imp.WorldIn {
		if _, left := given[p.Key.Val]; left && !f.child.Incomplete {
			f.noKey(p.Key)
		}
	}
	return out
}

func (f *folder) noKey(key source.Str) {
	var names []string
	for _, k := range f.child.World[:f.own] {
		names = append(names, k.Name.Val)
	}
	f.ds.Addf(diag.UndeclaredWorld, key.Pos, "the story imported as %s has no world key %s", f.imp.Alias.Val, key.Val).
		Hintf("%s", didYouMean(key.Val, names, "declare it there, or remove it here")).
		Also(f.child.App.Pos, "the imported story")
}

// world adds the child's keys. The engine's keys are everybody's.
func (f *folder) world() {
	for _, k := range f.child.World {
		if !engineKey(k.Name.Val) || !declares(f.into.World, k.Name.Val) {
			f.into.World = append(f.into.World, k)
		}
	}
}

func declares(world []source.WorldKey, name string) bool {
	for _, k := range world {
		if k.Name.Val == name {
			return true
		}
	}
	return false
}

func engineKey(name string) bool {
	for _, k := range artifact.EngineKeys() {
		if k == name {
			return true
		}
	}
	return false
}

// didYouMean is a hint that names the candidate nearest to name, or the
// fallback when none is near.
func didYouMean(name string, candidates []string, fallback string) string {
	if near := text.Nearest(name, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return fallback
}
