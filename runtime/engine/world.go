package engine

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
)

// World makes the world a run starts with: each key's default, the
// overrides over it, converted to the declared types, and what imported
// stories get from those that import them. The error names every override
// that is not declared or does not fit, sorted by key.
func World(p *artifact.Program, overrides map[string]any) (map[string]any, error) {
	world := make(map[string]any, len(p.World))
	for _, k := range p.World {
		v, err := defaultOf(k)
		if err != nil {
			return nil, err
		}
		world[k.Name] = v
	}
	var wrong []string
	for name, v := range overrides {
		if err := write(p, world, name, v); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	if len(wrong) > 0 {
		sort.Strings(wrong)
		return nil, fmt.Errorf("%s", strings.Join(wrong, "; "))
	}
	seedAll(p, world, overrides)
	return world, nil
}

// seedAll writes what entering each imported story would write, outer stories
// first: a run may start inside of one. An override has the last word. A
// value that can't be made yet leaves its default: entering will say why.
func seedAll(p *artifact.Program, world, overrides map[string]any) {
	for i := range p.States {
		s := &p.States[i]
		if s.Seed == nil {
			continue
		}
		next := copyOf(world)
		for _, fd := range s.Seed {
			if _, over := overrides[fd.Name]; over {
				continue
			}
			v, err := value(fd.Value, map[string]any{"world": world})
			if err == nil {
				_ = write(p, next, fd.Name, v) // writes nothing when the value does not fit
			}
		}
		maps.Copy(world, next)
	}
}

func defaultOf(k artifact.WorldKey) (any, error) {
	v, err := host.Decode(k.Default)
	if err != nil {
		return nil, fmt.Errorf("default of world.%s: %w", k.Name, err)
	}
	if v == nil {
		return zero(k), nil
	}
	return convert(k, v)
}

// zero is the empty value of a key whose default is null.
func zero(k artifact.WorldKey) any {
	if k.Type == artifact.TypeEnum && len(k.Values) > 0 {
		return k.Values[0]
	}
	if v := k.Type.Empty(); v != nil {
		return v
	}
	return ""
}

// write writes one key; null means the default.
func write(p *artifact.Program, world map[string]any, name string, v any) error {
	v, err := fitted(p, name, v)
	if err != nil {
		return err
	}
	world[name] = v
	return nil
}

// fitted is a value as the key would hold it.
func fitted(p *artifact.Program, name string, v any) (any, error) {
	k := findKey(p, name)
	if k == nil {
		return nil, fmt.Errorf("world.%s is not declared", name)
	}
	if v == nil {
		return defaultOf(*k)
	}
	return convert(*k, v)
}

// convert makes a value one of the key's type when nothing is lost by it:
// 3.0 is 3, "3" is 3, 3 is "3", and a list stays a list.
func convert(k artifact.WorldKey, v any) (any, error) {
	out, ok := as(k.Type, v)
	if !ok {
		return nil, fmt.Errorf("world.%s is declared as %s, and %s is none", k.Name, k.Type, show(v))
	}
	if s, isText := out.(string); isText && k.Type == artifact.TypeEnum && !slices.Contains(k.Values, s) {
		return nil, fmt.Errorf("world.%s is one of %s, and %s is none of them", k.Name, strings.Join(k.Values, ", "), show(v))
	}
	return out, nil
}

func as(t artifact.Type, v any) (any, bool) {
	if n, wide := v.(int64); wide {
		v = int(n) // the matcher's numbers
	}
	switch t {
	case artifact.TypeString:
		return asString(v)
	case artifact.TypeEnum:
		s, ok := v.(string)
		return s, ok
	case artifact.TypeInt:
		return asInt(v)
	case artifact.TypeFloat:
		return asFloat(v)
	case artifact.TypeBool:
		return asBool(v)
	case artifact.TypeList:
		l, ok := v.([]any)
		return l, ok
	case artifact.TypeObject:
		m, ok := v.(map[string]any)
		return m, ok
	}
	return v, true
}

func asString(v any) (any, bool) {
	switch v.(type) {
	case string, int, float64, bool:
		return spell(v), true
	}
	return nil, false
}

func asInt(v any) (any, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case float64:
		// Past 2^53 a float does not say which whole number it stands for.
		return int(v), v == math.Trunc(v) && math.Abs(v) <= 1<<53
	case string:
		n, err := strconv.Atoi(strings.TrimSpace(v))
		return n, err == nil
	}
	return nil, false
}

func asFloat(v any) (any, bool) {
	f, ok := 0.0, true
	switch v := v.(type) {
	case int:
		f = float64(v)
	case float64:
		f = v
	case string:
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		f, ok = n, err == nil
	default:
		return nil, false
	}
	return f, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

func asBool(v any) (any, bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case string:
		s := strings.TrimSpace(v)
		return s == "true", s == "true" || s == "false"
	}
	return nil, false
}

// copyOf is a shallow copy: values of the world are replaced, never changed
// in place.
func copyOf(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}
