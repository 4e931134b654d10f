package main

import (
	"fmt"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/drive"
	"kitsoki/runtime/journal"
)

// drives looks at the commands that are driven here, and at those that were
// cut off.
func (e *exam) drives(state string) {
	open, untold := drive.Pending(state, journal.Locate(e.dir))
	running := false
	for _, s := range open {
		name := "a command"
		if s.Intent != "" {
			name = artifact.ShownIntent(s.Intent)
		}
		if s.Alive {
			running = true
			e.well("%s is under way here, run by process %d: kitsoki trace --follow %s", name, s.PID, s.ID)
			continue
		}
		e.ill("kitsoki recover", "%s was cut off here, and is not given up yet (kitsoki drives show %s)", name, s.ID)
		e.pending = append(e.pending, "a command was cut off here: kitsoki recover")
	}
	if !running && len(open) == 0 && e.busy(e.dir) {
		running = true
		e.well("a command is under way here: kitsoki trace --follow")
	}
	if running {
		e.pending = append(e.pending, "a command is under way")
	}
	if n := len(untold); n > 0 {
		e.well("of commands that were cut off here, your next prompt tells %d; so does: kitsoki recover", n)
		e.pending = append(e.pending, fmt.Sprintf("%d to be told: kitsoki recover", n))
	}
}
