package flow

import (
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// stub reads the answers for one host call.
func (r *reader) stub(h source.Pair) stub {
	row, ok := r.call(h.Key)
	if !ok {
		return stub{}
	}
	s := stub{byCall: map[string]*answer{}, byOp: map[string]*answer{}}
	for _, key := range []string{"data", "error", "infra_error", "delay"} {
		if h.Value.Get(key) != nil {
			s.top = r.answer(row, "", h.Value)
			break
		}
	}
	for _, p := range pairs(h.Value.Get("by_call")) {
		r.callID(row.Name, p.Key)
		s.byCall[p.Key.Val] = r.answer(row, "", p.Value)
	}
	for _, p := range pairs(h.Value.Get("by_op")) {
		op, _ := row.Param("op")
		r.known(p.Key, op.Enum, diag.BadValue, "op of "+row.Name)
		s.byOp[p.Key.Val] = r.answer(row, p.Key.Val, p.Value)
	}
	return s
}

// answer reads one answer of a call; op is "" when it may be any.
func (r *reader) answer(row spec.Call, op string, n *source.Node) *answer {
	a := &answer{delay: r.delay(n.Get("delay")), err: n.Get("error").Str().Val, infra: n.Get("infra_error").Str().Val}
	if data := n.Get("data"); data != nil {
		r.results(row, op, data)
		a.data = object(data)
	}
	if infra := n.Get("infra_error"); infra != nil && (a.data != nil || a.err != "") {
		r.report(diag.BadValue, infra.Pos, "infra_error stands alone: a call that ends so returns nothing").
			Hintf("keep one of data, error and infra_error")
	}
	return a
}

// results checks what an answer says the call returned.
func (r *reader) results(row spec.Call, op string, data *source.Node) {
	fields := row.ResultsOf(op)
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	for _, p := range data.Pairs {
		if !r.known(p.Key, names, diag.BadValue, "result of "+strings.TrimSpace(row.Name+" "+op)) {
			continue
		}
		for _, f := range fields {
			if f.Name == p.Key.Val && !fits(f.Type, p.Value.Kind) {
				r.report(diag.WrongType, p.Value.Pos, "%s returns %s as %s", row.Name, f.Name, f.Type).
					Hintf("give it a value of that type")
			}
		}
	}
}

func fits(t artifact.Type, k source.Kind) bool {
	switch t {
	case artifact.TypeString:
		return k == source.KindString
	case artifact.TypeInt:
		return k == source.KindInt
	case artifact.TypeBool:
		return k == source.KindBool
	case artifact.TypeList:
		return k == source.KindList
	case artifact.TypeObject:
		return k == source.KindMap
	}
	return true
}
