package lint

import (
	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// missingTimeout: what goes over the network, or destroys, may well take
// longer than the five seconds a command has when nobody says otherwise.
func missingTimeout(s *subject) {
	patient := map[string]bool{}
	for _, in := range s.Program.Intents {
		patient[in.Name] = in.TimeoutMS > 0
	}
	s.eachArc(func(h artifact.Handler, a artifact.Arc, _ artifact.State) {
		if patient[h.Intent] {
			return
		}
		s.untimed(a.Effects, h.Intent)
		for _, st := range s.around(a.Target) {
			s.untimed(st.OnEnter, h.Intent)
		}
	})
}

func (s *subject) untimed(list []artifact.Effect, intent string) {
	for _, e := range list {
		if e.Invoke == nil || !spec.EffectOf(*e.Invoke).Above(spec.Write) || timed(e.Invoke) {
			continue
		}
		s.ds.Addf(diag.MissingTimeout, e.Invoke.Pos, "%s may take long, and %s ends after 5 s", e.Invoke.Name, intent).
			Hintf("give the intent a timeout, such as timeout: 2m, or the call")
	}
}

func timed(c *artifact.Call) bool {
	_, ok := field(c, "timeout")
	return ok
}
