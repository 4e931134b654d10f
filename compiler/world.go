package compiler

import (
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/fold"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
)

func (l *lowerer) lowerWorld() {
	l.world = map[string]artifact.WorldKey{}
	first := map[string]source.Str{}
	for _, k := range l.st.World {
		if at, twice := first[k.Name.Val]; twice {
			l.report(diag.DuplicateName, k.Name.Pos, "the world key %s is declared twice", k.Name.Val).
				Hintf("remove or rename one of them").Also(at.Pos, "first declared here")
			continue
		}
		first[k.Name.Val] = k.Name
		if !identifier(k.Name.Val) {
			l.badKey(k.Name, "a world key")
		}
		l.addKey(l.lowerKey(k))
	}
	for _, name := range artifact.EngineKeys() {
		if _, declared := l.world[name]; !declared {
			l.addKey(artifact.WorldKey{Name: name, Type: artifact.TypeString, Default: json.RawMessage(`""`)})
		}
	}
	sort.Slice(l.keys, func(i, j int) bool { return l.keys[i].Name < l.keys[j].Name })
}

func (l *lowerer) addKey(k artifact.WorldKey) {
	l.world[k.Name] = k
	l.keys = append(l.keys, k)
}

func (l *lowerer) lowerKey(k source.WorldKey) artifact.WorldKey {
	out := artifact.WorldKey{Name: k.Name.Val, Type: l.keyType(k), Values: vals(k.Values), Pos: k.Name.Pos}
	l.checkValues("world key", k.Name, out.Type == artifact.TypeEnum, k.Values)
	out.Default = zero(out)
	if k.Default == nil || k.Default.Kind == source.KindNull {
		return out
	}
	if misfit := mismatch(k.Default, out.Type, out.Values); misfit != "" {
		l.report(diag.BadDefault, k.Default.Pos, "the default of the world key %s is %s", k.Name.Val, misfit).
			Hint = fitHint(k.Default, out.Type, out.Values)
		return out
	}
	out.Default = k.Default.JSON()
	return out
}

// keyType is the declared type, or the literal's when only a literal stands
// there; TypeAny after a mistake, so that it is reported once.
func (l *lowerer) keyType(k source.WorldKey) artifact.Type {
	if !given(k.Type) {
		if t := typeOf(k.Default); t != artifact.TypeAny {
			return t
		}
		l.report(diag.BadType, k.Name.Pos, "the world key %s has neither a type nor a default", k.Name.Val).
			Hintf("write %s: {type: string}, or a literal such as \"\" or 0", k.Name.Val)
		return artifact.TypeAny
	}
	t := artifact.Type(k.Type.Val)
	if !slices.Contains(worldTypes(), k.Type.Val) {
		l.report(diag.BadType, k.Type.Pos, "%s is no type of the world", k.Type.Val).
			Hint = didYouMean(k.Type.Val, worldTypes(), "use string, int, float, bool, enum, list or object")
		return artifact.TypeAny
	}
	return t
}

func worldTypes() []string {
	return []string{
		string(artifact.TypeString), string(artifact.TypeInt), string(artifact.TypeFloat), string(artifact.TypeBool),
		string(artifact.TypeEnum), string(artifact.TypeList), string(artifact.TypeObject),
	}
}

// checkValues holds enum and its values together, for keys and for slots.
func (l *lowerer) checkValues(what string, name source.Str, enum bool, values []source.Str) {
	if enum && len(values) == 0 {
		l.report(diag.BadEnum, name.Pos, "the %s %s is an enum without values", what, name.Val).
			Hintf("add values: [one, two]")
	}
	if !enum && len(values) > 0 {
		l.report(diag.BadEnum, values[0].Pos, "the %s %s has values and is no enum", what, name.Val).
			Hintf("write type: enum, or remove values")
	}
	seen := map[string]source.Str{}
	for _, v := range values {
		if first, twice := seen[v.Val]; twice {
			l.report(diag.BadEnum, v.Pos, "the value %s stands twice", v.Val).
				Hintf("remove one").Also(first.Pos, "first listed here")
		}
		seen[v.Val] = v
	}
}

// zero is the default of a key that declares none: empty, 0, false, or an
// enum's first value.
func zero(k artifact.WorldKey) json.RawMessage {
	switch k.Type {
	case artifact.TypeInt, artifact.TypeFloat:
		return json.RawMessage(`0`)
	case artifact.TypeBool:
		return json.RawMessage(`false`)
	case artifact.TypeList:
		return json.RawMessage(`[]`)
	case artifact.TypeObject:
		return json.RawMessage(`{}`)
	case artifact.TypeEnum:
		if len(k.Values) > 0 {
			return quote(k.Values[0])
		}
	}
	return json.RawMessage(`""`)
}

// worldKey finds a declared key; ok is false, and the mistake reported, when
// there is none of that name.
func (l *lowerer) worldKey(name source.Str) (artifact.WorldKey, bool) {
	k, ok := l.world[name.Val]
	if !ok {
		l.missing(diag.UndeclaredWorld, name.Pos, "the world key %s is not declared", name.Val).
			Hint = didYouMean(name.Val, l.keyNames(), "declare it under world")
	}
	return k, ok
}

func (l *lowerer) keyNames() []string {
	out := make([]string, len(l.keys))
	for i, k := range l.keys {
		out[i] = k.Name
	}
	return out
}

// scope is what an expression in a state may use: the world, and the slots
// of the intent when it stands in one of its arcs (nil elsewhere).
func (l *lowerer) scope(in *source.Intent, state string) expr.Scope {
	sc := expr.Scope{World: l.visible(state)}
	if in != nil {
		sc.Slots = slotsOf(in)
	}
	return sc
}

// visible are the world keys that a state's story knows: its own with those
// of what it imports, and the engine's.
func (l *lowerer) visible(state string) []artifact.WorldKey {
	home := l.rooms.byPath[state].home
	if home == "" {
		return l.keys
	}
	if _, known := l.seen[home]; !known {
		for _, k := range l.keys {
			if strings.HasPrefix(k.Name, fold.Prefix(home)) || slices.Contains(artifact.EngineKeys(), k.Name) {
				l.seen[home] = append(l.seen[home], k)
			}
		}
	}
	return l.seen[home]
}

func vals(list []source.Str) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Val)
	}
	return out
}

// quote is a string as JSON. Strings always encode.
func quote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return b
}
