//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kitsoki/runtime/drive"
	"kitsoki/runtime/journal"
)

// cutOff lets a drive come to a record and kills everyone.
func (l *lab) cutOff(at int) {
	l.t.Helper()
	h := l.holdAt(fmt.Sprint("record ", at))
	c, _ := l.prompt(l.rebase, h.env...)
	l.check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if !h.wait(ended) {
		l.t.Fatalf("record %d was not reached", at)
	}
	signalTo(syscall.SIGKILL, append(l.works(), c.Process.Pid, childOf(c.Process.Pid), h.pid)...)
	<-ended
	l.settle()
}

// conflicted is a record behind which the rebase waits with a conflict, and
// nothing of the drive is running.
func conflicted(t *testing.T, kit string) int {
	t.Helper()
	l := newLab(t, kit, 2)
	l.send(l.rebase)
	for _, e := range l.records().Events {
		if e.Kind == drive.HostFinished && e.Tree != nil && e.Tree.Operation == "rebase" {
			return e.Seq
		}
	}
	t.Fatal("no record of a conflict")
	return 0
}

// TestAPersonWhoWentOnIsLeftAlone: between the death of all and the next
// kitsoki, a person may have taken over.
func TestAPersonWhoWentOnIsLeftAlone(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	at := conflicted(t, kit)
	for name, goOn := range map[string]func(l *lab){
		"finished the rebase": func(l *lab) {
			for range l.commits {
				l.file(filepath.Join(l.dir, "f.txt"), "by hand\n")
				l.git("add", "f.txt")
				l.command([]string{"GIT_EDITOR=true"}, "git", "rebase", "--continue").Run()
			}
		},
		"went one commit on": func(l *lab) {
			l.file(filepath.Join(l.dir, "f.txt"), "by hand\n")
			l.git("add", "f.txt")
			l.command([]string{"GIT_EDITOR=true"}, "git", "rebase", "--continue").Run()
		},
		"aborted and committed": func(l *lab) {
			l.git("rebase", "--abort")
			l.commit("more\n", "more")
		},
		"aborted and merged": func(l *lab) {
			l.git("rebase", "--abort")
			l.command(nil, "git", "merge", "main").Run()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, kit, 3)
			l.cutOff(at)
			goOn(l)
			before := l.look()
			out := l.send("what about the weather")
			if after := l.look(); after != before {
				t.Errorf("the tree was touched:\n%s\nbefore:\n%s", after, before)
			}
			if !strings.Contains(out, "Nothing was touched") || !strings.Contains(out, "moved on since") {
				t.Errorf("the person is told: %s", out)
			}
			if ours := name == "went one commit on"; strings.Contains(out, "--abort") != ours {
				t.Errorf("the way back of another's operation: %s", out)
			}
			if out := l.send("and the next day"); out != "" {
				t.Errorf("told twice: %s", out)
			}
		})
	}
}

// look is all that git knows of the tree.
func (l *lab) look() string {
	l.t.Helper()
	data, err := os.ReadFile(filepath.Join(l.dir, "f.txt"))
	l.check(err)
	out, _ := l.command(nil, "git", "ls-files", "--stage").Output()
	status, _ := l.command(nil, "git", "status", "--porcelain=v2", "--branch").Output()
	_, err = os.Stat(filepath.Join(l.dir, ".git", "rebase-merge"))
	return fmt.Sprintf("%s%s%s%s%v", l.git("rev-parse", "HEAD"), out, status, data, err == nil)
}

// TestACutOffDriveIsTold: the next prompt brings the tree back and says so,
// once.
func TestACutOffDriveIsTold(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	l := newLab(t, kit, 2)
	l.cutOff(conflicted(t, kit))
	out := l.send("what about the weather")
	if !strings.Contains(out, "was cut off") || !strings.Contains(out, "is as it was before") || !strings.Contains(out, "additionalContext") {
		t.Errorf("the answer: %s", out)
	}
	if l.whole() {
		t.Error("it counts as done")
	}
	if out := l.send("and the next day"); out != "" {
		t.Errorf("told twice: %s", out)
	}
	if out := l.send(l.rebase); !strings.Contains(out, "Rebased onto main") || !l.whole() {
		t.Errorf("sent again: %s", out)
	}
}

