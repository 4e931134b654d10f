package lint

import (
	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
)

// unreachableState: no way leads from the root, or from a state that a person
// can be bound to in the routing tests, to the state.
func unreachableState(s *subject) {
	w := &ways{s: s, seen: map[string]bool{}}
	w.enter(s.Program.Root)
	for _, c := range s.Cases {
		w.enter(c.Room)
	}
	if w.anywhere {
		return
	}
	for _, st := range s.Program.States {
		if !w.seen[st.Path] {
			s.ds.Addf(diag.UnreachableState, st.Pos, "nothing leads to the state %s", st.Path).
				Hintf("name it as a target, as root, or as a room of phrases.yaml when prompts are bound to it")
		}
	}
}

// ways collects the states that can be entered. Anywhere is set by a target
// that is only known when it runs.
type ways struct {
	s        *subject
	seen     map[string]bool
	anywhere bool
}

func (w *ways) enter(path string) {
	for _, st := range w.s.around(path) {
		if w.seen[st.Path] {
			continue
		}
		w.seen[st.Path] = true
		w.calls(st.OnEnter)
		for _, h := range st.On {
			for _, a := range h.Arcs {
				w.anywhere = w.anywhere || a.Computed != nil
				w.enter(a.Target)
				w.calls(a.Effects)
			}
		}
	}
}

func (w *ways) calls(list []artifact.Effect) {
	for _, e := range list {
		if e.Invoke != nil && e.Invoke.OnError != "." {
			w.enter(e.Invoke.OnError)
		}
	}
}
