//go:build unix

package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

// site is a directory outside any repository with a state directory.
func site(t *testing.T) Site {
	t.Helper()
	return Site{
		Host: host.Local{}, Dir: t.TempDir(), State: filepath.Join(t.TempDir(), "state"), Now: time.Now,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CEILING_DIRECTORIES=/"},
	}
}

// run is an effect that runs a script.
func run(script string) artifact.Effect {
	return artifact.Effect{Invoke: &artifact.Call{Name: "host.run", With: []artifact.Field{
		{Name: "cmd", Value: artifact.Value{Literal: quoted(script)}},
		{Name: "fail_on_error", Value: artifact.Value{Literal: []byte("true")}},
	}}}
}

func quoted(s string) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return raw
}

// story is a program whose intent go enters the flow work, which runs the
// forward effects, and comes to rest at home when done says so.
func story(done bool, forward, back []artifact.Effect) *artifact.Program {
	work := artifact.State{Path: "work", Drive: true, OnEnter: forward, Abort: back}
	if done {
		work.OnEnter = append(work.OnEnter, artifact.Effect{Emit: &artifact.Emit{Intent: "done"}})
	}
	work.On = []artifact.Handler{{Intent: "done", Arcs: []artifact.Arc{{Target: "home"}}}}
	return &artifact.Program{
		Root: "home", Intents: []artifact.Intent{{Name: "done", Hidden: true}, {Name: "go", Drive: true}},
		States: []artifact.State{{Path: "home", On: []artifact.Handler{{Intent: "go", Arcs: []artifact.Arc{{Target: "work"}}}}}, work},
	}
}

func command(s Site, p *artifact.Program) Command {
	return Command{Program: p, Room: "home", Intent: "go", Session: "01TEST", Input: "go on", Site: s}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		program *artifact.Program
		want    engine.Kind
		left    string // what lies in the directory afterwards
	}{
		"done":              {story(true, []artifact.Effect{run("touch a")}, []artifact.Effect{run("rm -f a")}), engine.Resolved, "a"},
		"rests in the flow": {story(false, []artifact.Effect{run("touch a")}, []artifact.Effect{run("rm -f a")}), engine.Aborted, ""},
		"a step fails":      {story(true, []artifact.Effect{run("touch a; exit 3")}, []artifact.Effect{run("rm -f a")}), engine.Aborted, ""},
		"a step is killed":  {story(true, []artifact.Effect{run("touch a; kill -9 $$")}, []artifact.Effect{run("rm -f a")}), engine.Aborted, ""},
		"nothing has begun": {story(false, nil, nil), engine.Errored, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := site(t)
			r := Run(context.Background(), command(s, tc.program))
			if r.Outcome.Kind != tc.want {
				t.Fatalf("observed %s (%s), expected %s", r.Outcome.Kind, r.Outcome.Detail, tc.want)
			}
			list, err := os.ReadDir(s.Dir)
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, e := range list {
				left = append(left, e.Name())
			}
			if got := strings.Join(left, " "); got != tc.left {
				t.Errorf("left behind: %q, expected %q", got, tc.left)
			}
			if journal.DriveOpen(s.State, journal.Locate(s.Dir)) {
				t.Error("it counts as open")
			}
			if r.Opened != exists(logPath(s.State, "01TEST")) {
				t.Errorf("opened %v", r.Opened)
			}
		})
	}
}

// panics is a host that panics.
type panics struct{ host.Caller }

func (p panics) Call(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	if args["cmd"] == "panic" {
		panic("on purpose")
	}
	return p.Caller.Call(ctx, name, args, env)
}

func TestAPanicIsGivenUp(t *testing.T) {
	t.Parallel()
	s := site(t)
	s.Host = panics{s.Host}
	r := Run(context.Background(), command(s, story(true, []artifact.Effect{run("touch a"), run("panic")}, []artifact.Effect{run("rm a; touch b")})))
	if r.Outcome.Kind != engine.Aborted || !strings.Contains(r.Outcome.Detail, "on purpose") {
		t.Errorf("observed %+v", r.Outcome)
	}
	if exists(filepath.Join(s.Dir, "a")) || !exists(filepath.Join(s.Dir, "b")) {
		t.Error("the way back was not run")
	}
}

