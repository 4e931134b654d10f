//go:build unix

package proc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestStartedIsToldBeforeTheProcessWorks(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "worked")
	c := sh("cat >" + mark + "; echo $$ \"$A\"")
	c.Stdin, c.Env = []byte("input"), append(c.Env, "A=it's here")
	var told Process
	c.Started = func(p Process) error {
		told = p
		if _, err := os.Stat(mark); !errors.Is(err, os.ErrNotExist) {
			t.Error("it worked before it was told of")
		}
		if !p.Alive() {
			t.Error("observed a dead process, expected a living one")
		}
		return nil
	}
	r := Run(context.Background(), c)
	pid, rest, _ := strings.Cut(strings.TrimSpace(string(r.Stdout)), " ")
	if !r.OK() || rest != "it's here" {
		t.Fatalf("observed %+v %q", r, r.Stdout)
	}
	if want := told.PID; pid != strconv.Itoa(want) {
		t.Errorf("told of process %d, and %s worked", want, pid)
	}
	if data, err := os.ReadFile(mark); err != nil || string(data) != "input" {
		t.Errorf("its input: %q %v", data, err)
	}
	if told.Alive() {
		t.Error("the process has ended and counts as alive")
	}
}

func TestWhatCannotBeToldDoesNothing(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "worked")
	c := sh("touch " + mark)
	full := errors.New("the disk is full")
	c.Started = func(Process) error { return full }
	if r := Run(context.Background(), c); !errors.Is(r.Err, full) {
		t.Errorf("observed %v, expected %v", r.Err, full)
	}
	if _, err := os.Stat(mark); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it worked all the same: %v", err)
	}
}

func TestAProcessIsToldFromOthers(t *testing.T) {
	t.Parallel()
	self, err := Self()
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Process{
		"another start of the machine": {self.PID, self.Start, "00000000-0000-0000-0000-000000000000"},
		"a number given out again":     {self.PID, "1", self.Boot},
		"no such process":              {1 << 30, self.Start, self.Boot},
	} {
		if p.Alive() {
			t.Errorf("%s: counts as alive", name)
		}
	}
	if !self.Alive() {
		t.Error("this process does not count as alive")
	}
}
