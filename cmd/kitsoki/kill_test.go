//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kitsoki/runtime/drive"
)

// compiled compiles a story once for all tests of a matrix.
func compiled(t *testing.T, story string) string {
	t.Helper()
	kit := filepath.Join(t.TempDir(), strings.TrimPrefix(filepath.Base(story), "builtin:")+".kit")
	if out, err := exec.Command("kitsoki", "compile", "-o", kit, story).CombinedOutput(); err != nil {
		t.Fatalf("compiling %s: %v\n%s", story, err, out)
	}
	return kit
}

// inPlace is a story that rebases in the person's own tree: what keeps that
// whole is the drive alone.
const inPlace = "../../runtime/drive/testdata/inplace"

func TestDriveToRest(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	l := newLab(t, kit, 3)
	out := l.send(l.rebase)
	if !strings.Contains(out, "Rebased onto main.") || !strings.Contains(out, "kitsoki drives show") {
		t.Errorf("the answer: %s", out)
	}
	if !l.whole() {
		t.Error("it was not done")
	}
	r := l.records()
	if c := r.Closing(); c == nil || c.Outcome != "resolved" || !c.Verified || r.Torn || r.Damaged {
		t.Errorf("the record: %+v", r.Closing())
	}
}

// victim is who is killed, and how.
type victim struct {
	name string
	kill func(l *lab, hook, child, supervisor int)
	// releases says that the held supervisor lives and has to be let go.
	releases bool
}

func signalTo(sig syscall.Signal, pids ...int) {
	for _, pid := range pids {
		if pid > 1 || pid < -1 {
			_ = syscall.Kill(pid, sig)
		}
	}
}

// works are the recorded processes of the drive that still live.
func (l *lab) works() []int {
	var out []int
	for _, e := range l.records().Events {
		if e.Process != nil && e.Process.Alive() {
			out = append(out, -e.Process.PID)
		}
	}
	return out
}

func victims() []victim {
	return []victim{
		{"supervisor", func(_ *lab, _, _, s int) { signalTo(syscall.SIGKILL, s) }, false},
		{"hook", func(_ *lab, h, _, _ int) { signalTo(syscall.SIGKILL, h) }, true},
		{"child", func(_ *lab, _, c, _ int) { signalTo(syscall.SIGKILL, c) }, true},
		{"all", func(l *lab, h, c, s int) { signalTo(syscall.SIGKILL, append(l.works(), h, c, s)...) }, false},
		{"work", func(l *lab, _, _, _ int) { signalTo(syscall.SIGKILL, l.works()...) }, true},
		{"group by TERM", func(_ *lab, _, _, s int) { signalTo(syscall.SIGTERM, -s) }, true},
	}
}

// allKills asks for every case: go test ./cmd/kitsoki -run Kill -args -kills all.
// Without it each place sees some of the victims, in turn.
var allKills = flag.String("kills", "some", "some or all cases of the kill matrix")

func chosen(kit string, at, victim int) bool {
	every := 2
	if isGitOps(kit) {
		every = 3
	}
	if sparse {
		every = 40
	}
	return *allKills == "all" || (at+victim)%every == 0
}

// TestKillMatrix kills each of those who take part, at each record that a
// drive writes.
func TestKillMatrix(t *testing.T) {
	t.Parallel()
	for _, kit := range []string{compiled(t, inPlace), compiled(t, gitOps)} {
		sample := newLab(t, kit, 2)
		sample.send(sample.rebase)
		n := len(sample.records().Events)
		if n < 20 {
			t.Fatalf("only %d records", n)
		}
		for at := 1; at <= n; at++ {
			for i, v := range victims() {
				if !chosen(kit, at, i) {
					continue
				}
				t.Run(fmt.Sprintf("%s/record %d/%s", filepath.Base(kit), at, v.name), func(t *testing.T) {
					t.Parallel()
					l := newLab(t, kit, 2)
					l.killAt(fmt.Sprintf("record %d", at), v)
				})
			}
		}
	}
}