func TestWhatNobodyWaitsForIsGivenUp(t *testing.T) {
	t.Parallel()
	s := site(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	s.After = func(_ int, k Kind) {
		if k == HostProcess {
			cancel(ErrGone)
		}
	}
	r := Run(ctx, command(s, story(true, []artifact.Effect{run("touch a; sleep 60")}, []artifact.Effect{run("rm -f a")})))
	if r.Outcome.Kind != engine.Aborted || !strings.Contains(r.Outcome.Detail, ErrGone.Error()) {
		t.Errorf("observed %+v", r.Outcome)
	}
}

func TestASecondDriveIsBusy(t *testing.T) {
	t.Parallel()
	s := site(t)
	release, ok, err := acquire(s.State, journal.Locate(s.Dir))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if !Held(s.State, journal.Locate(s.Dir)) {
		t.Error("the lock does not count as held")
	}
	p := story(true, []artifact.Effect{run("touch a")}, nil)
	if r := Run(context.Background(), command(s, p)); !r.Busy || r.Opened || exists(filepath.Join(s.Dir, "a")) {
		t.Errorf("observed %+v", r)
	}
	release()
	if r := Run(context.Background(), command(s, p)); r.Busy || r.Outcome.Kind != engine.Resolved {
		t.Errorf("afterwards: %+v", r)
	}
}

// TestTheWayBackGoesOn: an effect of it that fails keeps none after it from
// being run, and is told though all that can be seen is as it was.
func TestTheWayBackGoesOn(t *testing.T) {
	t.Parallel()
	s := site(t)
	p := story(false, []artifact.Effect{run("touch a")}, []artifact.Effect{run("rm a; echo broken >&2; exit 1"), run("touch b")})
	r := Run(context.Background(), command(s, p))
	if r.Outcome.Kind != engine.AbortFailed || !strings.Contains(r.Outcome.Detail, "giving it up failed: ") {
		t.Errorf("observed %+v", r.Outcome)
	}
	if !exists(filepath.Join(s.Dir, "b")) {
		t.Error("the second effect was not run")
	}
}

func TestAFailedWayBackIsSaid(t *testing.T) {
	t.Parallel()
	s := site(t)
	p := story(false, []artifact.Effect{run("touch a")}, []artifact.Effect{run("exit 1")})
	p.States[1].Postcondition = &artifact.Precondition{
		Call: artifact.Call{Name: "host.run", With: []artifact.Field{
			{Name: "cmd", Value: artifact.Value{Literal: quoted("test ! -e a")}}, {Name: "effect", Value: artifact.Value{Literal: quoted("read")}},
		}},
		Require: artifact.Expr{Src: "result.ok"},
	}
	r := Run(context.Background(), command(s, p))
	if r.Outcome.Kind != engine.AbortFailed || !strings.Contains(r.Outcome.Detail, "giving it up failed") {
		t.Errorf("observed %+v", r.Outcome)
	}
	rec, err := Read(s.State, "01TEST")
	if err != nil || rec.Closing() == nil || rec.Closing().Verified {
		t.Errorf("the record: %+v %v", rec.Closing(), err)
	}
}

// died leaves the records of a drive whose supervisor is no more.
func died(t *testing.T, s Site, supervisor proc.Process, p *artifact.Program, more ...Event) journal.Repo {
	t.Helper()
	repo := journal.Locate(s.Dir)
	if err := addDrive(s.State, repo, "01DEAD"); err != nil {
		t.Fatal(err)
	}
	l, err := createLog(s.State, "01DEAD", s.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	opening := Event{Kind: Escalated, State: "work", Opening: &Opening{
		Supervisor: supervisor, Dir: s.Dir, Room: "home", Intent: "go", World: []byte("{}"), Passed: []string{"work"}, Plan: p,
	}}
	for _, e := range append([]Event{opening}, more...) {
		if err := l.append(e, true); err != nil {
			t.Fatal(err)
		}
	}
	return repo
}

func TestRecoveryKnowsTheDead(t *testing.T) {
	t.Parallel()
	self, err := proc.Self()
	if err != nil {
		t.Fatal(err)
	}
	reused, otherBoot := self, self
	reused.Start, otherBoot.Boot = "1", "00000000-0000-0000-0000-000000000000"
	for name, tc := range map[string]struct {
		supervisor proc.Process
		recovered  bool
	}{
		"no such process":              {proc.Process{PID: 1 << 30, Start: "1", Boot: self.Boot}, true},
		"its number was given out":     {reused, true},
		"another start of the machine": {otherBoot, true},
		"alive":                        {self, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := site(t)
			repo := died(t, s, tc.supervisor, story(true, nil, []artifact.Effect{run("touch back")}))
			list, err := Recover(context.Background(), s, false)
			if err != nil || len(list) == 1 != tc.recovered || exists(filepath.Join(s.Dir, "back")) != tc.recovered {
				t.Fatalf("observed %+v %v, expected recovered: %v", list, err, tc.recovered)
			}
			if tc.recovered && (len(TakeNotices(s.State, repo)) != 1 || len(TakeNotices(s.State, repo)) != 0) {
				t.Error("the person is not told once")
			}
			again, err := Recover(context.Background(), s, false)
			if err != nil || len(again) != 0 {
				t.Errorf("again: %+v %v", again, err)
			}
		})
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	t.Parallel()
	s := site(t)
	repo := died(t, s, proc.Process{PID: 1 << 30}, story(true, nil, []artifact.Effect{run("touch back")}))
	list, err := Recover(context.Background(), s, true)
	if err != nil || len(list) != 1 || list[0].Outcome != WouldAbort || exists(filepath.Join(s.Dir, "back")) {
		t.Errorf("observed %+v %v", list, err)
	}
	if !journal.DriveOpen(s.State, repo) {
		t.Error("it does not count as open any more")
	}
}

// TestRecoveryEndsWhatWasLeftRunning: a recorded process is ended first, also
// when it is the only one left of its group, and a stranger with the same
// number is not.
func TestRecoveryEndsWhatWasLeftRunning(t *testing.T) {
	t.Parallel()
	s := site(t)
	var left proc.Process
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan proc.Result, 1)
	go func() {
		ended <- proc.Run(ctx, proc.Cmd{
			Argv: []string{"sleep", "600"}, Env: s.Env,
			Started: func(p proc.Process) error { left = p; ended <- proc.Result{}; return nil },
		})
	}()
	<-ended
	stranger := left
	stranger.Start = "1"
	for _, tc := range []struct {
		p    proc.Process
		ends bool
	}{{stranger, false}, {left, true}} {
		proc.EndGroup(context.Background(), tc.p)
		if !tc.ends && !left.Alive() {
			t.Fatal("a stranger was ended")
		}
	}
	if r := <-ended; r.Signal == "" {
		t.Errorf("it ended by itself: %+v", r)
	}
}

func TestRecords(t *testing.T) {
	t.Parallel()
	s := site(t)
	died(t, s, proc.Process{PID: 1 << 30}, story(true, nil, nil), Event{Kind: WorldSet, Key: "a", Value: []byte(`"<&>"`)}, Event{Kind: StateEntered, State: "work"})
	path := logPath(s.State, "01DEAD")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		edit          func([]byte) []byte
		events        int
		torn, damaged bool
		bad           int
	}{
		"whole":            {func(b []byte) []byte { return b }, 3, false, false, 0},
		"no end of line":   {func(b []byte) []byte { return b[:len(b)-1] }, 3, true, false, 0},
		"torn":             {func(b []byte) []byte { return b[:len(b)-9] }, 2, true, false, 3},
		"a changed byte":   {func(b []byte) []byte { b[len(b)-30] ^= 1; return b }, 2, true, false, 3},
		"an early byte":    {func(b []byte) []byte { b[100] ^= 1; return b }, 0, false, true, 1},
		"nothing":          {func([]byte) []byte { return nil }, 0, false, false, 0},
		"something else":   {func([]byte) []byte { return []byte("hello\n") }, 0, true, false, 1},
		"torn, then ended": {func(b []byte) []byte { return append(b[:len(b)-9], '\n') }, 2, true, false, 3},
		"gone on behind": {func(b []byte) []byte {
			first := bytes.IndexByte(b, '\n') + 1
			return slices.Concat(b[:first], []byte("{\"se\n"), b[first:])
		}, 3, false, false, 0},
		"gone on behind, then torn": {func(b []byte) []byte {
			first := bytes.IndexByte(b, '\n') + 1
			return slices.Concat(b[:first], []byte("{\"se\n"), b[first:len(b)-9])
		}, 2, true, false, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := readRecord(strings.NewReader(string(tc.edit(append([]byte{}, whole...)))))
			if err != nil || len(r.Events) != tc.events || r.Torn != tc.torn || r.Damaged != tc.damaged || r.Bad != tc.bad {
				t.Errorf("observed %d events, torn %v, damaged %v, bad %d, %v", len(r.Events), r.Torn, r.Damaged, r.Bad, err)
			}
		})
	}
}

