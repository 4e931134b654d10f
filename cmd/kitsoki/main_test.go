package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"kitsoki/runtime/hook"
	"kitsoki/runtime/journal"
)

// TestMain makes the test binary stand in for kitsoki and for kitsoki-hook
// beside it, so that scripts start them as processes, and they start each
// other.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // most tests wait for other processes
		panic(err)
	}
	testscript.Main(m, map[string]func(){"kitsoki": func() { os.Exit(program()) }, "kitsoki-hook": front})
}

// front is the main of kitsoki-hook with a place for faults. Its watchdog
// waits a little while only where nothing else can end it.
func front() {
	hook.Harden()
	hurry := time.Duration(1)
	if strings.HasSuffix(os.Getenv("KITSOKI_TEST_FAULT"), ":deadlock") {
		hurry = 50
	}
	watchdog := time.AfterFunc(hook.PayloadLimit, func() { os.Exit(0) })
	hook.Run(hook.Program{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Environ(), Exe: os.Executable, Dir: os.Getwd,
		Now: time.Now, Rand: rand.Reader, Rearm: func(d time.Duration) { watchdog.Reset(d / hurry) },
		Signals: func() (context.Context, context.CancelFunc) {
			signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
			return context.WithCancel(context.Background())
		},
		Fault: func(place string) { plantFault("front " + place) },
	})
}

// program is main with a place for faults.
func program() int {
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, args: os.Args[1:], env: os.Getenv, environ: os.Environ(),
		getwd: os.Getwd, exe: os.Executable, uid: os.Geteuid(), now: time.Now, rand: rand.Reader, fault: plantFault,
	}
	return guarded(a)
}

// plantFault does what KITSOKI_TEST_FAULT=place:kind asks for.
func plantFault(place string) {
	at, kind, _ := strings.Cut(os.Getenv("KITSOKI_TEST_FAULT"), ":")
	if at != place {
		return
	}
	switch kind {
	case "panic":
		panic("planted")
	case "nilmap":
		nilMap()["x"] = 1
	case "nilpointer":
		var p *app
		_ = p.args
	case "overflow":
		fmt.Fprintln(os.Stderr, overflow(1))
	case "deadlock":
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	case "race":
		concurrentMap()
	case "kill":
		kill(os.Getpid())
	case "killall": // who waits for this one first
		kill(os.Getppid())
		kill(os.Getpid())
	case "hold":
		holdHere()
	case "exit2":
		os.Exit(2)
	case "garbage":
		fmt.Println(`{"decision":"block"} trailing`)
		os.Exit(0)
	case "tamper":
		if err := os.WriteFile(filepath.Join("tools", "check.sh"), []byte("#!/bin/sh\ntouch ../checked.txt ../more.txt\n"), 0o755); err != nil {
			panic(err)
		}
	case "flood":
		for range 1 << 16 {
			fmt.Println(strings.Repeat("x", 100))
		}
	}
}

func nilMap() map[string]int { return nil }

// overflow runs for longer than any stack.
func overflow(n int) int {
	if n == 0 {
		return 0
	}
	return overflow(n+1) + 1
}

// holdHere is the held process's side.
func holdHere() {
	dir := os.Getenv("KITSOKI_TEST_HOLD")
	if err := os.WriteFile(filepath.Join(dir, "reached"), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		panic(err)
	}
	if _, err := os.ReadFile(filepath.Join(dir, "release")); err != nil {
		panic(err)
	}
}

// kill ends a process without asking it.
func kill(pid int) {
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		panic(err)
	}
	if pid == os.Getpid() {
		select {}
	}
}

// concurrentMap dies of the runtime's own check, which nothing can recover.
func concurrentMap() {
	m := map[int]int{}
	for range 4 {
		go func() {
			for i := 0; ; i++ {
				m[i%8] = i
			}
		}()
	}
	select {}
}

const gitOps = "builtin:git-ops"

// gitOpsKit is git-ops as a cache keeps it, compiled once: a hook that has to
// compile it first may not be done in its time on a slow machine.
var gitOpsKit = sync.OnceValues(func() (kit struct {
	path string // below a home
	data []byte
}, err error,
) {
	home, err := os.MkdirTemp("", "kitsoki")
	if err != nil {
		return kit, err
	}
	defer os.RemoveAll(home)
	a := &app{env: func(name string) string { return map[string]string{"HOME": home}[name] }}
	f, err := a.openApp(gitOps)
	if err != nil {
		return kit, err
	}
	f.Close()
	path, err := a.builtinPath(gitOps)
	if err != nil {
		return kit, err
	}
	if kit.path, err = filepath.Rel(home, path); err == nil {
		kit.data, err = os.ReadFile(path)
	}
	return kit, err
})

// warm puts git-ops into a script's cache, unless its archive holds a file
// "cold".
func warm(home, work string) error {
	kit, err := gitOpsKit()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(work, "cold")); err == nil {
		return nil
	}
	path := filepath.Join(home, kit.path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, kit.data, 0o600)
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("XDG_CONFIG_HOME", "")
			e.Setenv("XDG_STATE_HOME", "")
			e.Setenv("XDG_CACHE_HOME", "")
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			e.Setenv("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
			e.Setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
			config := "[user]\n\tname = T\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n"
			if err := os.MkdirAll(home, 0o755); err != nil {
				return err
			}
			if err := warm(home, e.WorkDir); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"payload": payload, "stopped": stopped, "kimi": kimi, "handin": handIn, "settle": settle},
	})
}

