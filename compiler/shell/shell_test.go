package shell

import (
	"strings"
	"testing"
)

// cut makes pieces of a script in which each <…> is a value.
func cut(script string) []Piece {
	var out []Piece
	for n := 0; script != ""; {
		before, rest, found := strings.Cut(script, "⟨")
		if before != "" {
			out = append(out, Piece{Text: before})
		}
		if !found {
			break
		}
		_, script, _ = strings.Cut(rest, "⟩")
		out = append(out, Piece{Name: "V" + string(rune('0'+n))})
		n++
	}
	return out
}

func TestEdit(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		`git push origin ⟨b⟩`:             `git push origin ${V0:+"${V0}"}`,
		`git push "⟨r⟩" x`:                `git push "${V0}" x`,
		`git push "on ⟨r⟩!"`:              `git push "on ${V0}!"`,
		`git push --to=⟨b⟩`:               `git push --to="${V0}"`,
		`git show ⟨a⟩..⟨b⟩`:               `git show "${V0}".."${V1}"`,
		`git show ⟨a⟩⟨b⟩`:                 `git show "${V0}""${V1}"`,
		`x=⟨v⟩`:                           `x="${V0}"`,
		`x=a⟨v⟩ cmd`:                      `x=a"${V0}" cmd`,
		`export X=⟨v⟩`:                    `export X="${V0}"`,
		`x+=⟨v⟩`:                          `x+="${V0}"`,
		`echo "$(git log ⟨v⟩)"`:           `echo "$(git log ${V0:+"${V0}"})"`,
		`echo a > "⟨f⟩"`:                  `echo a > "${V0}"`,
		`for f in "⟨f⟩"; do echo; done`:   `for f in "${V0}"; do echo; done`,
		`case "⟨f⟩" in a) echo;; esac`:    `case "${V0}" in a) echo;; esac`,
		`[[ "⟨f⟩" == a ]] && echo ⟨f⟩`:    `[[ "${V0}" == a ]] && echo ${V1:+"${V1}"}`,
		`[ "⟨n⟩" -eq 1 ]`:                 `[ "${V0}" -eq 1 ]`,
		`if true; then echo ⟨v⟩; fi`:      `if true; then echo ${V0:+"${V0}"}; fi`,
		`f() { echo ⟨v⟩; }; f`:            `f() { echo ${V0:+"${V0}"}; }; f`,
		`echo \\⟨v⟩`:                      `echo \\"${V0}"`,
		`echo "\\⟨v⟩"`:                    `echo "\\${V0}"`,
		`echo ~⟨v⟩ ⟨v⟩/*`:                 `echo ~"${V0}" "${V1}"/*`,
		`timeout 60 git push ⟨b⟩`:         `timeout 60 git push ${V0:+"${V0}"}`,
		`env A=⟨v⟩ make ⟨t⟩`:              `env A="${V0}" make ${V1:+"${V1}"}`,
		`jq --arg b ⟨b⟩ '.x == $b' f`:     `jq --arg b ${V0:+"${V0}"} '.x == $b' f`,
		`sed -n 's/a/b/p' ⟨f⟩`:            `sed -n 's/a/b/p' ${V0:+"${V0}"}`,
		`awk -F , '{print $1}' ⟨f⟩`:       `awk -F , '{print $1}' ${V0:+"${V0}"}`,
		`python3 -c 'import sys' ⟨v⟩`:     `python3 -c 'import sys' ${V0:+"${V0}"}`,
		`bash -c 'echo "$1"' x ⟨v⟩`:       `bash -c 'echo "$1"' x ${V0:+"${V0}"}`,
		`git log | grep ⟨v⟩ | wc -l`:      `git log | grep ${V0:+"${V0}"} | wc -l`,
		"echo a\n\tgit add -- ⟨p⟩\n":      "echo a\n\tgit add -- ${V0:+\"${V0}\"}\n",
		`printf '%s\n' ⟨v⟩`:               `printf '%s\n' ${V0:+"${V0}"}`,
		`git commit -c ⟨v⟩`:               `git commit -c ${V0:+"${V0}"}`,
		`git clean -x ⟨v⟩`:                `git clean -x ${V0:+"${V0}"}`,
		`! git diff --quiet ⟨v⟩ &`:        `! git diff --quiet ${V0:+"${V0}"} &`,
		`echo 'on ⟨v⟩!'`:                  `echo 'on '"${V0}"'!'`,
		`echo $'a\n⟨v⟩'`:                  `echo $'a\n'"${V0}"$''`,
		`[[ ⟨v⟩ == a* ]]`:                 `[[ "${V0}" == a* ]]`,
		`[[ $x =~ ^⟨v⟩$ ]]`:               `[[ $x =~ ^"${V0}"$ ]]`,
		`[[ -f ⟨f⟩ && ! -d x⟨f⟩ ]]`:       `[[ -f "${V0}" && ! -d x"${V1}" ]]`,
		`echo ${x:-⟨v⟩}`:                  `echo ${x:-"${V0}"}`,
		`echo "${x:-a⟨v⟩}"`:               `echo "${x:-a${V0}}"`,
		`echo "$(echo ${x:=⟨v⟩})"`:        `echo "$(echo ${x:="${V0}"})"`,
		`for f in a ⟨v⟩ b⟨v⟩; do :; done`: `for f in a ${V0:+"${V0}"} b"${V1}"; do :; done`,
		`case ⟨v⟩ in a) :;; esac`:         `case "${V0}" in a) :;; esac`,
		`case $x in ⟨v⟩|b⟨v⟩*) :;; esac`:  `case $x in "${V0}"|b"${V1}"*) :;; esac`,
		`echo > ⟨f⟩`:                      `echo > "${V0}"`,
		`sort < ⟨f⟩.txt`:                  `sort < "${V0}".txt`,
		`cat <<< ⟨v⟩`:                     `cat <<< "${V0}"`,
		`cat <<< "a ⟨v⟩"`:                 `cat <<< "a ${V0}"`,
		"cat <<EOF\na ⟨v⟩\nEOF\n":         "cat <<EOF\na ${V0}\nEOF\n",
		"cat <<-E\n\t${x:-⟨v⟩}\n\tE\n":    "cat <<-E\n\t${x:-${V0}}\n\tE\n",
		"echo a # on ⟨v⟩":                 "echo a # on ${V0}",
		`git commit -m "é ⟨v⟩" --x="⟨w⟩"`: `git commit -m "é ${V0}" --x="${V1}"`,
	} {
		got, faults := Edit(cut(script), Bash)
		if faults != nil || got != want {
			t.Errorf("%s\n got %s %v\nwant %s", script, got, faults, want)
		}
	}
}

