package lint

import (
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
)

// guardSeesCall: effects run strictly in order, so a guard sees what the call
// before it has bound. Stories written for an engine that asked all guards
// first may mean the value from before.
func guardSeesCall(s *subject) {
	for _, st := range s.Program.States {
		s.sees(st.OnEnter)
	}
	s.eachArc(func(_ artifact.Handler, a artifact.Arc, _ artifact.State) { s.sees(a.Effects) })
}

func (s *subject) sees(list []artifact.Effect) {
	bound := map[string]bool{}
	for _, e := range list {
		if e.When != nil {
			for _, k := range expr.Keys(e.When.Src, "world") {
				if bound[k] {
					s.ds.Addf(diag.GuardSeesCall, e.When.Pos, "this guard sees world.%s as the call before it has bound it", k).
						Hintf("to ask for the value from before, set another key first")
					break
				}
			}
		}
		if e.Invoke != nil {
			for _, b := range e.Invoke.Bind {
				bound[b.Key] = true
			}
		}
	}
}

// neverFires: a guard that is false, or that an earlier arc has asked.
func neverFires(s *subject) {
	for _, st := range s.Program.States {
		for _, h := range st.On {
			s.never(h)
		}
	}
}

func (s *subject) never(h artifact.Handler) {
	var asked []string
	for _, a := range h.Arcs {
		if a.When == nil {
			continue
		}
		src := strings.Join(strings.Fields(a.When.Src), " ")
		switch {
		case src == "false":
			s.ds.Addf(diag.NeverFires, a.When.Pos, "this arc of %s never fires: its guard is false", h.Intent).Hintf("remove the arc")
		case slices.Contains(asked, src):
			s.ds.Addf(diag.NeverFires, a.When.Pos, "this arc of %s never fires: an arc before it has the same guard", h.Intent).
				Hintf("correct the guard, or remove the arc")
		}
		asked = append(asked, src)
	}
}
