package expr

import (
	"sort"

	"github.com/expr-lang/expr/types"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

// env is the scope as expr-lang sees it: strict maps, so that an unknown
// key is an error.
func (sc Scope) env() types.Map {
	m := types.Map{"world": sc.worldType()}
	if sc.Slots != nil {
		m["slots"] = sc.slotsType()
	}
	if sc.hasResult() {
		m["result"] = sc.resultType()
	}
	for _, name := range sc.openRoots() {
		m[name] = types.Any
	}
	return m
}

func (sc Scope) worldType() types.Map {
	m := types.Map{}
	for _, k := range sc.World {
		m[k.Name] = typeOf(k.Type)
	}
	return m
}

func (sc Scope) slotsType() types.Map {
	m := types.Map{}
	for _, s := range sc.Slots {
		m[s.Name] = typeOf(s.Type.Value())
	}
	return m
}

func (sc Scope) hasResult() bool { return sc.ResultOpen || sc.Result != nil }

func (sc Scope) resultType() types.Type {
	if sc.ResultOpen {
		return types.Any
	}
	return fields(sc.Result)
}

func fields(rows []spec.Result) types.Map {
	m := types.Map{}
	for _, r := range rows {
		m[r.Name] = resultType(r)
	}
	return m
}

func resultType(r spec.Result) types.Type {
	switch {
	case r.Open:
		return types.Any
	case r.Item != nil && r.Type == artifact.TypeList:
		return types.Array(fields(r.Item))
	case r.Item != nil && r.Type == artifact.TypeObject:
		return fields(r.Item)
	}
	return typeOf(r.Type)
}

func typeOf(t artifact.Type) types.Type {
	switch t {
	case artifact.TypeString, artifact.TypeEnum:
		return types.String
	case artifact.TypeInt:
		return types.Int
	case artifact.TypeFloat:
		return types.Float64
	case artifact.TypeBool:
		return types.Bool
	case artifact.TypeList:
		return types.TypeOf([]any{})
	case artifact.TypeObject:
		return types.TypeOf(map[string]any{})
	}
	return types.Any
}

func (sc Scope) openRoots() []string {
	var names []string
	if sc.Event {
		names = append(names, "event")
	}
	if sc.Args {
		names = append(names, "args")
	}
	if sc.Item {
		names = append(names, "item")
	}
	return names
}

// roots are the names an expression may start with here, sorted.
func (sc Scope) roots() []string {
	names := append([]string{"world"}, sc.openRoots()...)
	if sc.Slots != nil {
		names = append(names, "slots")
	}
	if sc.hasResult() {
		names = append(names, "result")
	}
	sort.Strings(names)
	return names
}

// keys are the keys declared below a root; open is true when any key is
// allowed there.
func (sc Scope) keys(root string) (names []string, open bool) {
	switch root {
	case "world":
		for _, k := range sc.World {
			names = append(names, k.Name)
		}
	case "slots":
		for _, s := range sc.Slots {
			names = append(names, s.Name)
		}
	case "result":
		for _, r := range sc.Result {
			names = append(names, r.Name)
		}
		open = sc.ResultOpen
	default:
		open = true
	}
	return names, open
}

// enum are the values of world.key or slots.key, nil when it is no enum.
func (sc Scope) enum(root, key string) []string {
	if root == "world" {
		for _, k := range sc.World {
			if k.Name == key && k.Type == artifact.TypeEnum {
				return k.Values
			}
		}
	}
	if root == "slots" {
		for _, s := range sc.Slots {
			if s.Name == key && s.Type == artifact.SlotEnum {
				return s.Values
			}
		}
	}
	return nil
}