// TestTornRecords: whatever is cut off the end of the records, the tree comes
// back.
func TestTornRecords(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	at := conflicted(t, kit)
	for _, cut := range []int{1, 2, 40, 200} {
		t.Run(fmt.Sprint(cut, " bytes"), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, kit, 2)
			l.cutOff(at + 1)
			files, _ := filepath.Glob(filepath.Join(l.state(), "drives", "*.jsonl"))
			data, err := os.ReadFile(files[0])
			l.check(err)
			last := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
			l.check(os.WriteFile(files[0], data[:max(last+1, len(data)-cut)], 0o600))
			l.kitsoki("trace")
			if l.whole() {
				t.Error("it counts as done")
			}
			l.closed()
		})
	}
}

// TestFileSizeLimit: records that can't be written end the drive, and the tree
// comes back.
func TestFileSizeLimit(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	sample := newLab(t, kit, 2)
	sample.send(sample.rebase)
	files, _ := filepath.Glob(filepath.Join(sample.state(), "drives", "*.jsonl"))
	st, err := os.Stat(files[0])
	sample.check(err)
	blocks := int(st.Size()/512) + 1
	for limit := 1; limit <= blocks; limit++ {
		t.Run(fmt.Sprint(limit, " blocks"), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, kit, 2)
			c, out := l.prompt(l.rebase)
			limited := l.command(nil, "sh", "-c", fmt.Sprintf("ulimit -f %d; exec kitsoki-hook claude", limit))
			limited.Stdin, limited.Stdout, limited.Stderr = c.Stdin, out, out
			if err := limited.Run(); err != nil {
				t.Errorf("the hook: %v", err)
			}
			l.settle()
			l.kitsoki("trace")
			l.whole()
		})
	}
}

// TestTheShellBetweenIsKilled: the agent starts the hook through a shell; when
// only that dies, the drive ends, and the next prompt tells the person once.
func TestTheShellBetweenIsKilled(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	l := newLab(t, kit, 2)
	h := l.holdAt(fmt.Sprint("record ", conflicted(t, kit)))
	c, out := l.prompt(l.rebase)
	shell := l.command(h.env, "sh", "-c", "kitsoki-hook claude; exit 0")
	shell.Stdin, shell.Stdout, shell.Stderr = c.Stdin, out, out
	l.check(shell.Start())
	ended := make(chan error, 1)
	go func() { ended <- shell.Wait() }()
	if !h.wait(ended) {
		t.Fatal("the drive did not come so far")
	}
	signalTo(syscall.SIGKILL, shell.Process.Pid)
	<-ended // its pipes are closed when the hook has ended too
	h.letGo()
	l.settle()
	l.whole()
	if out := l.send("what about the weather"); !strings.Contains(out, "given up") && !strings.Contains(out, "Rebased onto main") {
		t.Errorf("the person is told: %s", out)
	}
	if out := l.send("and the next day"); out != "" {
		t.Errorf("told twice: %s", out)
	}
}

