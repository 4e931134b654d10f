package compiler

import (
	"sort"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/fold"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

// named is the name that something has in the whole story which the story
// folded under the state home calls by this one.
func named(home, name string) string {
	if home == "" {
		return name
	}
	return fold.Prefix(home) + name
}

// seed lowers what entering an imported story writes.
func (l *lowerer) seed(r room, at place) []artifact.Field {
	if r.src.Fold == nil {
		return nil
	}
	return l.assignments(r.src.Fold.Seed, at)
}

// included adds the arcs of the rooms whose intents the room offers as its
// own. What the room answers itself stays its own; of the rooms the first
// that answers an intent decides.
func (l *lowerer) included(r room, own []artifact.Handler) []artifact.Handler {
	seen := map[string]bool{}
	for _, h := range own {
		seen[h.Intent] = true
	}
	for _, on := range l.offers(r, map[string]bool{r.path: true}) {
		if name := on.Intent.Val; !seen[name] {
			seen[name] = true
			own = append(own, artifact.Handler{Intent: name, Arcs: l.arcs(on.On, on.room)})
		}
	}
	return own
}

// offer is arcs that one room offers and another declares: names in them
// mean what they mean there.
type offer struct {
	source.On
	room string
}

// offers are the arcs of the rooms a room includes, with those around them
// in their story and those they include themselves.
func (l *lowerer) offers(r room, met map[string]bool) []offer {
	var out []offer
	for _, name := range r.src.IncludeArcs {
		path, ok := l.rooms.resolve(r.path, name.Val)
		if !ok {
			l.missing(diag.UnknownState, name.Pos, "include_arcs names no state: %s", name.Val).
				Hint = didYouMean(name.Val, l.rooms.names(), "name a room such as gitops.intercept")
			continue
		}
		path = l.rooms.first(path)
		home := l.rooms.byPath[path].home
		for at := path; at != home; at = parentOf(at) {
			if met[at] {
				continue
			}
			met[at] = true
			from := l.rooms.byPath[at]
			for _, on := range from.src.On {
				out = append(out, offer{on, at})
			}
			out = append(out, l.offers(from, met)...)
		}
	}
	return out
}

// ownWords puts diagnostics about imported files in the words of those
// files: their authors do not know under which alias they are imported.
func ownWords(st *source.Story, ds diag.List) {
	prefixes := map[string][]string{}
	collectPrefixes(st, "", prefixes)
	for i := range ds {
		list := prefixes[ds[i].Pos.File]
		if len(list) == 0 || speaksOfTwo(ds[i].Code) {
			continue
		}
		sort.Slice(list, func(a, b int) bool { return len(list[a]) > len(list[b]) })
		for _, p := range list {
			ds[i].Message = strings.ReplaceAll(ds[i].Message, p, "")
			ds[i].Hint = strings.ReplaceAll(ds[i].Hint, p, "")
		}
	}
}

// speaksOfTwo: the message names what two stories may declare, and its own
// name would not tell which.
func speaksOfTwo(c diag.Code) bool {
	return c == diag.DuplicateName || c == diag.SamePhrase || c == diag.Ambiguous
}

// collectPrefixes gathers, by file, what folding put before its names.
func collectPrefixes(st *source.Story, outer string, by map[string][]string) {
	for _, imp := range st.Imports {
		if imp.Story == nil {
			continue
		}
		prefix := outer + fold.Prefix(imp.Alias.Val)
		for _, f := range imp.Story.Files {
			by[f.Path] = append(by[f.Path], prefix)
		}
		collectPrefixes(imp.Story, prefix, by)
	}
}
