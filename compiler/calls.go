package compiler

import (
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// invocation is one host call of the source: an effect's or a
// precondition's.
type invocation struct {
	Invoke             source.Str
	With, Bind         []source.Pair
	ID, OnError, Agent source.Str
	Once               bool
	Pos                diag.Pos
}

func invocationOf(e source.Effect) invocation {
	return invocation{
		Invoke: e.Invoke, With: e.With, Bind: e.Bind, ID: e.ID, OnError: e.OnError,
		Agent: e.Agent, Once: e.Once, Pos: e.Pos,
	}
}

// call lowers a host call and checks it against its signature, which is nil
// when there is no such call.
func (l *lowerer) call(c invocation, at place) (artifact.Call, *spec.Call) {
	row := l.signature(c.Invoke, at.state)
	out := artifact.Call{
		Name: c.Invoke.Val, ID: c.ID.Val, Once: c.Once, Agent: c.Agent.Val, Pos: c.Invoke.Pos,
		OnError: l.onError(c.OnError, at.state),
	}
	for _, p := range c.With {
		out.With = append(out.With, artifact.Field{Name: p.Key.Val, Value: l.value(p.Value, l.argument(row, p), at.scope)})
	}
	if row != nil {
		l.checkGiven(row, c)
		l.checkAgentKeys(row, c, &out)
		l.checkOnce(c)
	}
	out.Bind = l.binds(c, row, out, at)
	if c.Invoke.Val == "host.run" {
		l.lowerRun(c, &out, at)
	}
	return out, row
}

// signature finds the call's row and checks that the story may make it.
func (l *lowerer) signature(name source.Str, state string) *spec.Call {
	row, ok := spec.Lookup(name.Val)
	switch {
	case !ok:
		l.report(diag.UnknownCall, name.Pos, "there is no host call %s", name.Val).
			Hint = didYouMean(name.Val, callNames(), "the host calls are "+strings.Join(callNames(), ", "))
		return nil
	}
	home := l.rooms.byPath[state].home
	l.calls[home] = append(l.calls[home], name)
	if hosts := l.hostsOf(home); len(hosts) > 0 && !slices.Contains(vals(hosts), name.Val) {
		l.report(diag.HostNotAllowed, name.Pos, "hosts does not allow %s", name.Val).
			Hintf("add %s to hosts at the top level", name.Val).Also(hosts[0].Pos, "hosts stands here")
	}
	return &row
}

func callNames() []string {
	var out []string
	for _, c := range spec.Calls() {
		out = append(out, c.Name)
	}
	return out
}

// checkHosts checks the allow-list of each story, once all calls are known.
func (l *lowerer) checkHosts() {
	l.checkHostsOf("", l.st.App.Pos)
	for _, r := range l.rooms.list {
		if r.src.Fold != nil {
			l.checkHostsOf(r.path, r.src.Fold.App.Pos)
		}
	}
}

func (l *lowerer) checkHostsOf(home string, app diag.Pos) {
	hosts, calls := l.hostsOf(home), l.calls[home]
	for _, h := range hosts {
		if _, ok := spec.Lookup(h.Val); !ok {
			l.report(diag.UnknownHost, h.Pos, "hosts lists %s, and there is no such host call", h.Val).
				Hint = didYouMean(h.Val, callNames(), "the host calls are "+strings.Join(callNames(), ", "))
		}
	}
	if len(hosts) == 0 && len(calls) > 0 {
		l.report(diag.NoHosts, app, "the story makes host calls and has no hosts list").
			Hintf("add hosts: [%s] at the top level", strings.Join(usedCalls(calls), ", ")).
			Also(calls[0].Pos, "the first call stands here")
	}
}

func usedCalls(calls []source.Str) []string {
	var out []string
	for _, c := range callNames() {
		if slices.Contains(vals(calls), c) {
			out = append(out, c)
		}
	}
	return out
}

// argument is what the value of one argument must be; it reports an argument
// the call does not take, and a literal outside the allowed ones.
func (l *lowerer) argument(row *spec.Call, p source.Pair) want {
	w := want{code: diag.BadArgument, what: "the argument " + p.Key.Val}
	if row == nil {
		return w
	}
	param, ok := row.Param(p.Key.Val)
	if !ok {
		l.report(diag.UnknownArgument, p.Key.Pos, "%s takes no argument %s", row.Name, p.Key.Val).
			Hint = didYouMean(p.Key.Val, paramNames(row), "its arguments are "+strings.Join(paramNames(row), ", "))
		return w
	}
	w.typ = param.Type
	l.checkArgument(row, param, p.Value)
	return w
}

func paramNames(row *spec.Call) []string {
	var out []string
	for _, p := range row.Params {
		out = append(out, p.Name)
	}
	return out
}

func (l *lowerer) checkArgument(row *spec.Call, param spec.Param, n *source.Node) {
	if n == nil || n.Kind != source.KindString {
		return
	}
	dynamic := strings.Contains(n.Text, "{{")
	switch {
	case len(param.Enum) > 0 && dynamic:
		l.report(diag.BadArgument, n.Pos, "the argument %s of %s must be written out", param.Name, row.Name).
			Hintf("write one of %s", strings.Join(param.Enum, ", "))
	case len(param.Enum) > 0 && !slices.Contains(param.Enum, n.Text):
		l.report(diag.BadArgument, n.Pos, "%s is no %s of %s", n.Text, param.Name, row.Name).
			Hint = didYouMean(n.Text, param.Enum, "use one of "+strings.Join(param.Enum, ", "))
	case param.Name == "timeout" && !dynamic:
		l.timeout(n.Str())
	}
}

func (l *lowerer) checkGiven(row *spec.Call, c invocation) {
	for _, p := range row.Params {
		if p.Required && !hasPair(c.With, p.Name) {
			l.report(diag.MissingArgument, c.Invoke.Pos, "%s needs the argument %s", row.Name, p.Name).
				Hintf("add with: {%s: …}", p.Name)
		}
	}
	l.checkOneOf(row, c)
}

// checkOneOf: of some arguments a call has exactly one.
func (l *lowerer) checkOneOf(row *spec.Call, c invocation) {
	var got []source.Str
	for _, p := range c.With {
		if slices.Contains(row.OneOf, p.Key.Val) {
			got = append(got, p.Key)
		}
	}
	choice := strings.Join(row.OneOf, " or ")
	switch {
	case len(row.OneOf) > 0 && len(got) == 0:
		l.report(diag.MissingArgument, c.Invoke.Pos, "%s needs the argument %s", row.Name, choice).
			Hintf("add with: {%s: …}", row.OneOf[0])
	case len(got) > 1:
		l.report(diag.BadArgument, got[1].Pos, "%s takes one of %s, not both", row.Name, choice).
			Hintf("remove one of them").Also(got[0].Pos, "the other one")
	}
}

func (l *lowerer) checkOnce(c invocation) {
	if c.Once && len(c.Bind) == 0 {
		l.report(diag.StrayArgument, c.Invoke.Pos, "once without bind would never run the call").
			Hintf("bind a result: once skips the call when every bound key holds a value")
	}
}

// onError is a resolved path, "." for the current state, "" for none.
func (l *lowerer) onError(s source.Str, state string) string {
	if !given(s) || s.Val == "." {
		return s.Val
	}
	path, ok := l.rooms.resolve(state, s.Val)
	if !ok {
		l.missing(diag.UnknownTarget, s.Pos, "on_error names no state: %s", s.Val).
			Hint = didYouMean(s.Val, l.rooms.names(), "declare the state, or write . to stay")
	}
	return path
}

// checkReadOnly refuses a precondition that could change anything: it runs
// before the person's command is even accepted.
func (l *lowerer) checkReadOnly(pc source.Precondition, call artifact.Call) {
	if spec.EffectOf(call) == spec.Read {
		return
	}
	d := l.report(diag.PreconditionNotRead, pc.Invoke.Pos, "a precondition may only read, and this %s may do more", call.Name)
	if call.Name == "host.run" {
		d.Hintf("add effect: read when the command changes nothing, or do the work in effects")
		return
	}
	d.Hintf("use a call that only reads")
}

// resultsOf is what expressions may use as result after the call.
func resultsOf(row *spec.Call, call artifact.Call) (fields []spec.Result, open bool) {
	if row == nil {
		return nil, true
	}
	return append([]spec.Result{}, row.ResultsOf(opOf(call))...), false
}

// opOf is the call's op argument when it is written out, else "".
func opOf(call artifact.Call) string {
	for _, f := range call.With {
		if f.Name == "op" {
			return literalText(f.Value)
		}
	}
	return ""
}
