package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine/expr"
	"kitsoki/runtime/host"
)

// value evaluates the right-hand side of a key.
func value(v artifact.Value, env map[string]any) (any, error) {
	switch {
	case v.Expr != nil:
		return expr.Eval(v.Expr.Src, env)
	case v.Parts != nil:
		return spliced(v.Parts, env)
	case v.List != nil:
		return listOf(v.List, env)
	case v.Object != nil:
		return objectOf(v.Object, env)
	case v.Literal == nil:
		return nil, nil
	}
	return host.Decode(v.Literal)
}

// spliced is text with the results of its expressions in place.
func spliced(parts []artifact.Part, env map[string]any) (any, error) {
	var b strings.Builder
	for _, p := range parts {
		if p.Expr == nil {
			b.WriteString(p.Text)
			continue
		}
		v, err := expr.Eval(p.Expr.Src, env)
		if err != nil {
			return nil, err
		}
		b.WriteString(spell(v))
	}
	return b.String(), nil
}

func listOf(items []artifact.Value, env map[string]any) (any, error) {
	out := make([]any, len(items))
	for i, item := range items {
		v, err := value(item, env)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func objectOf(fields []artifact.Field, env map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(fields))
	for _, f := range fields {
		v, err := value(f.Value, env)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		out[f.Name] = v
	}
	return out, nil
}

// spell is a value as text: nothing for null, JSON for lists and objects, a
// whole float without fraction.
func spell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case float64:
		return spellFloat(v)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func spellFloat(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// show is a value in an error: short, text in quotes.
func show(v any) string {
	s := spell(v)
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	if _, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	if v == nil {
		return "null"
	}
	return s
}

// at follows a dotted path with [n] into a result; nil when there is nothing.
func at(v any, path string) any {
	for path != "" && v != nil {
		var step string
		step, path = cutStep(path)
		v = child(v, step)
	}
	return v
}

// cutStep takes the first step off a path: a name, or [n].
func cutStep(path string) (step, rest string) {
	path = strings.TrimPrefix(path, ".")
	if strings.HasPrefix(path, "[") {
		if end := strings.IndexByte(path, ']'); end > 0 {
			return path[:end+1], path[end+1:]
		}
	}
	if i := strings.IndexAny(path, ".["); i > 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

func child(v any, step string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[step]
	case []any:
		n, err := strconv.Atoi(strings.Trim(step, "[]"))
		if err != nil || n < 0 || n >= len(v) {
			return nil
		}
		return v[n]
	}
	return nil
}
