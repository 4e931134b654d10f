//go:build unix

package turns

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kitsoki/runtime/secret/mask"
)

// TestMain is also the process that is killed: it opens a turn, or ends one,
// and is killed where the n-th text is masked.
func TestMain(m *testing.M) {
	dir := os.Getenv("TURNS_DIR")
	if dir == "" {
		os.Exit(m.Run())
	}
	left := len(os.Getenv("TURNS_KILL"))
	s := Store{Dir: dir, Mask: func(text string) string {
		if left--; left == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Minute)
		}
		return mask.Text(text)
	}}
	ctx, at := context.Background(), time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	var err error
	if answer := os.Getenv("TURNS_ANSWER"); answer != "" {
		_, _, err = s.Close(ctx, End{Key: "s", PromptID: os.Getenv("TURNS_ID"), Answer: answer, At: at})
	} else {
		_, err = s.Open(ctx, Start{Key: "s", PromptID: os.Getenv("TURNS_ID"), Query: "continue", CWD: "/w", Branch: "b", At: at})
	}
	if err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// process runs one hook in a process of its own; kill is at how many texts it
// is killed, 0 for not.
func process(t *testing.T, s Store, id, answer string, kill int) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "TURNS_DIR="+s.Dir, "TURNS_ID="+id, "TURNS_ANSWER="+answer, "TURNS_KILL="+strings.Repeat("x", kill))
	err := c.Run()
	if (err != nil) != (kill > 0) {
		t.Fatalf("%v, killed at %d", err, kill)
	}
}

// TestKilledBetweenPromptAndState: a hook that is killed has not made two
// prompts one, nor lost or misfiled another's turn.
func TestKilledBetweenPromptAndState(t *testing.T) {
	t.Parallel()
	for kill := 1; kill <= 3; kill++ {
		s := newStore(t)
		process(t, s, "p1", "", kill)
		process(t, s, "p2", "", 0)
		process(t, s, "p2", "two", 0)
		process(t, s, "p1", "one", 0)
		list := s.list(t)
		got := pairs(list)
		if !slices.Equal(got, []string{" → ", "continue → two"}) || list[0].ID != ID("s", 1, "continue") || list[1].ID != ID("s", 2, "continue") {
			t.Errorf("killed at text %d of the prompt: %+v", kill, list)
		}
	}
	s := newStore(t)
	process(t, s, "p1", "", 0)
	process(t, s, "p1", "one", 1)
	process(t, s, "p1", "one", 0)
	if got := pairs(s.list(t)); !slices.Equal(got, []string{"continue → one"}) {
		t.Errorf("killed at the end: %q", got)
	}
}
