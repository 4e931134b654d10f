//go:build unix

package proc

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func sh(script string) Cmd {
	return Cmd{Argv: []string{"sh", "-c", script}, Env: []string{"PATH=/usr/bin:/bin"}, Grace: 100 * time.Millisecond}
}

func TestRun(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		cmd       Cmd
		code      int
		out, errs string
	}{
		"streams":      {cmd: sh("echo out; echo err >&2"), out: "out\n", errs: "err\n"},
		"status":       {cmd: sh("exit 7"), code: 7},
		"signal":       {cmd: sh("kill -9 $$"), code: 137},
		"stdin":        {cmd: func() Cmd { c := sh("cat"); c.Stdin = []byte("hello"); return c }(), out: "hello"},
		"no stdin":     {cmd: sh("cat; echo end"), out: "end\n"},
		"unread stdin": {cmd: func() Cmd { c := sh("exec <&-; echo ok"); c.Stdin = bytes.Repeat([]byte("x"), 1<<18); return c }(), out: "ok\n"},
		"dir":          {cmd: func() Cmd { c := sh("pwd"); c.Dir = dir; return c }(), out: dir + "\n"},
		"env":          {cmd: func() Cmd { c := sh("echo $A-$HOME"); c.Env = append(c.Env, "A=1"); return c }(), out: "1-\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Run(context.Background(), tc.cmd)
			if r.Err != nil || r.ExitCode != tc.code || string(r.Stdout) != tc.out || string(r.Stderr) != tc.errs {
				t.Errorf("got %+v out %q err %q", r, r.Stdout, r.Stderr)
			}
			if r.OK() != (tc.code == 0) || r.TimedOut || r.Cancelled {
				t.Errorf("ended wrongly: %+v", r)
			}
		})
	}
}

func TestRunDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "here")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho ran\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Cmd{
		"empty":         {},
		"missing":       {Argv: []string{"no-such-program"}, Env: []string{"PATH=/bin"}},
		"dot on PATH":   {Argv: []string{"here"}, Dir: dir, Env: []string{"PATH=.::" + "sub"}},
		"no file":       {Argv: []string{"./gone"}, Dir: dir},
		"missing dir":   {Argv: []string{"/bin/sh", "-c", ":"}, Dir: filepath.Join(dir, "gone")},
		"a directory":   {Argv: []string{dir}},
		"no PATH given": {Argv: []string{"sh"}},
	} {
		if r := Run(context.Background(), c); r.Err == nil || r.ExitCode != -1 || r.OK() {
			t.Errorf("%s: got %+v", name, r)
		}
	}
	if r := Run(context.Background(), Cmd{Argv: []string{"./here"}, Dir: dir}); string(r.Stdout) != "ran\n" {
		t.Errorf("a path relative to Dir: %+v", r)
	}
	if _, err := Look(Cmd{Argv: []string{"no-such-program"}}); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := Run(ctx, sh("echo ran")); r.Err == nil || len(r.Stdout) > 0 {
		t.Errorf("started under a cancelled context: %+v", r)
	}
}

func TestTimeoutEndsTheGroup(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"TERM is enough":  "sleep 600 & echo $!; wait",
		"TERM is ignored": "trap '' TERM; sleep 600 & echo $!; wait",
		"leader gone":     "(trap '' TERM; sleep 600) & echo $!; exec sleep 600",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := sh(script)
			c.Timeout = 300 * time.Millisecond
			r := Run(context.Background(), c)
			if !r.TimedOut || r.ExitCode != -1 || r.Cancelled {
				t.Errorf("got %+v", r)
			}
			mustDie(t, r.Stdout)
		})
	}
}

func TestCancelEndsTheGroup(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	var pid []byte
	c := sh("sleep 600 & echo $!; wait")
	r := Converse(ctx, c, func(line []byte) time.Duration { pid = line; cancel(); return 0 })
	if !r.Cancelled || r.TimedOut {
		t.Errorf("got %+v", r)
	}
	mustDie(t, pid)
}

func TestLeftoverThatHoldsThePipeIsEnded(t *testing.T) {
	t.Parallel()
	r := Run(context.Background(), sh("sleep 600 & echo $!"))
	if !r.OK() {
		t.Errorf("got %+v", r)
	}
	mustDie(t, r.Stdout)
}