func TestEditRefuses(t *testing.T) {
	t.Parallel()
	for script, why := range map[string]string{
		`⟨c⟩ x`:                             "a command's name",
		`"⟨c⟩" x`:                           "a command's name",
		`./⟨c⟩.sh x`:                        "a command's name",
		`$(echo ⟨c⟩) x`:                     "a command's name",
		`A=1 ⟨c⟩`:                           "a command's name",
		`echo $"⟨v⟩"`:                       `$"…"`,
		"echo `git log ⟨v⟩`":                "back-quotes",
		`echo \⟨v⟩`:                         "a backslash",
		`echo "\⟨v⟩"`:                       "a backslash",
		`echo {a,⟨v⟩}`:                      "braces",
		`echo {1..⟨v⟩}`:                     "braces",
		`echo $((⟨v⟩ + 1))`:                 "arithmetic",
		`echo $(( $(echo ⟨v⟩) ))`:           "arithmetic",
		`((⟨v⟩))`:                           "arithmetic",
		`let x=⟨v⟩`:                         "arithmetic",
		`for ((i=0;i<⟨v⟩;i++)); do :; done`: "arithmetic",
		`[[ "⟨v⟩" -eq 1 ]]`:                 "numeric comparison",
		`[[ 1 -lt "⟨v⟩" ]]`:                 "numeric comparison",
		`[[ -v "⟨v⟩" ]]`:                    "variable's name",
		`echo "${⟨v⟩}"`:                     "${…}",
		`echo "$⟨v⟩"`:                       "${…}",
		`echo ${x/⟨v⟩/a}`:                   "${…}",
		`echo @(⟨v⟩|b)`:                     "extended glob",
		`x=(⟨v⟩)`:                           "an array",
		`x[⟨v⟩]=1`:                          "name or subscript",
		`x[1]=⟨v⟩`:                          "an array",
		`⟨v⟩=1`:                             "name or subscript",
		`export ⟨v⟩`:                        "variable's name",
		`declare -i x=⟨v⟩`:                  "option of declare",
		`declare -n x=⟨v⟩`:                  "option of declare",
		`⟨f⟩() { :; }`:                      "function's name",
		`for ⟨v⟩ in a; do :; done`:          "loop variable",
		"bash <<EOF\necho ⟨v⟩\nEOF\n":       "flow into bash",
		`python3 <<< "⟨v⟩"`:                 "flow into python3",
		`bash < ⟨f⟩`:                        "flow into bash",
		"cat <<E\n\\⟨v⟩\nE\n":               "a backslash",
		`echo $'\⟨v⟩'`:                      "a backslash",
		`echo ${x#⟨v⟩}`:                     "${…}",
		`echo ${x:⟨v⟩:1}`:                   "${…}",
		`[[ $x == @(⟨v⟩) ]]`:                "extended glob",
		"cat <<'EOF'\n⟨v⟩\nEOF\n":           "here-document",
		`diff <(git show ⟨v⟩) b`:            "process substitution",
		`eval "echo ⟨v⟩"`:                   "eval",
		`eval "$(echo ⟨v⟩)"`:                "eval",
		`\eval "⟨v⟩"`:                       "eval",
		`source "⟨v⟩"`:                      "source",
		`. "⟨v⟩"`:                           "read as code",
		`trap "⟨v⟩" EXIT`:                   "trap",
		`read "⟨v⟩"`:                        "read",
		`unset "⟨v⟩"`:                       "unset",
		`mapfile "⟨v⟩"`:                     "mapfile",
		`printf -v "⟨v⟩" x`:                 "-v of printf",
		`test -v "⟨v⟩"`:                     "-v of test",
		`[ -v "⟨v⟩" ]`:                      "-v of [",
		`command eval "⟨v⟩"`:                "eval",
		`timeout 5 ⟨c⟩`:                     "timeout",
		`timeout -s KILL 5 ⟨c⟩`:             "timeout",
		`sudo -u bob ⟨c⟩`:                   "sudo",
		`env -S "⟨c⟩"`:                      "env",
		`env PATH=⟨v⟩ make`:                 "PATH",
		`xargs -I % ⟨c⟩`:                    "xargs",
		`exec "⟨c⟩"`:                        "exec",
		`PROMPT_COMMAND=⟨v⟩`:                "PROMPT_COMMAND",
		`GIT_SSH_COMMAND="⟨v⟩" git push`:    "GIT_SSH_COMMAND",
		`$EDITOR "⟨v⟩"`:                     "not written out",
		`bash -c "echo ⟨v⟩"`:                "program text of bash",
		`sh -ec "echo ⟨v⟩"`:                 "program text of sh",
		`timeout 5 bash -c "⟨v⟩"`:           "program text of bash",
		`find . -exec sh -c "⟨v⟩" {} +`:     "program text of sh",
		`bash "⟨v⟩"`:                        "program text of bash",
		`python3 -c "print(⟨v⟩)"`:           "program text of python3",
		`perl -ne "⟨v⟩"`:                    "program text of perl",
		`node --eval "⟨v⟩"`:                 "program text of node",
		`awk "/⟨v⟩/" f`:                     "program text of awk",
		`awk -F , "⟨v⟩"`:                    "program text of awk",
		`sed "s/⟨v⟩/a/" f`:                  "program text of sed",
		`sed -e "⟨v⟩" f`:                    "program text of sed",
		`sed -i .bak "⟨v⟩" f`:               "program text of sed",
		`jq ".⟨v⟩" f`:                       "program text of jq",
		`ssh host "ls ⟨v⟩"`:                 "program text of ssh",
		`git -C dir -c "⟨v⟩" log`:           "program text of git",
		`git rebase -x "⟨v⟩" main`:          "program text of git",
		`git push --receive-pack="⟨v⟩"`:     "program text of git",
		`echo "⟨v⟩" | bash`:                 "flow into bash",
		`git log "⟨v⟩" | xargs sh -c 'x'`:   "flow into xargs",
	} {
		got, faults := Edit(cut(script), Bash)
		if len(faults) == 0 || got != "" || !strings.Contains(faults[0].Msg, why) {
			t.Errorf("%s\n got %q %v\nwant a fault with %q", script, got, faults, why)
		}
		for _, f := range faults {
			if f.Hint == "" || f.Parse {
				t.Errorf("%s: no hint, or a parse fault: %+v", script, f)
			}
		}
	}
}

