package shell

import (
	"context"
	"os"
	"strings"
	"testing"

	"kitsoki/runtime/proc"
)

// TestValuesAreNeverCode runs edited scripts with values that would do harm
// in any other spelling, and compares the arguments that arrive.
func TestValuesAreNeverCode(t *testing.T) {
	t.Parallel()
	needBash(t)
	for _, tc := range []struct{ script, want string }{
		{`show ⟨v⟩`, "[V]"},
		{`show a ⟨v⟩ b`, "[a][V][b]"},
		{`show "⟨v⟩"`, "[V]"},
		{`show "on ⟨v⟩!"`, "[on V!]"},
		{`show --x=⟨v⟩.y`, "[--x=V.y]"},
		{`x=⟨v⟩; show "$x"`, "[V]"},
		{`x=⟨v⟩ inner`, "[V]"},
		{`export x=⟨v⟩; show "$x"`, "[V]"},
		{`show "$(printf '%s' ⟨v⟩)"`, "[V]"},
		{`for f in "⟨v⟩"; do show "$f"; done`, "[V]"},
		{`[[ "⟨v⟩" == "$V0" ]] && show same`, "[same]"},
		{`case "⟨v⟩" in "$V0") show same;; esac`, "[same]"},
		{`show \\⟨v⟩`, `[\V]`},
		{`show ~⟨v⟩ ⟨v⟩/*`, "[~V][V/*]"},
	} {
		for _, value := range evil() {
			pieces := cut(tc.script)
			text, faults := Edit(pieces, Bash)
			if faults != nil {
				t.Fatalf("%s: %v", tc.script, faults)
			}
			want := strings.ReplaceAll(tc.want, "V", value)
			if got := runBash(t, text, value); got != want {
				t.Errorf("%s with %q: got %q, want %q", tc.script, value, got, want)
			}
		}
	}
}

func TestEmptyWholeArgumentIsNone(t *testing.T) {
	t.Parallel()
	needBash(t)
	for script, want := range map[string]string{`show a ⟨v⟩ b`: "[a][b]", `show a "⟨v⟩" b`: "[a][][b]", `show a x⟨v⟩`: "[a][x]"} {
		text, _ := Edit(cut(script), Bash)
		if got := runBash(t, text, ""); got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
}

func needBash(t *testing.T) {
	t.Helper()
	if _, err := proc.Look(proc.Cmd{Argv: []string{"bash"}, Env: []string{"PATH=" + os.Getenv("PATH")}}); err != nil {
		t.Skip("no bash here")
	}
}

func evil() []string {
	return []string{
		"plain", "two words", "$(echo pwned)", "`echo pwned`", "; echo pwned", `"; echo pwned; "`, `'; echo pwned; '`,
		"a[$(echo pwned >&2)]", "*", "~", "{a,b}", "$HOME", "${HOME}", `\`, `\\"`, "a\nb", "\ttab", "&& echo pwned", "| cat", "> file", "!!", "é漢", "-n", "#x", "%s",
	}
}

func runBash(t *testing.T, text, value string) string {
	t.Helper()
	prelude := "show() { printf '[%s]' \"$@\"; }; inner() { show \"$x\"; }\n"
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere"}
	for _, name := range []string{"V0", "V1"} {
		env = append(env, name+"="+value)
	}
	r := proc.Run(context.Background(), proc.Cmd{Argv: []string{"bash", "--noprofile", "--norc", "-c", prelude + text}, Dir: t.TempDir(), Env: env})
	if r.Err != nil || len(r.Stderr) > 0 {
		t.Errorf("%s with %q: %v %s", text, value, r.Err, r.Stderr)
	}
	return string(r.Stdout)
}