// payload writes a Claude-shaped payload to a file, whose name is the prompt's
// id: payload FILE DIR PROMPT [SESSION].
func payload(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 && len(args) != 4 {
		ts.Fatalf("usage: payload FILE DIR PROMPT [SESSION]")
	}
	session := append(args, "s")[3]
	event(ts, args[0], args[1], session, args[0], `"hook_event_name":"UserPromptSubmit","prompt":`+strconv.Quote(args[2]))
}

// stopped writes the payload of a turn's end: stopped FILE DIR ANSWER SESSION
// PROMPT, which is the file of the prompt.
func stopped(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 5 {
		ts.Fatalf("usage: stopped FILE DIR ANSWER SESSION PROMPT")
	}
	event(ts, args[0], args[1], args[3], args[4], `"hook_event_name":"Stop","last_assistant_message":`+strconv.Quote(args[2]))
}

func event(ts *testscript.TestScript, file, dir, session, prompt, rest string) {
	data := fmt.Sprintf(`{"session_id":%q,"prompt_id":%q,"transcript_path":%q,"cwd":%q,"permission_mode":"default",%s}`,
		session, prompt, ts.MkAbs(session+".jsonl"), ts.MkAbs(dir), rest)
	ts.Check(os.WriteFile(ts.MkAbs(file), []byte(data), 0o600))
}

// settle waits until no drive holds a repository: settle DIR. Who waited for a
// supervisor may be gone a moment before it.
func settle(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: settle DIR")
	}
	release, err := journal.WaitLock(filepath.Join(ts.MkAbs(args[0]), ".git", "kitsoki.lock"))
	ts.Check(err)
	release()
}

// kimi writes a payload of Kimi Code to a file: kimi FILE PROMPT.
func kimi(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: kimi FILE PROMPT")
	}
	data := fmt.Sprintf(`{"session_id":"s","client_type":"kimi_code_cli","cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":%q}`,
		ts.MkAbs("."), args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(data), 0o600))
}

// handIn calls the tool submit once with each file, of a server that is
// kitsoki with the arguments before "--": handin ARGS -- FILE…
func handIn(ts *testscript.TestScript, _ bool, args []string) {
	i := slices.Index(args, "--")
	if i < 0 {
		ts.Fatalf("usage: handin ARGS -- FILE...")
	}
	path, err := exec.LookPath("kitsoki")
	ts.Check(err)
	cmd := exec.Command(path, args[:i]...)
	cmd.Dir = ts.MkAbs(".")
	client := mcp.NewClient(&mcp.Implementation{Name: "handin", Version: "1"}, nil)
	s, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	ts.Check(err)
	defer s.Close()
	for _, name := range args[i+1:] {
		res, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "submit", Arguments: json.RawMessage(ts.ReadFile(name))})
		ts.Check(err)
		fmt.Fprintf(ts.Stdout(), "%s\n", res.Content[0].(*mcp.TextContent).Text)
	}
}

// TestEveryVerbHasAScript: a verb without one is not specified.
func TestEveryVerbHasAScript(t *testing.T) {
	t.Parallel()
	a := &app{}
	for _, v := range a.verbs() {
		if files, _ := filepath.Glob(filepath.Join("testdata", "script", v.Name()+"*.txtar")); len(files) == 0 {
			t.Errorf("kitsoki %s has no script", v.Name())
		}
	}
}

// TestStopsOnlyByWord: of all that a hook's run can end with, one error is a
// decision, and it comes after the report was written.
func TestStopsOnlyByWord(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	a := &app{out: &out, err: &errs}
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, exitOK}, {errStopped, exitStop}, {errors.New("x"), exitOK}, {exit(exitTerminal), exitOK}, {exit(exitUsage), exitOK},
	} {
		if got := a.hookStatus(tt.err); got != tt.want {
			t.Errorf("%v: status %d", tt.err, got)
		}
	}
	errs.Reset()
	if err := a.give(hook.Answer{Stop: "done\n"}); !errors.Is(err, errStopped) || errs.String() != "done\n" || out.Len() != 0 {
		t.Errorf("stop: %v, %q, %q", err, &out, &errs)
	}
	if err := a.give(hook.Answer{}); err != nil || out.Len() != 0 {
		t.Errorf("silence: %v, %q", err, &out)
	}
	a.err = closed{}
	if err := a.give(hook.Answer{Stop: "done"}); err == nil || errors.Is(err, errStopped) {
		t.Errorf("a report that can't be written: %v", err)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestAPanicIsNeverStatus2: to Claude Code 2 means "block and erase".
func TestAPanicIsNeverStatus2(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	a := &app{
		args: []string{"config", "show"}, out: &bytes.Buffer{}, err: &stderr, env: func(string) string { return "" },
		getwd: func() (string, error) { panic("planted") },
	}
	if code := a.run(context.Background()); code != exitUsage || !strings.Contains(stderr.String(), "internal error: planted") {
		t.Errorf("observed status %d, %q", code, &stderr)
	}
}
