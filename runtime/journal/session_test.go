package journal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSession(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	if HasSession(state, "claude", "s") {
		t.Error("a session that never was has a memory")
	}
	s, err := OpenSession(state, "claude", "s", noon(), true)
	must(t, err)
	if s.Memory != (Memory{}) {
		t.Errorf("not empty: %+v", s.Memory)
	}
	want := Memory{PromptID: "p", Reply: `{"a":1}`, Text: Digest("push"), Deed: DeedRan, At: noon(), Untold: "u"}
	s.Memory = want
	must(t, s.Save())
	s.Close()
	again, err := OpenSession(state, "claude", "s", noon(), true)
	must(t, err)
	defer again.Close()
	if again.Memory != want || !HasSession(state, "claude", "s") || HasSession(state, "other", "s") {
		t.Errorf("got %+v, want %+v", again.Memory, want)
	}
}

func TestSessionIsLocked(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	first, err := OpenSession(state, "claude", "s", noon(), true)
	must(t, err)
	got := make(chan Memory)
	go func() {
		second, err := OpenSession(state, "claude", "s", noon(), true)
		if err != nil {
			t.Error(err)
			close(got)
			return
		}
		defer second.Close()
		got <- second.Memory
	}()
	if _, err := OpenSession(state, "claude", "s", noon(), false); !errors.Is(err, ErrBusy) {
		t.Errorf("without waiting: got %v, want ErrBusy", err)
	}
	first.PromptID = "first"
	must(t, first.Save())
	first.Close()
	if m := <-got; m.PromptID != "first" {
		t.Errorf("the second saw %+v before the first was done", m)
	}
}

func TestSessionDamaged(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	write(t, filepath.Join(state, onceDir, Digest("claude", "s")+onceFileType), `{"prompt_id":"p","at":7}`)
	s, err := OpenSession(state, "claude", "s", noon(), true)
	must(t, err)
	defer s.Close()
	if s.Memory != (Memory{}) {
		t.Errorf("got %+v", s.Memory)
	}
}

func TestSessionsAreForgotten(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "new": 23 * time.Hour} {
		path := filepath.Join(state, onceDir, name+onceFileType)
		write(t, path, "{}")
		must(t, os.Chtimes(path, noon(), noon().Add(-age)))
	}
	s, err := OpenSession(state, "claude", "s", noon(), true)
	must(t, err)
	defer s.Close()
	if exists(filepath.Join(state, onceDir, "old.json")) || !exists(filepath.Join(state, onceDir, "new.json")) {
		t.Error("the wrong memories were removed")
	}
}

func TestSessionUnwritable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	if _, err := OpenSession(file, "claude", "s", noon(), true); err == nil {
		t.Error("no error")
	}
	if _, err := OpenSession("", "claude", "s", noon(), true); !errors.Is(err, ErrNoHome) || HasSession("", "claude", "s") {
		t.Errorf("without a state directory: %v", err)
	}
}

func TestDigestKeepsTextsApart(t *testing.T) {
	t.Parallel()
	if Digest("a", "bc") == Digest("ab", "c") || len(Digest("a")) != 16 {
		t.Error("two lists have one digest")
	}
}