// TestDamagedRecordsTouchNothing: without the first record nobody knows what
// to do.
func TestDamagedRecordsTouchNothing(t *testing.T) {
	t.Parallel()
	s := site(t)
	repo := died(t, s, proc.Process{PID: 1 << 30}, story(true, nil, []artifact.Effect{run("touch back")}), Event{Kind: StateEntered, State: "work"})
	path := logPath(s.State, "01DEAD")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[100] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := Recover(context.Background(), s, false)
	if err != nil || len(list) != 1 || list[0].Outcome != LeftAlone || exists(filepath.Join(s.Dir, "back")) {
		t.Errorf("observed %+v %v", list, err)
	}
	if n := TakeNotices(s.State, repo); len(n) != 1 || !strings.Contains(n[0], path) {
		t.Errorf("the person is told %q", n)
	}
}

func TestNothingRunsThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	s := site(t)
	if err := os.WriteFile(s.State, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := Run(context.Background(), command(s, story(true, []artifact.Effect{run("touch a")}, nil)))
	if r.Outcome.Kind != engine.Errored || exists(filepath.Join(s.Dir, "a")) {
		t.Errorf("observed %+v", r.Outcome)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "a")); !errors.Is(err, os.ErrNotExist) {
		t.Error("it ran")
	}
}
