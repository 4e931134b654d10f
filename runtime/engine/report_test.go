package engine

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host/spec"
)

func reported(kind Kind, mod func(*ReportInput)) string {
	in := ReportInput{
		Program: &artifact.Program{Intents: []artifact.Intent{{Name: "push"}, {Name: "look", Title: "Look around", ShowOutput: true}}},
		Intent:  "push",
		Outcome: Outcome{Kind: kind, State: "home", Say: "Pushed feat/x to origin: 3 commits.", HostCalls: []HostCall{
			{Call: "host.git", Args: map[string]any{"op": "status"}, Effect: spec.Read, OK: true},
			{Call: "host.run", Args: map[string]any{"cmd": "git", "args": []any{"push", "origin", "feat/x"}}, Effect: spec.Network, OK: true, ExitCode: ptr(0), DurationMS: 812, Output: "Everything up-to-date"},
		}},
		TraceID: "01JF", Escape: "//",
	}
	if mod != nil {
		mod(&in)
	}
	return Report(in)
}

func TestReport(t *testing.T) {
	t.Parallel()
	fail := func(in *ReportInput) {
		c := &in.Outcome.HostCalls[1]
		c.OK, c.ExitCode, c.Output = false, ptr(1), "rejected"
		in.Outcome.Say, in.Outcome.Detail = "", "git push ended with status 1"
	}
	for name, tc := range map[string]struct {
		kind Kind
		mod  func(*ReportInput)
		want string
	}{
		"done": {Transitioned, nil, `⌁ kitsoki handled this (no LLM) — push
  • git push origin feat/x   ok · 0.8 s
Pushed feat/x to origin: 3 commits.   ·   ⟲ recorded: kitsoki trace show 01JF
↳ prefix "//" to skip kitsoki and send the prompt to the agent
`},
		"bare": {Transitioned, func(in *ReportInput) { in.TraceID, in.Escape, in.Outcome.Say, in.Outcome.View = "", "", "", "Home." }, `⌁ kitsoki handled this (no LLM) — push
  • git push origin feat/x   ok · 0.8 s
Home.
`},
		"imported": {Transitioned, func(in *ReportInput) {
			in.Program.Intents = []artifact.Intent{{Name: "dev__git__push", Title: "Push"}}
			in.Intent, in.TraceID, in.Escape = "dev__git__push", "", ""
		}, `⌁ kitsoki handled this (no LLM) — Push (dev.git)
  • git push origin feat/x   ok · 0.8 s
Pushed feat/x to origin: 3 commits.
`},
		"undo": {Transitioned, func(in *ReportInput) { in.TraceID, in.Escape, in.Undo = "", "", "git reset" }, `⌁ kitsoki handled this (no LLM) — push
  • git push origin feat/x   ok · 0.8 s
Pushed feat/x to origin: 3 commits.
⟲ undo: git reset
`},
		"shows output": {Transitioned, func(in *ReportInput) { in.Intent, in.TraceID, in.Escape = "look", "", "" }, `⌁ kitsoki handled this (no LLM) — Look around
  • git push origin feat/x   ok · 0.8 s
Pushed feat/x to origin: 3 commits.
Everything up-to-date
`},
		"failed": {Failed, fail, `⌁ kitsoki handled this (no LLM) — push: it did not succeed
  • git push origin feat/x   failed (1) · 0.8 s
git push ended with status 1   ·   ⟲ recorded: kitsoki trace show 01JF
rejected
↳ prefix "//" to skip kitsoki and send the prompt to the agent
`},
	} {
		if got := reported(tc.kind, tc.mod); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tc.want)
		}
	}
}

