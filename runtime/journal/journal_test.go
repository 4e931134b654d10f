package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// counter is a source of chance that never repeats, so that ids differ.
type counter struct {
	mu sync.Mutex
	n  uint32
}

func (c *counter) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	for i := range p {
		p[i] = byte(c.n >> (8 * (i % 4)))
	}
	return len(p), nil
}

func noon() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC) }

func newJournal(t *testing.T) *Journal {
	t.Helper()
	return &Journal{Path: filepath.Join(t.TempDir(), "trace", "x.jsonl"), Now: noon, Rand: &counter{}, Mask: masker()}
}

func TestMatchedLine(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	id, err := j.Matched(Head{Session: "s1", Prompt: "p1", Agent: "claude", Repo: "/r"}, Matched{
		Input: "push <it>", Intent: "push", Slots: json.RawMessage(`{"to":"main"}`), Confidence: 0.97, Tier: "grammar",
		GateBar: 0.9, Mode: "enforce", Executed: true, Outcome: "resolved", DurationUS: 1200,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(j.Path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"` + id + `","time":"2026-11-30T12:00:00.123456789Z","type":"intercept.matched","session":"s1","prompt_id":"p1",` +
		`"agent":"claude","repo":"/r","input":"push <it>","intent":"push","slots":{"to":"main"},"confidence":0.97,"tier":"grammar",` +
		`"gate_bar":0.9,"mode":"enforce","executed":true,"outcome":"resolved","duration_us":1200}` + "\n"
	if string(got) != want {
		t.Errorf("line\n got %s\nwant %s", got, want)
	}
}

func TestReadBack(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	first, err1 := j.Passed(Head{Session: "a"}, Passed{Input: "why?", Reason: "no_match", TopConfidence: 0.5, Detail: "x"})
	second, err2 := j.Matched(Head{Session: "b"}, Matched{Input: "push", Intent: "push"})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		f    Filter
		want []string
	}{
		{"all", Filter{}, []string{first, second}},
		{"type", Filter{Type: TypeMatched}, []string{second}},
		{"session", Filter{Session: "a"}, []string{first}},
		{"reason", Filter{Reason: "no_match"}, []string{first}},
		{"other reason", Filter{Reason: "tie"}, nil},
		{"limit", Filter{Limit: 1}, []string{second}},
		{"since now", Filter{Since: noon()}, []string{first, second}},
		{"since later", Filter{Since: noon().Add(1)}, nil},
	}
	for _, tt := range tests {
		got, err := Read(j.Path, tt.f)
		if err != nil || !slices.Equal(ids(got), tt.want) {
			t.Errorf("%s: got %v, %v; want %v", tt.name, ids(got), err, tt.want)
		}
	}
	all, _ := Read(j.Path, Filter{})
	if all[0].Passed == nil || all[0].Passed.Detail != "x" || all[0].Matched != nil || all[1].Matched.Intent != "push" {
		t.Errorf("entries are not typed: %+v", all)
	}
}

func ids(es []Entry) []string {
	var out []string
	for _, e := range es {
		out = append(out, e.ID)
	}
	return out
}

func TestReadSkipsTornAndForeignLines(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	must(t, os.MkdirAll(filepath.Dir(j.Path), 0o700))
	must(t, os.WriteFile(j.Path, []byte("garbage\n{\"a\":1}\n{\"id\":\"7\",\"type\":\"state.entered\"}\n{\"id\":\"8\",\"ty"), 0o600))
	got, err := Read(j.Path, Filter{})
	if err != nil || !slices.Equal(ids(got), []string{"7"}) {
		t.Fatalf("got %v, %v", ids(got), err)
	}
	id, err := j.Passed(Head{}, Passed{Reason: "no_match"})
	must(t, err)
	got, err = Read(j.Path, Filter{})
	if err != nil || !slices.Equal(ids(got), []string{"7", id}) {
		t.Errorf("after a torn line: got %v, %v; want 7 and %s", ids(got), err, id)
	}
}

func TestReadNothing(t *testing.T) {
	t.Parallel()
	got, err := Read(filepath.Join(t.TempDir(), "none.jsonl"), Filter{})
	if len(got) != 0 || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	a, err := j.Passed(Head{}, Passed{Input: "a", Reason: "tie"})
	must(t, err)
	_, err = j.Passed(Head{}, Passed{Input: "b", Reason: "tie"})
	must(t, err)
	got, err := Find(j.Path, strings.ToLower(a))
	if err != nil || got.Passed.Input != "a" {
		t.Errorf("Find(%s) = %+v, %v", a, got, err)
	}
	for id, want := range map[string]error{a[:10]: ErrAmbiguous, "ZZZ": ErrNotFound, " ": ErrNotFound} {
		if _, err := Find(j.Path, id); !errors.Is(err, want) {
			t.Errorf("Find(%q) = %v, want %v", id, err, want)
		}
	}
}

func TestIDsSortByTime(t *testing.T) {
	t.Parallel()
	c := &counter{}
	var list []string
	for _, at := range []time.Time{time.UnixMilli(0), noon(), noon().Add(time.Millisecond), noon().Add(time.Hour)} {
		id, err := NewID(at, c)
		must(t, err)
		if len(id) != idLen {
			t.Errorf("%s has %d characters", id, len(id))
		}
		list = append(list, id)
	}
	if !slices.IsSorted(list) {
		t.Errorf("not sorted: %v", list)
	}
	if _, err := NewID(noon(), strings.NewReader("short")); err == nil {
		t.Error("no error without chance")
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	j.MaxBytes, j.Kept = 400, 2
	var want []string
	for i := range 12 {
		id, err := j.Passed(Head{}, Passed{Input: fmt.Sprint("prompt ", i), Reason: "no_match"})
		must(t, err)
		want = append(want, id)
	}
	got, err := Read(j.Path, Filter{})
	must(t, err)
	list := ids(got)
	if len(list) == 0 || len(list) >= len(want) || !slices.Equal(list, want[len(want)-len(list):]) {
		t.Errorf("kept %v of %v, want a shorter tail", list, want)
	}
	for name, exists := range map[string]bool{j.Path + ".1": true, j.Path + ".2": true, j.Path + ".3": false} {
		st, err := os.Stat(name)
		if (err == nil) != exists {
			t.Errorf("%s exists: %v, want %v", filepath.Base(name), err == nil, exists)
		}
		if err == nil && st.Size() > 400+200 {
			t.Errorf("%s has %d bytes", name, st.Size())
		}
	}
}

func TestRotationLockHeld(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	j.MaxBytes = 200
	must(t, os.MkdirAll(filepath.Dir(j.Path), 0o700))
	release, ok, err := lock(j.Path+".lock", false)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	for range 2 {
		_, err = j.Passed(Head{}, Passed{Input: "two", Reason: "tie"})
		must(t, err)
	}
	if _, err := os.Stat(j.Path + ".1"); err == nil {
		t.Error("rotated while another holds the lock")
	}
	release()
	_, err = j.Passed(Head{}, Passed{Input: "three", Reason: "tie"})
	must(t, err)
	if got, _ := Read(j.Path, Filter{}); len(got) != 3 {
		t.Errorf("%d lines, want 3", len(got))
	}
	if _, err := os.Stat(j.Path + ".1"); err != nil {
		t.Error("not rotated after the lock was released")
	}
}

func TestRotationFails(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	j.MaxBytes = 1
	must(t, os.MkdirAll(j.Path+lockSuffix, 0o700)) // a directory stands where the lock file should
	id, err := j.Passed(Head{}, Passed{Reason: "tie"})
	if got, _ := Read(j.Path, Filter{}); err == nil || len(got) != 1 || got[0].ID != id {
		t.Errorf("got id %q, %v and lines %v", id, err, ids(got))
	}
}

func TestRotationGap(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.jsonl")
	for _, name := range []string{path, path + ".2", path + ".3"} {
		must(t, os.WriteFile(name, nil, 0o600))
	}
	want := []string{path + ".3", path + ".2", path}
	if got := files(path); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestConcurrentWriters(t *testing.T) {
	t.Parallel()
	path, chance := filepath.Join(t.TempDir(), "x.jsonl"), &counter{}
	const writers, each = 8, 40
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			j := &Journal{Path: path, Now: noon, Rand: chance, MaxBytes: 4 << 10, Kept: 100}
			for i := range each {
				if _, err := j.Passed(Head{}, Passed{Input: fmt.Sprint(w, i), Reason: "tie"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	got, err := Read(path, Filter{})
	if err != nil || len(got) != writers*each {
		t.Errorf("%d lines, %v; want %d", len(got), err, writers*each)
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps no permission bits")
	}
	j := newJournal(t)
	_, err := j.Passed(Head{}, Passed{Reason: "tie"})
	must(t, err)
	for path, want := range map[string]os.FileMode{j.Path: 0o600, filepath.Dir(j.Path): 0o700} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, st.Mode().Perm(), err, want)
		}
	}
}

func TestUnwritable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	j := &Journal{Path: filepath.Join(file, "trace", "x.jsonl"), Now: noon, Rand: &counter{}}
	if id, err := j.Passed(Head{}, Passed{}); err == nil || id != "" {
		t.Errorf("got %q, %v; want an error and no id", id, err)
	}
	if err := SaveLast(file, Repo{Dir: "/x"}, "r"); err == nil {
		t.Error("SaveLast: no error")
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	tail := NewTail(j.Path)
	expect := func(want ...string) {
		t.Helper()
		got, err := tail.Next()
		if err != nil || !slices.Equal(ids(got), want) {
			t.Errorf("got %v, %v; want %v", ids(got), err, want)
		}
	}
	pass := func() string {
		id, err := j.Passed(Head{}, Passed{Reason: "tie"})
		must(t, err)
		return id
	}
	expect()
	a := pass()
	expect(a)
	b, c := pass(), pass()
	expect(b, c)
	d := pass()
	must(t, os.Rename(j.Path, j.Path+".1"))
	e := pass()
	expect(d, e)
	expect()
}

func TestTailStartsAtTheEnd(t *testing.T) {
	t.Parallel()
	j := newJournal(t)
	_, err := j.Passed(Head{}, Passed{Reason: "tie"})
	must(t, err)
	if got, err := NewTail(j.Path).Next(); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v; want nothing", got, err)
	}
}

func TestLast(t *testing.T) {
	t.Parallel()
	state, repo := filepath.Join(t.TempDir(), "kitsoki"), Repo{Dir: "/somewhere"}
	if _, err := Last(state, repo); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want ErrNotExist", err)
	}
	for _, report := range []string{"a longer first report", "second"} {
		must(t, SaveLast(state, repo, report))
		if got, err := Last(state, repo); err != nil || got != report {
			t.Errorf("got %q, %v; want %q", got, err, report)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(state, "last", ".new-*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestStateDir(t *testing.T) {
	t.Parallel()
	abs := t.TempDir()
	tests := []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"XDG_STATE_HOME": abs, "HOME": "/h"}, filepath.Join(abs, "kitsoki")},
		{map[string]string{"XDG_STATE_HOME": "relative", "HOME": abs}, filepath.Join(abs, ".local", "state", "kitsoki")},
		{map[string]string{"USERPROFILE": abs}, filepath.Join(abs, ".local", "state", "kitsoki")},
		{nil, ""},
	}
	for _, tt := range tests {
		got, err := StateDir(func(name string) string { return tt.env[name] })
		if got != tt.want || errors.Is(err, ErrNoHome) != (tt.want == "") {
			t.Errorf("%v: got %q, %v; want %q", tt.env, got, err, tt.want)
		}
	}
}

func TestSwitch(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "kitsoki")
	if Off(state) {
		t.Error("off before anything was said")
	}
	must(t, Switch(state, true))
	if !Off(state) {
		t.Error("not off")
	}
	must(t, Switch(state, false))
	if Off(state) {
		t.Error("still off")
	}
	blocked := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(blocked, nil, 0o600))
	if err := Switch(filepath.Join(blocked, "kitsoki"), true); err == nil {
		t.Error("a switch below a file was set")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
