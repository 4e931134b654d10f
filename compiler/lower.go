package compiler

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
)

// lowerer turns one story into a program. It checks what it lowers in the
// same walk, and goes on after each mistake.
type lowerer struct {
	st    *source.Story
	ds    *diag.List
	taken map[diag.Pos]bool // places the source stage found at fault
	world map[string]artifact.WorldKey
	keys  []artifact.WorldKey            // the world, sorted by name
	seen  map[string][]artifact.WorldKey // what a story knows of it, by home
	names intentNames
	rooms stateTree
	calls map[string][]source.Str // the host calls met, in order, by home
}

// place is where effects stand: the state that names are looked up from and
// the names an expression may use.
type place struct {
	state string
	scope expr.Scope
}

// lower checks the story and gives its program. Diagnostics go to ds; the
// program is as whole as the story allows.
func lower(st *source.Story, ds *diag.List) *artifact.Program {
	l := &lowerer{st: st, ds: ds, taken: faults(*ds), calls: map[string][]source.Str{}, seen: map[string][]artifact.WorldKey{}}
	l.lowerWorld()
	l.rooms = l.indexStates()
	l.names = l.indexIntents()
	p := &artifact.Program{
		App:     artifact.App{ID: st.App.ID.Val, Version: st.App.Version.Val, Title: st.App.Title.Val},
		Hosts:   l.hosts(),
		World:   l.keys,
		Intents: l.lowerIntents(),
		Root:    l.root(),
		States:  l.lowerStates(),
		Agents:  l.lowerAgents(),
		Assets:  l.files(),
	}
	l.checkHosts()
	markDrives(p, l.driveStates())
	return p
}

// faults are the places of errors already reported: the source stage's
// message about a scalar is the sharper one, a second about the same scalar
// would be noise.
func faults(ds diag.List) map[diag.Pos]bool {
	out := map[diag.Pos]bool{}
	for _, d := range ds {
		if d.Severity == diag.Error {
			out[d.Pos] = true
		}
	}
	return out
}

// report adds a diagnostic unless its place is at fault already.
func (l *lowerer) report(c diag.Code, pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	if pos.Line > 0 && l.taken[pos] {
		return &diag.Diagnostic{}
	}
	return l.ds.Addf(c, pos, format, args...)
}

// missing reports a name that is declared nowhere. While a file could not be
// read it says nothing: the name may stand there.
func (l *lowerer) missing(c diag.Code, pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	if l.st.Incomplete {
		return &diag.Diagnostic{}
	}
	return l.report(c, pos, format, args...)
}

// given says whether the scalar stands in the source at all.
func given(s source.Str) bool {
	return s.Val != "" || s.Pos != (diag.Pos{})
}

func (l *lowerer) root() string {
	r := l.st.Root
	if !given(r) {
		if !l.taken[l.st.App.Pos] && len(l.st.States) > 0 {
			l.report(diag.MissingKey, l.st.App.Pos, "the story has no root").
				Hintf("add root: %s at the top level", l.st.States[0].Name.Val)
		}
		return ""
	}
	path, ok := l.rooms.resolve("", r.Val)
	if !ok {
		l.missing(diag.UnknownState, r.Pos, "root names no state: %s", r.Val).
			Hint = didYouMean(r.Val, l.rooms.paths(), "declare the state under states")
	}
	return path
}

// hostsOf is the allow-list of the story folded under the state home, "" for
// the one that imports. Each story answers for its own calls.
func (l *lowerer) hostsOf(home string) []source.Str {
	if home == "" {
		return l.st.Hosts
	}
	return l.rooms.byPath[home].src.Fold.Hosts
}

// hosts is every allow-list, sorted, each name once.
func (l *lowerer) hosts() []string {
	out := vals(l.st.Hosts)
	for _, r := range l.rooms.list {
		if r.src.Fold != nil {
			out = append(out, vals(r.src.Fold.Hosts)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
