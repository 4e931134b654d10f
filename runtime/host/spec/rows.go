package spec

import (
	"encoding/json"
	"sort"

	"kitsoki/runtime/artifact"
)

// Calls returns the signature of every host call, sorted by name.
func Calls() []Call {
	rows := []Call{decideRow(), gitRow(), projectRow(), readRow(), runRow(), taskRow(), writeRow()}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Name < rows[j].Name })
	return rows
}

// Lookup finds the signature of the call with that name.
func Lookup(name string) (Call, bool) {
	for _, c := range Calls() {
		if c.Name == name {
			return c, true
		}
	}
	return Call{}, false
}

// Param finds the argument with that name.
func (c Call) Param(name string) (Param, bool) {
	for _, p := range c.Params {
		if p.Name == name {
			return p, true
		}
	}
	return Param{}, false
}

// ResultsOf returns the fields the call returns for that op; an op that is
// "" or not known until the call runs returns every field.
func (c Call) ResultsOf(op string) []Result {
	var out []Result
	for _, r := range c.Results {
		if op == "" || len(r.Ops) == 0 || contains(r.Ops, op) {
			out = append(out, r)
		}
	}
	return out
}

// Above reports whether e reaches further than o. An unknown effect counts
// as the furthest: what we can't place we don't trust.
func (e Effect) Above(o Effect) bool { return e.rank() > o.rank() }

func (e Effect) rank() int {
	switch e {
	case Read:
		return 0
	case Write:
		return 1
	case Network:
		return 2
	}
	return 3
}

// EffectOf is how far one call of a story can reach: host.run says so in its
// effect argument, host.git by its op. An argument that is only known when
// the call runs counts as the furthest.
func EffectOf(call artifact.Call) Effect {
	row, ok := Lookup(call.Name)
	if !ok {
		return Destructive
	}
	if v, ok := argument(call, "op"); ok && len(row.Reads) > 0 {
		return opEffect(row, v)
	}
	if _, declares := row.Param("effect"); declares {
		return declaredEffect(row, call)
	}
	return row.Effect
}

// NeedsDrive tells a call that only a drive makes. An op that is only known
// when the call runs may be one.
func NeedsDrive(call artifact.Call) bool {
	row, ok := Lookup(call.Name)
	if !ok || row.Drives || len(row.DriveOps) == 0 {
		return ok && row.Drives
	}
	v, given := argument(call, "op")
	s, literal := literal(v)
	return given && (!literal || contains(row.DriveOps, s))
}

func opEffect(row Call, v artifact.Value) Effect {
	if s, ok := literal(v); ok && contains(row.Reads, s) {
		return Read
	}
	return row.Effect
}

func declaredEffect(row Call, call artifact.Call) Effect {
	v, ok := argument(call, "effect")
	if !ok {
		return row.Effect
	}
	s, ok := literal(v)
	if !ok {
		return Destructive
	}
	return Effect(s)
}

func argument(call artifact.Call, name string) (artifact.Value, bool) {
	for _, f := range call.With {
		if f.Name == name {
			return f.Value, true
		}
	}
	return artifact.Value{}, false
}

func literal(v artifact.Value) (string, bool) {
	var s string
	if v.Literal == nil || json.Unmarshal(v.Literal, &s) != nil {
		return "", false
	}
	return s, true
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
