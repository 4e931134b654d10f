package taskagent

import "testing"

// TestSameButUpstreams: an upstream that a person's git has written is no
// change, and nothing that looks like one hides another.
func TestSameButUpstreams(t *testing.T) {
	t.Parallel()
	const core = "[core]\n\tbare = false\n\tfsmonitor = false\n"
	const upstream = "[branch \"x/y\"]\n\tremote = origin\n\tmerge = refs/heads/x/y\n"
	for name, tc := range map[string]struct {
		a, b string
		same bool
	}{
		"nothing":             {core, core, true},
		"one more":            {core, core + upstream, true},
		"one less":            {upstream + core, core, true},
		"between":             {core + "[user]\n\tname = n\n", core + upstream + "[user]\n\tname = n\n", true},
		"with rebase":         {core, core + upstream + "\trebase = true\n", true},
		"another remote":      {core + upstream, core + "[branch \"x/y\"]\n\tremote = fork\n", true},
		"a hook path":         {core, core + "\thooksPath = /evil\n", false},
		"a hook path and one": {core, core + "\thooksPath = /evil\n" + upstream, false},
		"a command":           {core, core + "[branch \"x\"]\n\tremote = ext::sh\n", false},
		"a place":             {core, core + "[branch \"x\"]\n\tremote = /evil\n", false},
		"another key":         {core, core + upstream + "\tvcs = evil\n", false},
		"on its line":         {core, core + "[branch \"x\"] [core] hooksPath = /evil\n", false},
		"takes lines over":    {core, "[core]\n\tbare = false\n[branch \"x\"]\n\tfsmonitor = false\n", false},
		"behind a backslash":  {core + "\tx = a\\\n", core + "\tx = a\\\n" + upstream, false},
		"takes over a blank":  {"[core]\n\tbare = false\n\n\tfsmonitor = false\n", "[core]\n\tbare = false\n[branch \"x\"]\n\n\tfsmonitor = false\n", false},
	} {
		if got := sameButUpstreams([]byte(tc.a), []byte(tc.b)); got != tc.same {
			t.Errorf("%s: observed %v", name, got)
		}
		if got := sameButUpstreams([]byte(tc.b), []byte(tc.a)); got != tc.same {
			t.Errorf("%s, the other way: observed %v", name, got)
		}
	}
}
