//go:build unix

package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

// edit changes a file of records.
func edit(t *testing.T, s Site, change func(lines [][]byte) [][]byte) string {
	t.Helper()
	path := logPath(s.State, "01DEAD")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Join(change(bytes.SplitAfter(data, []byte("\n"))), nil)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// flip damages a line, counted from 0.
func flip(n int) func([][]byte) [][]byte {
	return func(lines [][]byte) [][]byte { lines[n][10] ^= 1; return lines }
}

var nobody = proc.Process{PID: 1 << 30}

// TestDamageInTheMiddle: what stands behind it is not known, so nothing is
// touched, nothing is written where no reader would find it, and nothing
// refuses for ever.
func TestDamageInTheMiddle(t *testing.T) {
	t.Parallel()
	s := site(t)
	p := story(true, nil, []artifact.Effect{run("touch back")})
	repo := died(t, s, nobody, p, Event{Kind: StateEntered, State: "work"}, Event{Kind: StateEntered, State: "work"})
	path := edit(t, s, flip(1))
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if open, err := OpenAnywhere(s.State); err != nil || len(open) != 1 || open[0].Damaged != path+":2" {
		t.Errorf("open: %+v %v", open, err)
	}
	if gone, err := Prune(s.State, s.Now().Add(1), false); err != nil || len(gone) != 0 {
		t.Errorf("pruned while it is open: %+v %v", gone, err)
	}
	for _, dry := range []bool{true, false} {
		list, err := Recover(context.Background(), s, dry)
		if err != nil || len(list) != 1 || list[0].Outcome != LeftAlone || !strings.Contains(list[0].Reason, path+":2") || list[0].Intent != "go" {
			t.Fatalf("dry %v: %+v %v", dry, list, err)
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) || exists(filepath.Join(s.Dir, "back")) {
		t.Errorf("it was touched: %v", err)
	}
	if told := TakeNotices(s.State, repo); len(told) != 1 || !strings.Contains(told[0], path+":2") {
		t.Errorf("told: %q", told)
	}
	if open, err := OpenAnywhere(s.State); err != nil || len(open) != 0 || journal.DriveOpen(s.State, repo) {
		t.Errorf("still open: %+v %v", open, err)
	}
	if gone, err := Prune(s.State, s.Now().Add(1), false); err != nil || len(gone) != 1 || exists(path) {
		t.Errorf("pruned: %+v %v", gone, err)
	}
}

// TestUnreadableRecords: they are listed with the reason, and keep no other
// drive from being given up.
func TestUnreadableRecords(t *testing.T) {
	t.Parallel()
	s := site(t)
	repo := died(t, s, nobody, story(true, nil, []artifact.Effect{run("touch back")}))
	for _, id := range []string{"00DIR", "00OLD"} {
		if err := os.Mkdir(logPath(s.State, id), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := change(s.State, repo.Key(), func(m *marker) { m.Drives = append([]string{"00DIR"}, m.Drives...) }); err != nil {
		t.Fatal(err)
	}
	list, err := List(s.State, &repo)
	if err != nil || len(list) != 2 || list[0].ID != "00DIR" || !list[0].Open || list[0].Damaged != logPath(s.State, "00DIR")+": it is no regular file" {
		t.Errorf("here: %+v %v", list, err)
	}
	if list, err := List(s.State, nil); err != nil || len(list) != 3 || list[1].ID != "00OLD" || list[1].Open {
		t.Errorf("all: %+v %v", list, err)
	}
	got, err := Recover(context.Background(), s, false)
	if err != nil || len(got) != 2 || got[0].Outcome != LeftAlone || got[1].Outcome != string(engine.Aborted) || !exists(filepath.Join(s.Dir, "back")) {
		t.Errorf("recovered: %+v %v", got, err)
	}
	if Open(s.State, repo) {
		t.Error("it counts as open")
	}
}

// TestAFaultInRecoveryIsToldOnce: it is not met again by every later command.
func TestAFaultInRecoveryIsToldOnce(t *testing.T) {
	t.Parallel()
	s := site(t)
	p := story(true, nil, nil)
	p.States[1].Postcondition = &artifact.Precondition{
		Call: artifact.Call{Name: "host.run", With: []artifact.Field{
			{Name: "cmd", Value: artifact.Value{Literal: quoted("panic")}}, {Name: "effect", Value: artifact.Value{Literal: quoted("read")}},
		}},
		Require: artifact.Expr{Src: "result.ok"},
	}
	died(t, s, nobody, p)
	s.Host = panics{s.Host}
	list, err := Recover(context.Background(), s, false)
	if err != nil || len(list) != 1 || list[0].Outcome != string(engine.AbortFailed) || !strings.Contains(list[0].Notice(), "on purpose") {
		t.Errorf("observed %+v %v", list, err)
	}
	if list, err := Recover(context.Background(), s, false); err != nil || len(list) != 0 {
		t.Errorf("again: %+v %v", list, err)
	}
}

// TestADamagedMarker: the records tell what is open; when nothing is, it goes.
func TestADamagedMarker(t *testing.T) {
	t.Parallel()
	s := site(t)
	repo := died(t, s, nobody, story(true, nil, []artifact.Effect{run("touch back")}))
	damage := func() {
		t.Helper()
		if err := os.WriteFile(markerPath(s.State, repo.Key()), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	damage()
	if open, err := OpenAnywhere(s.State); err != nil || len(open) != 1 {
		t.Errorf("open: %+v %v", open, err)
	}
	if list, err := Recover(context.Background(), s, false); err != nil || len(list) != 1 || !exists(filepath.Join(s.Dir, "back")) {
		t.Errorf("observed %+v %v", list, err)
	}
	damage()
	if open, err := OpenAnywhere(s.State); err != nil || len(open) != 0 {
		t.Errorf("open: %+v %v", open, err)
	}
	// Whoever starts a program at this moment holds our locks until it runs, and
	// a lock without an open drive counts as one that begins.
	for tries := 0; tries == 0 || tries < 100 && journal.DriveOpen(s.State, repo); tries++ {
		if list, err := Recover(context.Background(), s, false); err != nil || len(list) != 0 {
			t.Errorf("observed %+v %v", list, err)
		}
	}
	if journal.DriveOpen(s.State, repo) {
		t.Error("the damaged marker stays")
	}
}

// TestRecordsThatLackFields: whatever lines with a right sum do not have,
// nothing panics, and each drive comes to an end.
func TestRecordsThatLackFields(t *testing.T) {
	t.Parallel()
	s := site(t)
	opening := map[string]any{
		"supervisor": nobody, "dir": s.Dir, "room": "home", "intent": "go", "world": map[string]any{}, "passed": []string{"work"},
		"plan": story(true, nil, nil),
	}
	full := map[string]any{
		"state": "work", "intent": "go", "key": "k", "value": 1, "call": map[string]any{"n": 1, "name": "host.run"}, "process": nobody,
		"tree": map[string]any{"git": false}, "opening": opening, "closing": map[string]any{"outcome": "resolved"},
	}
	var fields []string
	for f := range full {
		fields = append(fields, f)
	}
	n := 0
	try := func(records ...map[string]any) {
		t.Helper()
		n++
		id := fmt.Sprintf("01LACK%06d", n)
		repo := journal.Locate(s.Dir)
		if err := addDrive(s.State, repo, id); err != nil {
			t.Fatal(err)
		}
		var text []byte
		for i, r := range records {
			r["seq"], r["time"], r["session"] = i+1, "2026-01-02T03:04:05Z", id
			body, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			body = body[:len(body)-1]
			text = fmt.Appendf(text, "%s%s%s\"}\n", body, crcKey, castagnoli(body))
		}
		if err := os.WriteFile(logPath(s.State, id), text, 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := Recover(context.Background(), s, false)
		if err != nil || Open(s.State, repo) {
			t.Errorf("%s: %+v %v", text, list, err)
		}
		for _, r := range list {
			if strings.Contains(r.Reason, "internal error") {
				t.Errorf("%s: %s", text, r.Reason)
			}
		}
		if err := os.Remove(logPath(s.State, id)); err != nil {
			t.Fatal(err)
		}
	}
	whole := func() map[string]any { return map[string]any{"kind": Escalated, "opening": opening} }
	for f := range opening {
		for _, v := range []any{nil, json.RawMessage(`"x"`), map[string]any{}} {
			part := map[string]any{}
			for k, w := range opening {
				part[k] = w
			}
			part[f] = v
			try(map[string]any{"kind": Escalated, "opening": part})
		}
	}
	for _, k := range append(Kinds(), "unknown") {
		try(map[string]any{"kind": k})
		for set := range 1 << len(fields) {
			if set&(set-1) != 0 && set%61 != 0 { // each alone, none, and some together
				continue
			}
			r := map[string]any{"kind": k}
			for i, f := range fields {
				if set>>i&1 == 1 {
					r[f] = full[f]
				}
			}
			try(whole(), r)
			if set < 1<<3 {
				try(whole(), r, map[string]any{"kind": StateEntered, "state": "work"})
			}
		}
	}
}

// TestOneRecordIsBounded, and not the file: what stands behind one that is too
// long is read.
func TestOneRecordIsBounded(t *testing.T) {
	t.Parallel()
	s := site(t)
	died(t, s, nobody, story(true, nil, nil), Event{Kind: StateEntered, State: "work"})
	edit(t, s, func(lines [][]byte) [][]byte {
		return [][]byte{lines[0], bytes.Repeat([]byte("x"), maxRecord+1), []byte("\n"), lines[1]}
	})
	r, err := Read(s.State, "01DEAD")
	if err != nil || len(r.Events) != 2 || r.Damaged || r.Torn {
		t.Errorf("%d records, damaged %v, torn %v, %v", len(r.Events), r.Damaged, r.Torn, err)
	}
	if events, err := Follow(s.State, "01DEAD").Next(); err != nil || len(events) != 2 {
		t.Errorf("followed: %d records, %v", len(events), err)
	}
	l, err := continueLog(s.State, "01DEAD", 2, false, s.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if err := l.append(Event{Kind: WorldSet, Key: "k", Value: quoted(strings.Repeat("x", maxRecord))}, false); err == nil {
		t.Error("a record is written that nobody reads")
	}
}

// TestADirectoryThatIsGone: the drive is still the repository's, and is left
// alone there.
func TestADirectoryThatIsGone(t *testing.T) {
	t.Parallel()
	s := site(t)
	top := s.Dir
	own := filepath.Join(top, "main", ".git", "worktrees", "wt")
	s.Dir = filepath.Join(top, "wt")
	for path, text := range map[string]string{
		filepath.Join(own, "commondir"): "../..\n", filepath.Join(own, "HEAD"): "ref: refs/heads/wt\n", filepath.Join(s.Dir, ".git"): "gitdir: " + own + "\n",
		filepath.Join(top, "main", ".git", "HEAD"): "ref: refs/heads/main\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	died(t, s, nobody, story(true, nil, []artifact.Effect{run("touch back")}))
	if err := os.RemoveAll(s.Dir); err != nil {
		t.Fatal(err)
	}
	s.Dir = filepath.Join(top, "main")
	repo := journal.Locate(s.Dir)
	if list, err := List(s.State, &repo); err != nil || len(list) != 1 {
		t.Errorf("listed: %+v %v", list, err)
	}
	list, err := Recover(context.Background(), s, false)
	if err != nil || len(list) != 1 || list[0].Outcome != LeftAlone || list[0].Reason != "it is not there any more" || len(list[0].Remains) > 0 {
		t.Errorf("recovered: %+v %v", list, err)
	}
	if open, err := OpenAnywhere(s.State); err != nil || len(open) != 0 {
		t.Errorf("open: %+v %v", open, err)
	}
	if list, err := List(s.State, &repo); err != nil || len(list) != 1 || list[0].Outcome != LeftAlone {
		t.Errorf("listed afterwards: %+v %v", list, err)
	}
}

// TestRecoverEverywhere: from wherever, and also what was left open where there
// is no repository any more; but not what still runs.
func TestRecoverEverywhere(t *testing.T) {
	t.Parallel()
	self, err := proc.Self()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		supervisor proc.Process
		gone       bool
		want       string
	}{
		"there": {nobody, false, string(engine.Aborted)},
		"gone":  {nobody, true, LeftAlone},
		"runs":  {self, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := site(t)
			if tc.gone {
				if err := os.Mkdir(filepath.Join(s.Dir, ".git"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			died(t, s, tc.supervisor, story(true, nil, []artifact.Effect{run("touch back")}))
			if tc.gone {
				if err := os.RemoveAll(s.Dir); err != nil {
					t.Fatal(err)
				}
			}
			s.Dir = t.TempDir()
			var got string
			for _, dry := range []bool{true, false} {
				list, err := RecoverEverywhere(context.Background(), s, dry)
				if err != nil || (len(list) == 1) != (tc.want != "") {
					t.Fatalf("dry %v: %+v %v", dry, list, err)
				}
				if len(list) == 1 {
					got = list[0].Outcome
				}
			}
			open, err := OpenAnywhere(s.State)
			if err != nil || got != tc.want || (len(open) == 0) != (tc.want != "") {
				t.Errorf("%s, open %+v %v", got, open, err)
			}
		})
	}
}

// TestTailTellsGapsOnce: a line that was torn and gone on behind is none.
func TestTailTellsGapsOnce(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func([][]byte) [][]byte
		events int
		gap    string
	}{
		"damaged": {flip(1), 3, ":2"},
		"missing": {func(l [][]byte) [][]byte { return append(l[:1:1], l[2:]...) }, 3, ":2"},
		"torn":    {func(l [][]byte) [][]byte { return append([][]byte{l[0], []byte("{\"se\n")}, l[1:]...) }, 4, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := site(t)
			step := Event{Kind: StateEntered, State: "work"}
			repo := died(t, s, nobody, story(true, nil, nil), step, step, step)
			path := edit(t, s, tc.change)
			want := ""
			if tc.gap != "" {
				want = path + tc.gap
			}
			tail := Follow(s.State, "01DEAD")
			if events, err := tail.Next(); err != nil || len(events) != tc.events {
				t.Errorf("%d records, %v", len(events), err)
			}
			if first, again := tail.Gap(), tail.Gap(); first != want || again != "" {
				t.Errorf("gap %q, then %q; expected %q", first, again, want)
			}
			w, err := NewWatch(s.State, repo)
			if err != nil {
				t.Fatal(err)
			}
			if events, err := w.Next(); err != nil || len(events) != tc.events {
				t.Errorf("watched: %d records, %v", len(events), err)
			}
			if gaps := w.Gaps(); strings.Join(gaps, " ") != want || len(w.Gaps()) > 0 {
				t.Errorf("gaps %q, expected %q", gaps, want)
			}
		})
	}
}
