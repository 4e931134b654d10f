package lint

import (
	"strings"
	"testing"
)

func TestClose(t *testing.T) {
	t.Parallel()
	for pair, want := range map[string]bool{
		"run the test|run the tests":         true,
		"push it|push":                       true,
		"commit and push|push and commit":    true,
		"stage the work|stage my work":       true,
		"form the tests|from the tests":      true,
		"open a pr|open an mr":               false, // two words differ
		"open a pr|open a mr":                true,
		"push it|pull it":                    false,
		"create a branch|create a worktree":  false,
		"open a pr|open a draft pr":          false,
		"stash|stage":                        false,
		"undo the commit|undo the last push": false,
		"run|run":                            true,
	} {
		a, b, _ := strings.Cut(pair, "|")
		for range 2 {
			if got := close(strings.Fields(a), strings.Fields(b)); got != want {
				t.Errorf("%q and %q: expected %v, observed %v", a, b, want, got)
			}
			a, b = b, a
		}
	}
}
