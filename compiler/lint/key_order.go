package lint

import (
	"slices"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
)

// order is that of the language reference: who, from what, with what, and
// then what happens.
func order() []string {
	return []string{"app", "include", "imports", "hosts", "agents", "routing", "world", "intents", "root", "states"}
}

// keyOrder: a reader finds things where they stand in every other story.
func keyOrder(s *subject) {
	for _, keys := range s.Story.TopKeys {
		if i := misplaced(keys); i >= 0 {
			s.ds.Addf(diag.KeyOrder, keys[i].Pos, "%s stands after %s", keys[i].Val, keys[i-1].Val).
				Hintf("the usual order is %s", strings.Join(order(), ", "))
		}
	}
}

// misplaced is the first key that belongs before the one above it; -1 when
// all are in order.
func misplaced(keys []source.Str) int {
	for i := 1; i < len(keys); i++ {
		if slices.Index(order(), keys[i].Val) < slices.Index(order(), keys[i-1].Val) {
			return i
		}
	}
	return -1
}