// TestOneDriveAtATime: in a repository, whichever of its working trees the
// second comes from.
func TestOneDriveAtATime(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	l := newLab(t, kit, 2)
	other := filepath.Join(filepath.Dir(l.dir), "other")
	h := l.holdAt(fmt.Sprint("record ", conflicted(t, kit)))
	l.git("worktree", "add", "-q", "-b", "second", other, "feature")
	c, out := l.prompt(l.rebase, h.env...)
	l.check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if !h.wait(ended) {
		t.Fatal("the drive did not come so far")
	}
	here := l.dir
	for _, dir := range []string{here, other} {
		l.dir = dir
		if out := l.send(l.rebase); out != "" {
			t.Errorf("in %s, while another drive runs: %s", dir, out)
		}
		if trace := l.kitsoki("trace"); strings.Count(trace, "busy") == 0 {
			t.Errorf("in %s, the trace: %s", dir, trace)
		}
	}
	h.letGo()
	<-ended
	if !strings.Contains(out.String(), "Rebased onto main") {
		t.Errorf("the first: %s", out)
	}
	l.dir = other
	if out := l.send(l.rebase); !strings.Contains(out, "Rebased onto main") {
		t.Errorf("the second, sent again: %s", out)
	}
	l.dir = here
	l.git("worktree", "remove", "--force", other)
	l.whole()
	if drive.Held(l.state(), journal.Locate(l.dir)) {
		t.Error("the lock is still held")
	}
}

// TestALostRaceIsBusy: when another drive begins between the decision and the
// supervisor, the prompt has passed, and is recorded so.
func TestALostRaceIsBusy(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, inPlace), 1)
	h := l.holdAt("entrust")
	c := l.command(h.env, "kitsoki", "intercept", "--input", l.rebase)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	l.check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if !h.wait(ended) {
		t.Fatalf("it was not entrusted: %s", out.String())
	}
	release, ok, err := journal.TryLock(filepath.Join(l.dir, ".git", "kitsoki.lock"))
	if err != nil || !ok {
		t.Fatalf("locked: %v %v", ok, err)
	}
	h.letGo()
	<-ended
	release()
	if c.ProcessState.ExitCode() != exitPass || !strings.Contains(out.String(), `"reason": "busy"`) {
		t.Errorf("status %d: %s", c.ProcessState.ExitCode(), out.String())
	}
	if trace := l.kitsoki("trace"); !strings.Contains(trace, "passed  busy") || strings.Contains(trace, "took") {
		t.Errorf("the trace: %s", trace)
	}
	if l.whole() {
		t.Error("it was done")
	}
}

// TestAnInterruptGivesUp: kitsoki intercept waits for a command to be given up
// that is interrupted, and says how that ended.
func TestAnInterruptGivesUp(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	l := newLab(t, kit, 2)
	h := l.holdAt(fmt.Sprint("record ", conflicted(t, kit)))
	c := l.command(h.env, "kitsoki", "intercept", "--input", l.rebase)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	l.check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if !h.wait(ended) {
		t.Fatalf("the drive did not come so far: %s", out.String())
	}
	signalTo(syscall.SIGINT, c.Process.Pid)
	h.letGo()
	<-ended
	if !strings.Contains(out.String(), `"outcome": "aborted"`) || c.ProcessState.ExitCode() != 1 {
		t.Errorf("status %d: %s", c.ProcessState.ExitCode(), out.String())
	}
	if l.whole() {
		t.Error("it counts as done")
	}
}

// TestFollow: another process sees a drive's steps while they happen.
func TestFollow(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	l := newLab(t, kit, 1)
	at := conflicted(t, kit)
	follow := l.command(nil, "kitsoki", "trace", "--follow")
	out, err := follow.StdoutPipe()
	l.check(err)
	h := l.holdAt(fmt.Sprint("record ", at+1))
	c, _ := l.prompt(l.rebase, h.env...)
	l.check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if !h.wait(ended) {
		t.Fatal("the drive did not come so far")
	}
	l.check(follow.Start()) // the drive stands still, and is followed from its beginning
	lines := bufio.NewScanner(out)
	seen := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), want) {
				return
			}
		}
		t.Fatalf("%q was not seen", want)
	}
	seen("intercept.escalated  rebase_here")
	seen("host.process")
	h.letGo()
	seen("agent.started        host.agent.task resolver")
	seen("agent.finished       host.agent.task: ok")
	seen("intercept.resolved   resolved, verified")
	<-ended
	signalTo(syscall.SIGTERM, follow.Process.Pid)
	if err := follow.Wait(); err != nil {
		t.Errorf("following ended with %v", err)
	}
}
