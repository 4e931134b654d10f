package host

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"
)

// MaxValue is the most one argument or variable may hold, in bytes: Linux
// takes 128 KiB for each, the name included.
const MaxValue = 120 << 10

// Text is a value as one argument or variable: a scalar in its plain
// spelling, "" for null. It refuses what can't be passed on unchanged.
func Text(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, passable(v)
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case float64:
		return number(v), nil
	case nil:
		return "", nil
	}
	return "", fmt.Errorf("a list or object is no single argument")
}

// number spells a whole float without a fraction.
func number(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func passable(s string) error {
	if strings.ContainsRune(s, 0) {
		return fmt.Errorf("a value with a NUL can't be passed to a program")
	}
	if len(s) > MaxValue {
		return fmt.Errorf("a value of %d bytes can't be passed to a program; the most is %d", len(s), MaxValue)
	}
	return nil
}

// str is a string argument, "" when absent.
func str(args map[string]any, name string) (string, error) {
	s, err := Text(args[name])
	if err != nil {
		return "", fmt.Errorf("argument %s: %w", name, err)
	}
	return s, nil
}

// list is a list argument, nil when absent; null items are left out.
func list(args map[string]any, name string) ([]string, error) {
	v, ok := args[name]
	if !ok || v == nil {
		return nil, nil
	}
	items, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("argument %s is no list", name)
	}
	out := make([]string, 0, len(items))
	for i, item := range items {
		s, err := Text(item)
		if err != nil {
			return nil, fmt.Errorf("argument %s[%d]: %w", name, i, err)
		}
		if item != nil {
			out = append(out, s)
		}
	}
	return out, nil
}

// vars is an object argument as KEY=VALUE, sorted by key.
func vars(args map[string]any, name string) ([]string, error) {
	m, ok := args[name].(map[string]any)
	if !ok && args[name] != nil {
		return nil, fmt.Errorf("argument %s is no object", name)
	}
	out := make([]string, 0, len(m))
	for k, v := range m {
		s, err := Text(v)
		if err != nil {
			return nil, fmt.Errorf("argument %s.%s: %w", name, k, err)
		}
		if k == "" || strings.ContainsAny(k, "=\x00") {
			return nil, fmt.Errorf("argument %s: %q is no name of a variable", name, k)
		}
		out = append(out, k+"="+s)
	}
	sort.Strings(out)
	return out, nil
}

// boolean is a bool argument, false when absent.
func boolean(args map[string]any, name string) (bool, error) {
	switch v := args[name].(type) {
	case nil:
		return false, nil
	case bool:
		return v, nil
	}
	return false, fmt.Errorf("argument %s is no bool", name)
}

// Duration is a duration argument such as 30s, 0 when absent.
func Duration(args map[string]any, name string) (time.Duration, error) {
	s, err := str(args, name)
	if err != nil || s == "" {
		return 0, err
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("argument %s: %q is no duration such as 30s or 2m", name, s)
	}
	return d, nil
}