func TestReportIsBoundedAndPlain(t *testing.T) {
	t.Parallel()
	got := reported(Failed, func(in *ReportInput) {
		in.Outcome.Say = strings.Repeat("ü\x1b[31m", 20_000)
		for i := range 200 {
			in.Outcome.HostCalls = append(in.Outcome.HostCalls, HostCall{
				Call: "host.run", Args: map[string]any{"cmd": strings.Repeat("x\x1b]0;t\x07\n", 500)},
				Output: strings.Repeat("y", 9_000) + fmt.Sprintf("\nlast-%d", i),
			})
		}
	})
	if n := utf8.RuneCountInString(got); n >= 10_000 {
		t.Errorf("%d characters", n)
	}
	if strings.ContainsAny(got, "\x1b\x07\r") {
		t.Error("control codes")
	}
	for _, want := range []string{"⌁ kitsoki", "last-199\n", "prefix \"//\""} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for want, args := range map[string]map[string]any{
		`git commit '--message=it'\''s a b'`: {"cmd": "git", "args": []any{"commit", "--message=it's a\nb"}},
		`bash: set -e make test`:             {"cmd": "set -e\nmake test\n"},
		`echo 3 ''`:                          {"cmd": "echo", "args": []any{3, ""}},
	} {
		if got := (HostCall{Call: "host.run", Args: args}).line(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	got := Facts("push", Outcome{Kind: Failed, Detail: "git push ended with status 1", HostCalls: []HostCall{
		{Call: "host.run", Args: map[string]any{"cmd": "git", "args": []any{"push"}}, Effect: spec.Network, ExitCode: ptr(1), DurationMS: 100, Output: "no route"},
	}})
	want := `kitsoki ran the command push for this prompt before it came to you. Outcome: failed.
  • git push   failed (1) · 0.1 s
Output of git push:
no route
git push ended with status 1
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestPlainText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m ü":            "red ü",
		"\x1b]0;title\x07a\x1b]8;;u\x1b\\b": "ab",
		"10%\r50%\r100%\r\nnext":            "100%\nnext",
		"a\bb\x00\tc":                       "ab\tc",
		"bad \xff\xfe":                      "bad �",
		"\x1b":                              "",
		"\x1b(Bx\x1b[":                      "x",
		"a\u202eb\u2066c\u200f":             "abc",
	} {
		if got := plainText(in); got != want {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

// TestReportOfWhatChangedBeside names what changed elsewhere while an agent
// worked, once, and where what was in the way is kept.
func TestReportOfWhatChangedBeside(t *testing.T) {
	t.Parallel()
	got := reported(Transitioned, func(in *ReportInput) {
		in.Drive = &DriveReport{Changed: []string{" M README"}, Tasks: []TaskReport{{
			Agent: "fixer", OK: true, Files: []string{"a.txt"}, PutBack: []string{".git/config"},
			Meanwhile: []string{".git/refs/heads/x", "README"}, SetAside: "/r/.git/kitsoki-put-back/A",
		}, {Agent: "fixer", OK: true}}}
	})
	want := "  ◦ fixer: changed a.txt, put back .git/config\n    What stood in the place of what was put back: /r/.git/kitsoki-put-back/A\n" +
		"    Changed elsewhere while it worked, and left: .git/refs/heads/x\n  ◦ fixer: changed no file\n"
	if !strings.Contains(got, want) || strings.Count(got, "README") != 1 {
		t.Errorf("observed:\n%s", got)
	}
}

// TestReportOfACommandThatGoesOn says where its output is and how to end it.
func TestReportOfACommandThatGoesOn(t *testing.T) {
	t.Parallel()
	leave := func(pid int, ok bool) string {
		return reported(Transitioned, func(in *ReportInput) {
			c := &in.Outcome.HostCalls[1]
			c.Args = map[string]any{"project": "run"}
			c.OK, c.command, c.pid, c.log = ok, "npm run dev", pid, "/state/npm-1.log"
		})
	}
	got := leave(4242, true)
	for _, want := range []string{"  • npm run dev   running · 0.8 s\n    log: /state/npm-1.log\n    running as process 4242; to stop it: ", "4242\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("expected %q in\n%s", want, got)
		}
	}
	if got := leave(0, false); strings.Contains(got, "to stop it") || !strings.Contains(got, "log: ") {
		t.Errorf("of one that has ended:\n%s", got)
	}
}
