package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

const builtinPrefix = "builtin:"

func interceptKeys() []string {
	return []string{"enabled", "app", "room", "confidence_bar", "escape_prefix", "mode", "trace", "world"}
}

func policyKeys() []string {
	return []string{"min_bar", "max_timeout", "max_effect", "escape_prefix"}
}

func (r *reader) intercept(n *yaml.Node, in *intercept) {
	r.block(n, "intercept", interceptKeys(), func(key string, v *yaml.Node) {
		name := "intercept." + key
		switch key {
		case "enabled":
			in.enabled = read(r, v, name, boolean)
		case "app":
			in.app = read(r, v, name, r.app)
		case "room":
			in.room = read(r, v, name, word)
		case "confidence_bar":
			in.bar = read(r, v, name, bar)
		case "escape_prefix":
			in.escapePrefix = read(r, v, name, prefix)
		case "mode":
			in.mode = read(r, v, name, mode)
		case "trace":
			in.trace = read(r, v, name, r.trace)
		case "world":
			in.world = r.world(v)
		}
	})
}

func (r *reader) policy(n *yaml.Node, p *Policy) {
	r.block(n, "policy", policyKeys(), func(key string, v *yaml.Node) {
		name := "policy." + key
		switch key {
		case "min_bar":
			p.MinBar = read(r, v, name, bar)
		case "max_timeout":
			p.MaxTimeout = read(r, v, name, timeout)
		case "max_effect":
			p.MaxEffect = read(r, v, name, effect)
		case "escape_prefix":
			p.EscapePrefix = read(r, v, name, prefix)
		}
	})
}

// read reads one scalar; what it must be is the parse function's error.
func read[T any](r *reader, n *yaml.Node, name string, parse func(*yaml.Node) (T, error)) Value[T] {
	if n.Kind != yaml.ScalarNode {
		r.say(n, Error, name+" must be a single value", "")
		return Value[T]{}
	}
	v, err := parse(n)
	if err != nil {
		r.say(n, Error, fmt.Sprintf("%s is %q: %v", name, n.Value, err), "")
		return Value[T]{}
	}
	return Value[T]{V: v, Origin: r.origin(n)}
}

func boolean(n *yaml.Node) (bool, error) {
	var v bool
	if n.Decode(&v) != nil || n.Tag == "!!null" {
		return false, fmt.Errorf("it must be true or false")
	}
	return v, nil
}

func asText(n *yaml.Node) (string, error) {
	if n.Tag != "!!str" {
		return "", fmt.Errorf("it must be text; put it in quotes")
	}
	return n.Value, nil
}

func word(n *yaml.Node) (string, error) {
	v, err := asText(n)
	if err == nil && (v == "" || strings.ContainsAny(v, " \t\r\n")) {
		err = fmt.Errorf("it must be one word")
	}
	return v, err
}

func prefix(n *yaml.Node) (string, error) {
	v, err := asText(n)
	if err == nil && strings.ContainsAny(v, " \t\r\n") {
		err = fmt.Errorf("it must not hold blanks, since leading blanks are skipped before it is looked for")
	}
	return v, err
}

func bar(n *yaml.Node) (float64, error) {
	var v float64
	if n.Tag == "!!null" || n.Decode(&v) != nil || !(v >= LowestBar && v <= HighestBar) {
		return 0, fmt.Errorf("it must be a number from %.2f to %.2f", LowestBar, HighestBar)
	}
	return v, nil
}

func timeout(n *yaml.Node) (time.Duration, error) {
	v, err := time.ParseDuration(n.Value)
	if err != nil || v <= 0 || v > LongestTimeout {
		return 0, fmt.Errorf("it must be a duration above 0 and up to %v, as in 30s or 2m", LongestTimeout)
	}
	return v, nil
}

func mode(n *yaml.Node) (Mode, error) {
	v := Mode(n.Value)
	if v != Enforce && v != Shadow {
		return "", fmt.Errorf("it must be %s or %s", Enforce, Shadow)
	}
	return v, nil
}

func effect(n *yaml.Node) (string, error) {
	all := []string{"read", "write", "network", "destructive"}
	if !slices.Contains(all, n.Value) {
		return "", fmt.Errorf("it must be one of %s", strings.Join(all, ", "))
	}
	return n.Value, nil
}

// app reads builtin:NAME, an artifact or a manifest; a path is relative to the
// file that names it.
func (r *reader) app(n *yaml.Node) (App, error) {
	v, err := asText(n)
	if err != nil {
		return App{}, err
	}
	if name, ok := strings.CutPrefix(v, builtinPrefix); ok {
		if name == "" || strings.ContainsAny(name, `/\ `) {
			return App{}, fmt.Errorf("after builtin: stands the name of a story that ships with kitsoki")
		}
		return App{Kind: AppBuiltin, Name: name}, nil
	}
	if strings.TrimSpace(v) == "" {
		return App{}, fmt.Errorf("it must be a path or builtin:NAME")
	}
	a := App{Kind: AppStory, Path: r.path(v)}
	if strings.HasSuffix(v, ".kit") {
		a.Kind = AppArtifact
	}
	return a, nil
}

// trace reads off, on, or a path. YAML leaves an unquoted off a text.
func (r *reader) trace(n *yaml.Node) (Trace, error) {
	switch n.Value {
	case "off", "false":
		return Trace{Off: true}, nil
	case "on", "true":
		return Trace{}, nil
	}
	v, err := asText(n)
	if err != nil || strings.TrimSpace(v) == "" {
		return Trace{}, fmt.Errorf("it must be off, on, or the path of a file")
	}
	return Trace{Path: r.path(v)}, nil
}

func (r *reader) path(v string) string {
	v = filepath.FromSlash(v)
	if filepath.IsAbs(v) {
		return filepath.Clean(v)
	}
	return filepath.Join(filepath.Dir(r.file), v)
}
