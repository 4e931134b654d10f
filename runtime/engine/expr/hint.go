package expr

import (
	"fmt"
	"sort"
	"strings"

	"kitsoki/runtime/text"
)

// unknownRoot is the hint for a root that is not declared at this place.
func unknownRoot(name string, sc Scope) string {
	switch name {
	case "slots":
		return "slots are only known in the arcs of an intent"
	case "result":
		return "result is only known in bind and require, after the call"
	}
	if reason := disabledReason(name); reason != "" {
		return reason
	}
	if near := text.Nearest(name, sc.roots()); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if root := rootOf(name, sc); root != "" {
		return fmt.Sprintf("did you mean %s.%s?", root, name)
	}
	return "known here: " + strings.Join(sc.roots(), ", ")
}

// rootOf finds the root a bare key was meant to stand below.
func rootOf(name string, sc Scope) string {
	for _, root := range sc.roots() {
		keys, _ := sc.keys(root)
		for _, k := range keys {
			if k == name {
				return root
			}
		}
	}
	return ""
}

// unknownKey is the hint for a key that is not declared below a root.
func unknownKey(key string, known []string) string {
	if near := text.Nearest(key, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(known) == 0 {
		return "none is declared"
	}
	known = append([]string(nil), known...)
	sort.Strings(known)
	if len(known) > 12 {
		known = append(known[:12], "…")
	}
	return "declared: " + strings.Join(known, ", ")
}
