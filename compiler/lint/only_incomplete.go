package lint

import (
	"slices"

	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// onlyIncomplete: a command that comes to rest in another room, with nothing
// done, passes its prompt on. One that can only end so is never taken.
func onlyIncomplete(s *subject) {
	said := map[artifact.Pos]bool{}
	for _, room := range s.bound() {
		done := map[string]bool{}
		at := map[string]artifact.Pos{}
		s.eachArc(func(h artifact.Handler, a artifact.Arc, st artifact.State) {
			if st.Path != room {
				return
			}
			done[h.Intent] = done[h.Intent] || s.completes(a, room)
			if _, ok := at[h.Intent]; !ok {
				at[h.Intent] = a.Pos
			}
		})
		for _, in := range s.Program.Intents {
			pos, answered := at[in.Name]
			if !answered || done[in.Name] || in.Hidden || s.reach[in.Name].top.Above(spec.Read) || said[pos] {
				continue
			}
			said[pos] = true
			s.ds.Addf(diag.OnlyIncomplete, pos, "%s, typed in %s, can only end incomplete: it comes to rest elsewhere with nothing done", in.Name, room).
				Hintf("stay (target: .), do the work on this arc, or mark where it ends with outcome: completed")
		}
	}
}

// bound are the rooms that prompts are known to be bound to.
func (s *subject) bound() []string {
	out := []string{s.Program.Root}
	for _, c := range s.Cases {
		if !slices.Contains(out, c.Room) {
			out = append(out, c.Room)
		}
	}
	return out
}

func (s *subject) completes(a artifact.Arc, room string) bool {
	end, ok := s.rest(a.Target)
	if a.Completed || a.Computed != nil || !ok || end.Path == room || end.Terminal || end.Completed {
		return true
	}
	return slices.ContainsFunc(a.Effects, func(e artifact.Effect) bool { return e.Emit != nil })
}
