package flow

import (
	"fmt"

	"kitsoki/runtime/engine"
)

// traced is an event in a line.
func traced(e engine.Event) string {
	switch e.Kind {
	case engine.IntentTaken:
		if len(e.Slots) == 0 {
			return "intent  " + e.Intent
		}
		return "intent  " + e.Intent + " " + show(e.Slots)
	case engine.HostFinished:
		return "called  " + e.Call.Call + " " + show(e.Call.Args) + " → " + callEnd(e.Call)
	case engine.WorldSet:
		return "world   " + e.Key + " = " + show(e.Value)
	}
	return "entered " + e.State
}

func callEnd(c *engine.HostCall) string {
	switch {
	case c.TimedOut:
		return "timed out"
	case c.Error != "":
		return "error: " + c.Error
	case c.ExitCode != nil:
		return fmt.Sprintf("exit %d", *c.ExitCode)
	}
	return "ok"
}
