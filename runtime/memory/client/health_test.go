package client

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const place = "http://127.0.0.1:18972"

func failure(c Cause) error { return &Error{Cause: c, Call: "turns/start", Detail: "why"} }

func TestCauseIsNotedOnceAndRecoveryOnce(t *testing.T) {
	t.Parallel()
	now := noon()
	dir := filepath.Join(t.TempDir(), "state")
	steps := []struct {
		exchange Exchange
		outcome  error
		want     string
	}{
		{ExchangeRecall, nil, ""},
		{ExchangeRecall, failure(CauseDown), "fails (down): memory service, turns/start: down: why"},
		{ExchangeRecall, failure(CauseDown), ""},
		{ExchangeCapture, failure(CauseDown), ""},
		{ExchangeRecall, failure(CauseSlow), "fails (slow)"},
		{ExchangeRecall, failure(CauseDown), ""},
		{ExchangeRecall, failure(CauseStopped), ""},
		{ExchangeRecall, nil, ""}, // capture has not been seen to work
		{ExchangeRecall, nil, ""},
		{ExchangeCapture, nil, "works again"},
		{ExchangeCapture, nil, ""},
		{ExchangeRecall, failure(CauseDown), "fails (down)"},
		{ExchangeRecall, nil, "works again"},
	}
	for i, s := range steps {
		now = now.Add(time.Minute)
		line, err := NewHealth(dir, place, func() time.Time { return now }).Note(s.exchange, s.outcome) // as in another process
		if err != nil || (line == "") != (s.want == "") || !strings.Contains(line, s.want) || strings.Contains(line, "\n") {
			t.Errorf("step %d: expected %q, observed %q, %v", i, s.want, line, err)
		}
	}
}

func TestHealthStatus(t *testing.T) {
	t.Parallel()
	now := noon()
	h := NewHealth(t.TempDir(), place, func() time.Time { return now })
	if s, err := h.Status(); err != nil || s.Address != place || s.Faults != nil || !s.Recovered.IsZero() {
		t.Errorf("before: %+v, %v", s, err)
	}
	note := func(outcome error) {
		t.Helper()
		if _, err := h.Note(ExchangeRecall, outcome); err != nil {
			t.Fatal(err)
		}
	}
	note(failure(CauseUnauthorised))
	now = noon().Add(time.Hour)
	note(failure(CauseUnauthorised))
	s, err := h.Status()
	want := Fault{CauseUnauthorised, ExchangeRecall, "memory service, turns/start: unauthorised: why", noon(), now, 2}
	if err != nil || len(s.Faults) != 1 || s.Faults[0] != want {
		t.Errorf("expected %+v, observed %+v, %v", want, s, err)
	}
	note(nil)
	if s, err := h.Status(); err != nil || len(s.Faults) != 0 || !s.Recovered.Equal(now) {
		t.Errorf("after: %+v, %v", s, err)
	}
}

func TestAnotherServiceStartsAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, at := range []string{place, "http://127.0.0.1:1"} {
		line, err := NewHealth(dir, at, noon).Note(ExchangeRecall, failure(CauseDown))
		if err != nil || !strings.Contains(line, at) {
			t.Errorf("%s: %q, %v", at, line, err)
		}
	}
}

func TestHealthFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	h := NewHealth(dir, place, noon)
	if _, err := h.Note(ExchangeRecall, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a service that works leaves something behind")
	}
	if _, err := h.Note(ExchangeRecall, failure(CauseDown)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, healthName)
	st, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st, err)
	}
	if err := os.WriteFile(path, []byte(`{"address": "`+place+`", "faul`), 0o600); err != nil {
		t.Fatal(err)
	}
	if line, err := h.Note(ExchangeRecall, failure(CauseDown)); err != nil || line == "" {
		t.Errorf("after damage: %q, %v", line, err)
	}
}

func TestProcessesNoteOnceTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tell := func(outcome error) int32 {
		var lines atomic.Int32
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() {
				line, err := NewHealth(dir, place, noon).Note(ExchangeRecall, outcome)
				if err != nil {
					t.Error(err)
				}
				if line != "" {
					lines.Add(1)
				}
			})
		}
		group.Wait()
		return lines.Load()
	}
	if failed, worked := tell(failure(CauseDown)), tell(nil); failed != 1 || worked != 1 {
		t.Errorf("the cause was told %d times, the recovery %d times", failed, worked)
	}
}

func TestHealthKeepsNoTextOfOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	line, err := NewHealth(dir, place, noon).Note(ExchangeRecall, errors.New("proxy said "+token))
	if err != nil || line == "" || strings.Contains(line, token) {
		t.Errorf("%q, %v", line, err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, healthName)); err != nil || strings.Contains(string(data), token) {
		t.Errorf("%s, %v", data, err)
	}
}
