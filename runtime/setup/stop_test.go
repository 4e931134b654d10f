package setup

import (
	"bytes"
	"testing"
)

// TestBothEntries: the entry for the end of a turn goes in beside the other as
// one edit, a second time changes nothing, and taking out both gives the first
// bytes back, also after a foreign edit; taking out one leaves the other.
func TestBothEntries(t *testing.T) {
	t.Parallel()
	stop, ok := claude().AtStop()
	if !ok {
		t.Fatal("Claude Code has no event for the end of a turn")
	}
	put := func(row Row, rec *Record) func(Settings) (Edit, error) {
		return func(s Settings) (Edit, error) { return Install(s, row, program(), rec) }
	}
	take := func(row Row, rec *Record) func(Settings) (Edit, error) {
		return func(s Settings) (Edit, error) { return Uninstall(s, row, rec, false) }
	}
	for _, f := range fixtures() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			one, err := Install(held(f.before), claude(), program(), nil)
			if err != nil {
				t.Fatal(err)
			}
			both, err := one.Then(put(stop, nil))
			if err != nil || bytes.Count(both.After, []byte(`"--agent", "claude"`)) != 2 || !bytes.Contains(both.After, []byte(`"Stop"`)) || len(both.notes) != 2 || both.Settings.Path != one.Settings.Path {
				t.Fatalf("%v\n%s", err, both.After)
			}
			first, second := both.notes[0].record, both.notes[1].record
			again, err := Install(held(string(both.After)), claude(), program(), first)
			if err == nil {
				again, err = again.Then(put(stop, second))
			}
			if err != nil || again.Changes() {
				t.Errorf("a second installation: %v\n%s", err, again.Diff())
			}
			half, err := Uninstall(held(string(both.After)), stop, second, false)
			if err != nil || string(half.After) != f.after {
				t.Errorf("without the second: %v\n%s", err, half.Diff())
			}
			back, err := half.Then(take(claude(), first))
			if err != nil || string(back.After) != f.before {
				t.Errorf("back: %v\n%s", err, back.Diff())
			}
		})
	}
}
