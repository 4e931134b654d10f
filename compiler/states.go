package compiler

import (
	"sort"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

// room is one state of the source with its dotted path. Home is the path of
// the state that the story it belongs to was folded under, "" for the story
// that imports.
type room struct {
	path, parent, home string
	src                *source.State
}

// stateTree finds states by path. The list is sorted by path.
type stateTree struct {
	list   []room
	byPath map[string]room
}

func (l *lowerer) indexStates() stateTree {
	t := stateTree{byPath: map[string]room{}}
	l.addStates(&t, room{}, l.st.States)
	sort.Slice(t.list, func(i, j int) bool { return t.list[i].path < t.list[j].path })
	return t
}

func (l *lowerer) addStates(t *stateTree, parent room, states []source.State) {
	home := parent.home
	if parent.src != nil && parent.src.Fold != nil {
		home = parent.path
	}
	for i := range states {
		s := &states[i]
		r := room{path: join(parent.path, s.Name.Val), parent: parent.path, home: home, src: s}
		if first, twice := t.byPath[r.path]; twice {
			l.report(diag.DuplicateName, s.Name.Pos, "the state %s is declared twice", r.path).
				Hintf("rename or merge one of them").Also(first.src.Name.Pos, "first declared here")
			continue
		}
		if !plainName(s.Name.Val) {
			l.badName(s.Name, "a state")
		}
		t.byPath[r.path] = r
		t.list = append(t.list, r)
		l.addStates(t, r, s.States)
	}
}

// first follows initial states from a compound state to where one rests.
func (t stateTree) first(path string) string {
	for range t.list {
		next, ok := t.byPath[join(path, t.byPath[path].src.Initial.Val)]
		if !ok {
			break
		}
		path = next.path
	}
	return path
}

// paths are the paths of all states, sorted.
func (t stateTree) paths() []string {
	out := make([]string, len(t.list))
	for i, r := range t.list {
		out[i] = r.path
	}
	return out
}

// resolve finds the state a name means when it stands in the state from: a
// sibling of from (from itself included), else a sibling of its nearest
// ancestor that has one, up to the root of the story it belongs to. Each
// leading ../ starts one level further out and then looks nowhere else. The
// name may be a dotted path.
func (t stateTree) resolve(from, name string) (string, bool) {
	base, home := parentOf(from), t.byPath[from].home
	if strings.HasPrefix(name, "../") {
		return t.resolveUp(base, home, name)
	}
	for {
		if r, ok := t.byPath[join(base, name)]; ok {
			return r.path, true
		}
		if base == home {
			return "", false
		}
		base = parentOf(base)
	}
}

func (t stateTree) resolveUp(base, home, name string) (string, bool) {
	for strings.HasPrefix(name, "../") {
		if base == home {
			return "", false
		}
		base, name = parentOf(base), strings.TrimPrefix(name, "../")
	}
	r, ok := t.byPath[join(base, name)]
	return r.path, ok
}

// names are the short and long names of every state, for suggestions.
func (t stateTree) names() []string {
	out := t.paths()
	for _, r := range t.list {
		if r.parent != "" {
			out = append(out, r.src.Name.Val)
		}
	}
	return out
}

func join(base, name string) string {
	if base == "" {
		return name
	}
	return base + "." + name
}

func parentOf(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[:i]
	}
	return ""
}

func (l *lowerer) lowerStates() []artifact.State {
	out := make([]artifact.State, 0, len(l.rooms.list))
	for _, r := range l.rooms.list {
		out = append(out, l.lowerState(r))
	}
	return out
}

func (l *lowerer) lowerState(r room) artifact.State {
	s := r.src
	l.checkRelevant(s)
	at := place{state: r.path, scope: l.scope(nil, r.path)}
	out := artifact.State{
		Path: r.path, Parent: r.parent, Description: s.Description.Val, Pos: s.Name.Pos,
		View:      l.views(s.View, at),
		Seed:      l.seed(r, at),
		OnEnter:   l.effects(s.OnEnter, at),
		On:        l.handlers(r),
		Terminal:  s.Terminal,
		Completed: l.completed(s.Outcome),
		Initial:   l.initial(r),
		Drive:     s.InterceptDrive.Val == "rest",
		Abort:     l.effects(s.Abort, at),
	}
	if s.Postcondition != nil {
		p := l.precondition(*s.Postcondition, at)
		out.Postcondition = &p
	}
	return out
}

func (l *lowerer) checkRelevant(s *source.State) {
	for _, k := range s.RelevantWorld {
		l.worldKey(k)
	}
}

// initial is the path of a compound state's first child.
func (l *lowerer) initial(r room) string {
	s := r.src
	switch {
	case !given(s.Initial) && len(s.States) == 0:
		return ""
	case !given(s.Initial):
		l.report(diag.MissingKey, s.Name.Pos, "the compound state %s has no initial state", r.path).
			Hintf("add initial: %s", s.States[0].Name.Val)
		return ""
	}
	path := join(r.path, s.Initial.Val)
	if _, ok := l.rooms.byPath[path]; !ok {
		l.missing(diag.UnknownState, s.Initial.Pos, "initial names no state of %s: %s", r.path, s.Initial.Val).
			Hint = didYouMean(s.Initial.Val, childNames(s), "name one of the states below it")
		return ""
	}
	return path
}

func childNames(s *source.State) []string {
	out := make([]string, len(s.States))
	for i := range s.States {
		out[i] = s.States[i].Name.Val
	}
	return out
}

func (l *lowerer) completed(s source.Str) bool {
	if given(s) && s.Val != "completed" {
		l.report(diag.BadValue, s.Pos, "outcome is %s; the only outcome is completed", s.Val).
			Hintf("write outcome: completed or leave the key out")
	}
	return s.Val == "completed"
}
