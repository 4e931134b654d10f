package engine

import (
	"fmt"
	"slices"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
	"kitsoki/runtime/host/spec"
)

// unhandled is a call that ended badly and that the story has not dealt
// with yet. keys are the world keys bound from it; ends are those of them
// that say how it ended.
type unhandled struct {
	by         *artifact.Call
	call       HostCall
	keys, ends []string
}

// watch remembers a call that ended badly. Only the last call and the last
// one above read count: what came before them is data.
func (r *run) watch(c *artifact.Call, rec *HostCall) {
	reaches := rec.Effect.Above(spec.Read)
	r.open = slices.DeleteFunc(r.open, func(u *unhandled) bool {
		return reaches || !u.call.Effect.Above(spec.Read)
	})
	if rec.OK {
		return
	}
	u := &unhandled{by: c, call: *rec}
	for _, b := range c.Bind {
		u.keys = append(u.keys, b.Key)
		if saysHowItEnded(b) {
			u.ends = append(u.ends, b.Key)
		}
	}
	r.open = append(r.open, u)
}

func saysHowItEnded(b artifact.Bind) bool {
	switch b.Path {
	case "ok", "exit_code", "timed_out":
		return true
	}
	if b.Value == nil {
		return false
	}
	for _, src := range sources(*b.Value) {
		for _, key := range expr.Keys(src, "result") {
			if key == "ok" || key == "exit_code" || key == "timed_out" {
				return true
			}
		}
	}
	return false
}

// sources are the expressions of a value that is one or has some spliced in.
func sources(v artifact.Value) []string {
	var out []string
	if v.Expr != nil {
		out = append(out, v.Expr.Src)
	}
	for _, p := range v.Parts {
		if p.Expr != nil {
			out = append(out, p.Expr.Src)
		}
	}
	return out
}

// dealtWith settles a call whose on_error says what to do.
func (r *run) dealtWith(c *artifact.Call) {
	r.open = slices.DeleteFunc(r.open, func(u *unhandled) bool { return u.by == c })
}

// lookedAt settles the calls whose bound keys a guard names.
func (r *run) lookedAt(guard string) {
	if len(r.open) == 0 {
		return
	}
	named := expr.Keys(guard, "world")
	r.open = slices.DeleteFunc(r.open, func(u *unhandled) bool { return overlap(u.keys, named) })
}

// spokeOf settles the calls of whose end a text speaks.
func (r *run) spokeOf(text string) {
	if len(r.open) == 0 {
		return
	}
	named := expr.TextKeys(text, "world")
	r.open = slices.DeleteFunc(r.open, func(u *unhandled) bool { return overlap(u.ends, named) })
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// unhandledFault is the fault of a run that ended with a bad call nobody
// dealt with.
func (r *run) unhandledFault() *fault {
	if len(r.open) == 0 {
		return nil
	}
	c := r.open[len(r.open)-1].call
	return &fault{code: HostError, timedOut: c.TimedOut, detail: c.ending()}
}

// ending says how a call that is not OK ended.
func (h HostCall) ending() string {
	what := clip(h.line(), maxLine)
	switch {
	case h.Error != "":
		return what + ": " + strings.TrimPrefix(h.Error, h.Call+": ")
	case h.TimedOut:
		return what + " timed out"
	case h.ExitCode != nil:
		return fmt.Sprintf("%s ended with status %d", what, *h.ExitCode)
	}
	return what + " failed"
}
