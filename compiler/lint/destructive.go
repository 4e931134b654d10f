package lint

import (
	"kitsoki/compiler/diag"
	"kitsoki/runtime/host/spec"
)

// destructiveUnasked: what cannot be undone should be said twice.
func destructiveUnasked(s *subject) {
	for _, in := range s.Program.Intents {
		if s.reach[in.Name].top == spec.Destructive && !in.Confirm && !in.Hidden {
			s.ds.Addf(diag.DestructiveUnasked, in.Pos, "%s destroys something and does not ask first", in.Name).
				Hintf("set confirm: true")
		}
	}
}