// TestWholeNumbers: what is an int whatever the world holds may stand where
// the shell calculates; text may not.
func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		`echo $((⟨n⟩ + 1))`:                 `echo $((${V0} + 1))`,
		`((x > ⟨n⟩)) && echo`:               `((x > ${V0})) && echo`,
		`[[ ⟨n⟩ -gt 1 ]]`:                   `[[ "${V0}" -gt 1 ]]`,
		`for ((i=0;i<⟨n⟩;i++)); do :; done`: `for ((i=0;i<${V0};i++)); do :; done`,
		`echo $(( $(echo ⟨n⟩) ))`:           `echo $(( $(echo ${V0:+"${V0}"}) ))`,
		`let x=⟨n⟩`:                         "",
		`eval ⟨n⟩`:                          "",
	} {
		pieces := cut(script)
		if text, _ := Edit(pieces, Bash); text != "" {
			t.Errorf("%s: text was let in: %s", script, text)
		}
		for i := range pieces {
			pieces[i].Int = pieces[i].Name != ""
		}
		if got, faults := Edit(pieces, Bash); got != want {
			t.Errorf("%s: got %q %v, want %q", script, got, faults, want)
		}
	}
}

func TestEditReportsEveryFault(t *testing.T) {
	t.Parallel()
	_, faults := Edit(cut(`echo \⟨a⟩ "⟨b⟩" $((⟨c⟩))`), Bash)
	if len(faults) != 2 || faults[0].Piece != 1 || faults[1].Piece != 5 {
		t.Errorf("got %+v", faults)
	}
}

func TestParseFaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		script        string
		dialect       Dialect
		piece, offset int
	}{
		{`echo ⟨a⟩ "x`, Bash, 2, 1},
		{"echo ⟨a⟩ \x1b", Bash, 2, 1},
		{"echo ⟨a⟩ a\rb", Bash, 2, 2},
		{`echo ⟨a⟩; fi`, Bash, 2, 2},
		{`[[ "⟨a⟩" == b ]] <<< x`, POSIX, 2, 10},
	} {
		_, faults := Edit(cut(tc.script), tc.dialect)
		if len(faults) != 1 || !faults[0].Parse || faults[0].Piece != tc.piece || faults[0].Offset != tc.offset {
			t.Errorf("%s: got %+v", tc.script, faults)
		}
	}
}

// FuzzEdit: whatever the script, each value is either refused or replaced;
// nothing else changes.
func FuzzEdit(f *testing.F) {
	f.Add("echo ", " x", "")
	f.Add("echo \"", "\" $((", "))")
	f.Add("cat <<E\n", "\nE\n", "`")
	f.Add("[[ ", " == (", ") ]]")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		pieces := []Piece{{Text: a}, {Name: "V0"}, {Text: b}, {Name: "V1"}, {Text: c}}
		for _, d := range []Dialect{Bash, POSIX} {
			text, faults := Edit(pieces, d)
			if (text == "") != (len(faults) > 0) {
				t.Fatalf("%q and %v", text, faults)
			}
			if faults == nil && (!strings.HasPrefix(text, a) || !strings.HasSuffix(text, c) || !strings.Contains(text, b)) {
				t.Fatalf("the text around the values changed: %q", text)
			}
			for _, x := range faults {
				if x.Piece < 0 || x.Piece >= len(pieces) || x.Offset > len(pieces[x.Piece].Text) {
					t.Fatalf("a fault outside the script: %+v", x)
				}
			}
		}
	})
}
