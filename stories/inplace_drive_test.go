package stories_test

import (
	"errors"
	"os"
	"testing"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
)

// inPlace is the story that rebases in the person's own working tree.
func inPlace(t *testing.T) *artifact.Program {
	t.Helper()
	out, ds := compiler.Compile(os.DirFS("../runtime/drive/testdata/inplace"), "app.yaml", options())
	for _, d := range ds {
		t.Errorf("%s:%d:%d: %s", d.Pos.File, d.Pos.Line, d.Pos.Col, d.Message)
	}
	if out.Program == nil {
		t.FailNow()
	}
	return out.Program
}

// TestInPlace: the story does its work, and its way back leads to where it
// began from wherever it has come to rest.
func TestInPlace(t *testing.T) {
	t.Parallel()
	p := inPlace(t)
	inTree := func(s *site, a agent) agent {
		return func(_ string, files []string, n int) (bool, string, error) { return a(s.work, files, n) }
	}
	for name, tc := range map[string]struct {
		agent agent
		done  bool
	}{
		"resolved":   {joins, true},
		"unresolved": {func(string, []string, int) (bool, string, error) { return false, "", nil }, false},
		"claimed":    {func(string, []string, int) (bool, string, error) { return true, "", nil }, false},
		"crashed":    {func(string, []string, int) (bool, string, error) { return false, "", errors.New("exit status 1") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, main, mine := conflicted(t, 1)
			before := s.everything()
			d := &drive{site: s, program: p, room: "hub", intent: "rebase_here", agent: inTree(s, tc.agent)}
			if done := d.run(); done != tc.done {
				t.Fatalf("%v: %s %s", done, d.outcome.Kind, d.outcome.Detail)
			}
			if tc.done {
				s.equal("code.txt", s.read("code.txt"), "first\n"+main+"\n"+mine[0]+"\nthird\n")
			} else {
				s.equal("everything", s.everything(), before)
			}
			s.apart()
		})
	}
}
