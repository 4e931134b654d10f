package shell

import (
	"slices"
	"strings"
	"testing"
)

func TestOpenOptions(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		`git switch "${V0}"`:                       "V0",
		`git switch ${V0:+"${V0}"}`:                "V0",
		`git switch -- "${V0}"`:                    "",
		`git commit -m "${V0}"`:                    "",
		`git log --author="${V0}" "${V1}"`:         "V1",
		`git add x"${V0}"`:                         "",
		`echo "${V0}"; rm "${V1}"`:                 "V1",
		`if test "${V0}" = a; then ls "${V1}"; fi`: "V1",
		`x="${V0}"; ls "$x"`:                       "",
		`ls "${OTHER}"`:                            "",
		`ls $(cat "${V0}")`:                        "V0",
		`git -- push "${V0}"`:                      "",
		`ls "`:                                     "",
	} {
		if got := strings.Join(OpenOptions(script, "V", Bash), " "); got != want {
			t.Errorf("%s: expected %q, observed %q", script, want, got)
		}
	}
	if got := OpenOptions("ls \"${V0}\"", "V", POSIX); !slices.Equal(got, []string{"V0"}) {
		t.Errorf("observed %v", got)
	}
}
