package lint

import "kitsoki/compiler/diag"

// deadIntent: nothing happens when the intent is recognised, because it never
// is.
func deadIntent(s *subject) {
	answered := map[string]bool{}
	for _, st := range s.Program.States {
		for _, h := range st.On {
			answered[h.Intent] = answered[h.Intent] || len(h.Arcs) > 0
		}
	}
	for _, in := range allIntents(s.Story) {
		if !answered[in.Name.Val] {
			s.ds.Addf(diag.DeadIntent, in.Name.Pos, "no state answers the intent %s", in.Name.Val).
				Hintf("add it to the on of a state, or remove it")
		}
	}
}
