package artifact

import "testing"

func TestShownIntent(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"push":             {"push", "Push"},
		"gitops__push":     {"push (gitops)", "Push (gitops)"},
		"dev__gitops__wip": {"wip (dev.gitops)", "Push (dev.gitops)"},
		"take_note":        {"take_note", "Push"},
	} {
		if got := [2]string{ShownIntent(name), ShownTitle("Push", name)}; got != want {
			t.Errorf("%s: expected %q, observed %q", name, want, got)
		}
	}
}
