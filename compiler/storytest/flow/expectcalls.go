package flow

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/engine"
)

// wantedCall is one item of expect_host_calls. times is -1 when the call
// only has to be made, after those listed before it.
type wantedCall struct {
	handler string
	args    map[string]any
	times   int
}

func (w wantedCall) matches(c engine.HostCall) bool {
	return c.Call == w.handler && subset(w.args, c.Args)
}

func (w wantedCall) String() string {
	if len(w.args) == 0 {
		return w.handler
	}
	return w.handler + " " + show(w.args)
}

func (r *reader) expectCalls(list *source.Node) func(*seen) []mismatch {
	var want []wantedCall
	for _, n := range list.Items {
		w := wantedCall{handler: n.Get("handler").Str().Val, times: -1}
		if row, ok := r.call(n.Get("handler").Str()); ok {
			w.args = r.args(row, n.Get("args"))
		}
		if times := n.Get("times"); times != nil {
			w.times, _ = strconv.Atoi(times.Text) // the schema asks for a whole number
		}
		want = append(want, w)
	}
	return func(s *seen) []mismatch { return missedCalls(want, s.outcome.HostCalls) }
}

// missedCalls looks for the calls in order; those that are counted may stand
// anywhere.
func missedCalls(want []wantedCall, made []engine.HostCall) []mismatch {
	var out []mismatch
	rest := made
	for _, w := range want {
		if w.times >= 0 {
			n := 0
			for _, c := range made {
				if w.matches(c) {
					n++
				}
			}
			out = append(out, unless(n == w.times, fmt.Sprintf("%s %d times", w, w.times), fmt.Sprintf("%d times; calls: %s", n, listed(made)))...)
			continue
		}
		at := slices.IndexFunc(rest, w.matches)
		if at < 0 {
			out = append(out, mismatch{w.String(), "calls from there on: " + listed(rest)})
			continue
		}
		rest = rest[at+1:]
	}
	return out
}

func listed(calls []engine.HostCall) string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Call+" "+show(c.Args))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, "; ")
}

func (r *reader) expectNoCalls(n *source.Node) func(*seen) []mismatch {
	if n.Kind == source.KindBool && !isTrue(n) {
		r.report(diag.BadValue, n.Pos, "expect_no_host_calls: false says nothing").
			Hintf("leave it out, or write expect_host_calls")
		return nil
	}
	var names []string
	for _, item := range n.Items {
		r.call(item.Str())
		names = append(names, item.Text)
	}
	return func(s *seen) []mismatch {
		var out []mismatch
		for _, c := range s.outcome.HostCalls {
			if names == nil || slices.Contains(names, c.Call) {
				out = append(out, mismatch{"no call", c.Call + " " + show(c.Args)})
			}
		}
		return out
	}
}

// expectFiles looks at files of the story's directory.
func (r *reader) expectFiles(list *source.Node) func(*seen) []mismatch {
	var checks []func() []mismatch
	for _, n := range list.Items {
		if c := r.expectFile(n); c != nil {
			checks = append(checks, c)
		}
	}
	return func(*seen) []mismatch {
		var out []mismatch
		for _, c := range checks {
			out = append(out, c()...)
		}
		return out
	}
}

func (r *reader) expectFile(n *source.Node) func() []mismatch {
	at := n.Get("path")
	name := path.Join(path.Dir(r.file), at.Text)
	if !fs.ValidPath(name) || path.IsAbs(at.Text) {
		r.report(diag.BadValue, at.Pos, "%s lies outside of the story", at.Text).Hintf("name a file of the story's directory")
		return nil
	}
	var re *regexp.Regexp
	if m := n.Get("content_matches"); m != nil {
		if re = r.regexp(m); re == nil {
			return nil
		}
	}
	gone := n.Get("must_not_exist")
	absent := gone != nil && isTrue(gone)
	fsys := r.story.FS
	return func() []mismatch {
		data, err := fs.ReadFile(fsys, name)
		switch {
		case absent:
			return unless(errors.Is(err, fs.ErrNotExist), "no file "+name, "it exists")
		case err != nil:
			return []mismatch{{"the file " + name, reason(err)}}
		case re != nil:
			return unless(re.Match(data), name+" matching "+re.String(), show(string(data)))
		}
		return nil
	}
}
