package compiler

import (
	"time"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
)

// maxTimeout is the longest budget of a one-shot: a person waits for it.
const maxTimeout = 15 * time.Minute

// timeout reads a duration in milliseconds, 0 when none is given or it was
// wrong.
func (l *lowerer) timeout(s source.Str) int {
	if !given(s) {
		return 0
	}
	d, err := time.ParseDuration(s.Val)
	switch {
	case err != nil:
		l.report(diag.BadDuration, s.Pos, "%q is no duration", s.Val).
			Hintf("write a number with its unit, such as 15s, 2m or 1m30s")
	case d < time.Millisecond:
		l.report(diag.BadDuration, s.Pos, "the time-out %s is shorter than a millisecond", s.Val).
			Hintf("write a positive duration such as 15s")
	case d > maxTimeout:
		l.report(diag.BadDuration, s.Pos, "the time-out %s is longer than 15m", s.Val).
			Hintf("a person waits for it: use 15m or less")
	default:
		return int(d / time.Millisecond)
	}
	return 0
}
