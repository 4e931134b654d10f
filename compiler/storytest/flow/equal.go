package flow

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// subset tells whether every key of part has an equal value in whole.
func subset(part, whole map[string]any) bool {
	for k, v := range part {
		got, ok := whole[k]
		if !ok || !equal(v, got) {
			return false
		}
	}
	return true
}

// equal compares values; a whole number is equal to itself as int and as
// float.
func equal(a, b any) bool {
	switch a := a.(type) {
	case int:
		if f, ok := b.(float64); ok {
			return float64(a) == f
		}
	case float64:
		if i, ok := b.(int); ok {
			return a == float64(i)
		}
	case []any:
		list, ok := b.([]any)
		return ok && equalLists(a, list)
	case map[string]any:
		m, ok := b.(map[string]any)
		return ok && len(a) == len(m) && subset(a, m)
	}
	return reflect.DeepEqual(a, b)
}

func equalLists(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

// show is a value for people: JSON on one line.
func show(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "?" // a number without JSON form
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
