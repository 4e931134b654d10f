package lint

import (
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// reached is what an intent can lead to: its arcs, and through what they
// enter and emit.
type reached struct {
	top spec.Effect // the highest effect of a call on the way
}

// reachedByIntent walks every intent once, and what it emits with it.
func (s *subject) reachedByIntent() map[string]*reached {
	out := map[string]*reached{}
	for _, in := range s.Program.Intents {
		r := &reached{top: spec.Read}
		s.follow(in.Name, map[string]bool{}, r)
		out[in.Name] = r
	}
	return out
}

func (s *subject) follow(intent string, seen map[string]bool, r *reached) {
	if seen[intent] {
		return
	}
	seen[intent] = true
	s.eachArc(func(h artifact.Handler, a artifact.Arc, _ artifact.State) {
		if h.Intent != intent {
			return
		}
		s.through(a.Effects, seen, r)
		entered := s.around(a.Target)
		if a.Computed != nil {
			entered = s.Program.States
		}
		for _, st := range entered {
			s.through(st.OnEnter, seen, r)
		}
	})
}

func (s *subject) through(list []artifact.Effect, seen map[string]bool, r *reached) {
	for _, e := range list {
		if e.Invoke != nil {
			if top := spec.EffectOf(*e.Invoke); top.Above(r.top) {
				r.top = top
			}
		}
		if e.Emit != nil {
			s.follow(e.Emit.Intent, seen, r)
		}
	}
}

// eachArc visits every arc of the program.
func (s *subject) eachArc(visit func(artifact.Handler, artifact.Arc, artifact.State)) {
	for _, st := range s.Program.States {
		for _, h := range st.On {
			for _, a := range h.Arcs {
				visit(h, a, st)
			}
		}
	}
}

// around are the states from the top down to a path, and below it along
// initial; none for "".
func (s *subject) around(path string) []artifact.State {
	if path == "" {
		return nil
	}
	var out []artifact.State
	for _, st := range s.Program.States {
		if st.Path == path || strings.HasPrefix(path, st.Path+".") {
			out = append(out, st)
		}
	}
	if n := len(out); n > 0 && out[n-1].Initial != "" && out[n-1].Path == path {
		return append(out, s.around(out[n-1].Initial)...)
	}
	return out
}

// rest is the state in which entering a path comes to rest.
func (s *subject) rest(path string) (artifact.State, bool) {
	list := s.around(path)
	if len(list) == 0 {
		return artifact.State{}, false
	}
	return list[len(list)-1], true
}
