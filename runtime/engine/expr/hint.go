package expr

import (
	"fmt"
	"sort"
	"strings"
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
	if near := nearest(name, sc.roots()); near != "" {
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
	if near := nearest(key, known); near != "" {
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

// nearest is the known name that differs from name by few edits, or "".
func nearest(name string, known []string) string {
	best, limit := "", 1+len(name)/5
	for _, k := range known {
		if d := distance(name, k); d <= limit && k != name {
			best, limit = k, d-1
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
