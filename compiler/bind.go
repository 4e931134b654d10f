package compiler

import (
	"encoding/json"
	"fmt"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
	"kitsoki/runtime/host/spec"
)

func (l *lowerer) binds(c invocation, row *spec.Call, call artifact.Call, at place) []artifact.Bind {
	var out []artifact.Bind
	for _, p := range c.Bind {
		out = append(out, l.bind(p, row, call, at))
	}
	return out
}

func (l *lowerer) bind(p source.Pair, row *spec.Call, call artifact.Call, at place) artifact.Bind {
	key, _ := l.worldKey(p.Key)
	out := artifact.Bind{Key: p.Key.Val, Pos: p.Key.Pos}
	switch {
	case p.Value == nil || p.Value.Kind != source.KindString:
		l.report(diag.BadBindPath, nodePos(p), "a bind is a path into the result, or {{ an expression }}").
			Hintf("write %s: stdout, for example", p.Key.Val)
	case strings.Contains(p.Value.Text, "{{"):
		sc := expr.Scope{World: at.scope.World}
		sc.Result, sc.ResultOpen = resultsOf(row, call)
		w := want{typ: key.Type, values: key.Values, null: true, code: diag.WrongType, what: "the world key " + p.Key.Val}
		v := l.value(p.Value, w, sc)
		out.Value = &v
	default:
		out.Path = p.Value.Text
		l.checkPath(p.Value.Str(), key, row, opOf(call))
	}
	return out
}

func nodePos(p source.Pair) diag.Pos {
	if p.Value == nil {
		return p.Key.Pos
	}
	return p.Value.Pos
}

// checkPath follows a path through what the call returns, and compares the
// type at its end with the key's.
func (l *lowerer) checkPath(s source.Str, key artifact.WorldKey, row *spec.Call, op string) {
	steps, bad := pathSteps(s.Val)
	if bad >= 0 {
		l.report(diag.BadBindPath, s.At(bad), "%q is no path into a result", s.Val).
			Hintf("write names and [numbers], such as stdout_json.items[0].name")
		return
	}
	if row == nil {
		return
	}
	typ, fault := follow(row, op, steps)
	switch {
	case fault != nil:
		l.report(diag.BadBindPath, s.At(fault.offset), "%s", fault.msg).Hint = fault.hint
	case key.Name != "" && !typeFits(typ, key.Type):
		l.report(diag.WrongType, s.Pos, "%s is %s, and the world key %s is %s", s.Val, article(typ), key.Name, article(key.Type)).
			Hintf("declare %s as %s, or bind an expression: {{ … }}", key.Name, typ)
	}
}

// step is one name or index of a path; offset is its byte in the path.
type step struct {
	name   string
	index  bool
	offset int
}

// pathSteps cuts a path into its steps; bad is the byte where it can't be
// read on, -1 when it can.
func pathSteps(path string) (steps []step, bad int) {
	s, next := nameStep(path, 0)
	if next < 0 {
		return nil, 0
	}
	for steps = append(steps, s); next < len(path); steps = append(steps, s) {
		at := next
		if s, next = nextStep(path, at); next < 0 {
			return nil, at
		}
	}
	return steps, -1
}

// nextStep reads .name or [n] at a byte of the path; next is the byte behind
// it, -1 when there is no such step.
func nextStep(path string, at int) (s step, next int) {
	switch path[at] {
	case '.':
		return nameStep(path, at+1)
	case '[':
		n := strings.IndexByte(path[at:], ']')
		if n > 0 && digits(path[at+1:at+n]) {
			return step{index: true, offset: at}, at + n + 1
		}
	}
	return step{}, -1
}

func nameStep(path string, at int) (s step, next int) {
	name := path[at:]
	if end := strings.IndexAny(name, ".["); end >= 0 {
		name = name[:end]
	}
	if name == "" || strings.ContainsAny(name, " \t\n]{}") {
		return step{}, -1
	}
	return step{name: name, offset: at}, at + len(name)
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// pathFault says where a path leaves what a call returns.
type pathFault struct {
	offset    int
	msg, hint string
}

func follow(row *spec.Call, op string, steps []step) (artifact.Type, *pathFault) {
	at, fault := field(row, op, steps[0])
	if fault != nil {
		return "", fault
	}
	for _, s := range steps[1:] {
		if at.Open || at.Type == artifact.TypeAny {
			return artifact.TypeAny, nil
		}
		if at, fault = below(at, s); fault != nil {
			return "", fault
		}
	}
	return at.Type, nil
}

// field finds the first name of a path among the call's results.
func field(row *spec.Call, op string, s step) (spec.Result, *pathFault) {
	var names []string
	for _, r := range row.ResultsOf(op) {
		if r.Name == s.name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	for _, r := range row.Results {
		if r.Name == s.name {
			return r, &pathFault{s.offset, fmt.Sprintf("%s returns %s only for op %s", row.Name, s.name, strings.Join(r.Ops, ", ")), "change op, or bind another result"}
		}
	}
	hint := didYouMean(s.name, names, "it returns "+strings.Join(names, ", "))
	if s.name == "result" {
		hint = "leave result. out: a path starts inside the result"
	}
	return spec.Result{}, &pathFault{s.offset, fmt.Sprintf("%s does not return %s", row.Name, s.name), hint}
}

func below(at spec.Result, s step) (spec.Result, *pathFault) {
	switch {
	case s.index && at.Type == artifact.TypeList && at.Item == nil:
		return spec.Result{Type: artifact.TypeAny}, nil
	case s.index && at.Type == artifact.TypeList:
		return spec.Result{Type: artifact.TypeObject, Item: at.Item}, nil
	case s.index:
		return at, &pathFault{s.offset, fmt.Sprintf("%s is %s and has no items", at.Name, article(at.Type)), "remove the [n]"}
	}
	var names []string
	for _, r := range at.Item {
		if r.Name == s.name && at.Type == artifact.TypeObject {
			return r, nil
		}
		names = append(names, r.Name)
	}
	return at, &pathFault{s.offset, fmt.Sprintf("there is no %s below %s, which is %s", s.name, at.Name, article(at.Type)), didYouMean(s.name, names, "shorten the path")}
}

// literalText is a literal string's text, "" for every other value.
func literalText(v artifact.Value) string {
	var s string
	if v.Literal == nil || json.Unmarshal(v.Literal, &s) != nil {
		return ""
	}
	return s
}
