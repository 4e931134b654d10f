package shell

import (
	"context"
	"math/rand/v2"
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
			if got := runArgs(t, text, value); got != want {
				t.Errorf("%s with %q: got %q, want %q", tc.script, value, got, want)
			}
		}
	}
}

// hostile makes a value of pieces that mean something to a shell.
func hostile(r *rand.Rand) string {
	pieces := append(evil(), "$(", ")", "${", "}", "'", "\"", "`", "$", "<<E", "\n", " ", "-", "=", "[", "]", "((", "))", "a", "0", "/", "!", "?", "&", "|", ";", "<", ">", "\u00a0", "\x01", "\x7f", "\xff")
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// TestHostileValues: a thousand values made of what a shell reads as code
// arrive as the same value does that is a positional parameter in quotes.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	needBash(t)
	const values = 1000
	places := []struct{ script, want string }{
		{`show ⟨v⟩`, "[V]"},
		{`show "a ⟨v⟩ b"`, "[a V b]"},
		{`show x⟨v⟩y`, "[xVy]"},
		{`v=⟨v⟩; show "$v"`, "[V]"},
		{`show 'a ⟨v⟩'`, "[a V]"},
		{"cat <<E\n⟨v⟩\nE", "V\n"},
		{`cat <<<⟨v⟩`, "V\n"},
		{`show "${none:-⟨v⟩}"`, "[V]"},
		{`[[ ⟨v⟩ == "$V0" ]] && show same`, "[same]"},
		{`case ⟨v⟩ in "$V0") show same ;; esac`, "[same]"},
		{"show a # ⟨v⟩", "[a]"},
	}
	r := rand.New(rand.NewPCG(7, 11))
	for i := range values {
		place, value := places[i%len(places)], hostile(r)
		text, faults := Edit(cut(place.script), Bash)
		if faults != nil {
			t.Fatalf("%s: %v", place.script, faults)
		}
		oracle := runArgs(t, `show "$1"`, value)
		arrived := strings.TrimSuffix(strings.TrimPrefix(oracle, "["), "]")
		if got, want := runArgs(t, text, value), strings.ReplaceAll(place.want, "V", arrived); got != want {
			t.Errorf("%s with %q: got %q, want %q", place.script, value, got, want)
		}
	}
}

func TestEmptyWholeArgumentIsNone(t *testing.T) {
	t.Parallel()
	needBash(t)
	for script, want := range map[string]string{`show a ⟨v⟩ b`: "[a][b]", `show a "⟨v⟩" b`: "[a][][b]", `show a x⟨v⟩`: "[a][x]"} {
		text, _ := Edit(cut(script), Bash)
		if got := runArgs(t, text, ""); got != want {
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

// runArgs runs a script with a value both in the variables and as $1.
func runArgs(t *testing.T, text, value string) string {
	t.Helper()
	prelude := "show() { printf '[%s]' \"$@\"; }; inner() { show \"$x\"; }\n"
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere"}
	for _, name := range []string{"V0", "V1"} {
		env = append(env, name+"="+value)
	}
	r := proc.Run(context.Background(), proc.Cmd{Argv: []string{"bash", "--noprofile", "--norc", "-c", prelude + text, "bash", value}, Dir: t.TempDir(), Env: env})
	if r.Err != nil || len(r.Stderr) > 0 {
		t.Errorf("%s with %q: %v %s", text, value, r.Err, r.Stderr)
	}
	return string(r.Stdout)
}