// TestWhole: what a process leaves in its group ends with it, also when it
// holds no pipe.
func TestWhole(t *testing.T) {
	t.Parallel()
	c := sh("sleep 600 >/dev/null 2>&1 </dev/null & echo $!")
	c.Whole = true
	r := Run(context.Background(), c)
	if !r.OK() {
		t.Errorf("got %+v", r)
	}
	mustDie(t, r.Stdout)
}

func TestProcessInAnotherSessionDoesNotHoldUs(t *testing.T) {
	t.Parallel()
	c := Cmd{Argv: []string{"setsid", "sh", "-c", "sleep 600 & echo $!"}, Env: []string{"PATH=/usr/bin:/bin"}, Grace: 50 * time.Millisecond}
	if _, err := Look(c); err != nil {
		t.Skip("no setsid here")
	}
	r := Run(context.Background(), c)
	pid, err := strconv.Atoi(strings.TrimSpace(string(r.Stdout)))
	if err != nil {
		t.Fatalf("got %+v", r)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
}

// mustDie waits until the process whose pid stands in out is gone.
func mustDie(t *testing.T, out []byte) {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatalf("no pid in %q", out)
	}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if gone(pid) {
			return
		}
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("process %d lives on", pid)
}

// gone counts a zombie as gone: nobody may be there to reap it.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "Z")
}

func TestOutputIsCapped(t *testing.T) {
	t.Parallel()
	c := sh("i=0; while [ $i -lt 2000 ]; do echo line-$i; i=$((i+1)); done")
	c.Limit = 100
	r := Run(context.Background(), c)
	out := string(r.Stdout)
	if !r.Cut || len(out) > 160 || !strings.HasPrefix(out, "line-0\n") || !strings.HasSuffix(out, "line-1999\n") || !strings.Contains(out, "bytes cut") {
		t.Errorf("cut %v: %q", r.Cut, out)
	}
	if len(r.Output) > 160 {
		t.Errorf("both streams: %d bytes", len(r.Output))
	}
}

func TestConverse(t *testing.T) {
	t.Parallel()
	var lines []string
	c := sh(`read x; echo "got $x"; printf 'b\r\n\nlast'; echo oops >&2; exit 3`)
	c.Stdin = []byte("hi\n")
	r := Converse(context.Background(), c, func(l []byte) time.Duration { lines = append(lines, string(l)); return 0 })
	if got := strings.Join(lines, "|"); got != "got hi|b||last" {
		t.Errorf("lines %q", got)
	}
	if r.ExitCode != 3 || string(r.Stderr) != "oops\n" || r.Stdout != nil {
		t.Errorf("got %+v", r)
	}
}

func TestConverseExtends(t *testing.T) {
	t.Parallel()
	c := sh("echo more; read x < \"$1\"; echo done")
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Argv, c.Timeout = append(c.Argv, "sh", fifo), time.Hour
	n := 0
	r := Converse(context.Background(), c, func([]byte) time.Duration { n++; return 20 * time.Millisecond })
	if !r.TimedOut || n != 1 {
		t.Errorf("the new limit did not hold: %+v after %d lines", r, n)
	}
}

func TestConverseIsBounded(t *testing.T) {
	t.Parallel()
	c := sh("yes")
	c.Limit = 10_000
	r := Converse(context.Background(), c, func([]byte) time.Duration { return 0 })
	if !r.Cancelled || !r.Cut {
		t.Errorf("got %+v", r)
	}
}

func TestOwnSession(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc here")
	}
	r := Run(context.Background(), sh(`echo $$; cut -d" " -f5,6 /proc/$$/stat`))
	f := strings.Fields(string(r.Stdout))
	if len(f) != 3 || f[0] != f[1] || f[0] != f[2] {
		t.Errorf("pid, group and session are %v", f)
	}
}

func TestSameGroup(t *testing.T) {
	t.Parallel()
	c := sh("ps -o pgid= -p $$ || cut -d' ' -f5 /proc/$$/stat")
	c.SameGroup = true
	r := Run(context.Background(), c)
	if got := strings.TrimSpace(string(r.Stdout)); got != strconv.Itoa(syscall.Getpgrp()) {
		t.Errorf("group %q, ours is %d (%s)", got, syscall.Getpgrp(), r.Stderr)
	}
}