// killAt lets a drive come to a place, kills, and looks what the next kitsoki
// makes of it.
func (l *lab) killAt(place string, v victim) {
	l.t.Helper()
	l.killHeld(l.holdAt(place), place, v)
}

// killHeld lets a drive come to where it is held.
func (l *lab) killHeld(h *hold, place string, v victim) {
	l.t.Helper()
	c, _ := l.prompt(l.rebase, h.env...)
	l.check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if !h.wait(ended) {
		l.t.Fatalf("%s was not reached", place)
	}
	child := childOf(c.Process.Pid)
	if child == 0 {
		l.t.Fatal("the hook has no child")
	}
	v.kill(l, c.Process.Pid, child, l.supervisor())
	if v.releases {
		h.letGo()
	}
	<-ended
	l.settle()
	l.kitsoki("trace")
	l.whole()
	l.closed()
	if l.t.Failed() {
		l.tellAll()
	}
}

// tellAll says all there is to know about a case that failed.
func (l *lab) tellAll() {
	l.t.Helper()
	r := l.records()
	for _, e := range r.Events[max(0, len(r.Events)-12):] {
		e.Opening = nil
		l.t.Logf("%+v call %+v closing %+v tree %+v", e.Kind, e.Call, e.Closing, e.Tree)
	}
	out, _ := l.command(nil, "sh", "-c", "git status; git log --oneline --all --graph; ls .git .git/rebase-merge; git reflog").CombinedOutput()
	l.t.Logf("%s", out)
}

// closed checks that the record has exactly one end, and that nothing is open
// any more.
func (l *lab) closed() {
	l.t.Helper()
	r := l.records()
	ends := 0
	for _, e := range r.Events {
		if e.Kind == drive.Resolved || e.Kind == drive.Aborted {
			ends++
		}
	}
	if ends != 1 || r.Closing() == nil {
		l.t.Errorf("%d ends in %d records", ends, len(r.Events))
	}
}

// supervisor is the process that drives, as the records tell.
func (l *lab) supervisor() int {
	l.t.Helper()
	o := l.records().Opening()
	if o == nil {
		l.t.Fatal("nothing is recorded")
	}
	return o.Supervisor.PID
}

// step is a git hook that counts git's own steps: with each change of a ref
// that is prepared, committed or given up, it is called once. It waits at the
// one that is asked for.
const step = `#!/bin/sh
echo >>"$HOME/steps"
test "$(wc -l <"$HOME/steps")" = "$KITSOKI_TEST_STEP" || exit 0
echo $$ >"$HOME/reached"
read -r _ <"$HOME/release"
`

func (l *lab) countSteps() {
	l.t.Helper()
	path := filepath.Join(l.dir, ".git", "hooks", "reference-transaction")
	l.file(path, step)
	l.check(os.Chmod(path, 0o755))
}

// TestKillBetweenGitsSteps kills while git itself is in the middle of a
// rebase, at each of the moments at which it moves a ref.
func TestKillBetweenGitsSteps(t *testing.T) {
	t.Parallel()
	for _, kit := range []string{compiled(t, inPlace), compiled(t, gitOps)} {
		sample := newLab(t, kit, 1)
		sample.countSteps()
		sample.send(sample.rebase)
		counted, err := os.ReadFile(filepath.Join(sample.home, "steps"))
		sample.check(err)
		n := len(counted)
		if n < 10 {
			t.Fatalf("only %d steps", n)
		}
		for at := 1; at <= n; at++ {
			for i, v := range victims() {
				if !chosen(kit, at, i) {
					continue
				}
				t.Run(fmt.Sprintf("%s/step %d/%s", filepath.Base(kit), at, v.name), func(t *testing.T) {
					t.Parallel()
					l := newLab(t, kit, 1)
					l.countSteps()
					h := l.holdAt("nowhere")
					h.env = []string{fmt.Sprint("KITSOKI_TEST_STEP=", at)}
					v.releases = false // what is held ends with its group
					l.killHeld(h, fmt.Sprint("step ", at), v)
				})
			}
		}
	}
}
