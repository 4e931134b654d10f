package stories_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/intercept"
	"kitsoki/stories"
)

// killAfter names the variable that makes the test binary a victim: it runs
// the prompt in killPrompt and kills itself behind that many steps.
const (
	killAfter  = "KITSOKI_TEST_KILL_AFTER"
	killPrompt = "KITSOKI_TEST_KILL_PROMPT"
	killWorld  = "KITSOKI_TEST_KILL_STRAYS"
)

// mortal kills its process once the calls that change something have been
// made so many times.
type mortal struct {
	host.Local
	left int
}

func (m *mortal) Call(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	res, err := m.Local.Call(ctx, name, args, env)
	if name != "host.run" || args["effect"] == string(spec.Read) {
		return res, err
	}
	if m.left--; m.left == 0 {
		self, findErr := os.FindProcess(os.Getpid())
		if findErr == nil {
			findErr = self.Kill()
		}
		<-ctx.Done() // no step runs on until the signal has come
		return nil, findErr
	}
	return res, err
}

// victim runs one command of git-ops and ends with how it came out.
func victim() int {
	gate, err := victimGate()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	left, err := strconv.Atoi(os.Getenv(killAfter))
	if err != nil {
		return 1
	}
	dir, err := os.Getwd()
	if err != nil {
		return 1
	}
	s := intercept.Surroundings{Host: &mortal{left: left}, Dir: dir, Env: os.Environ()}
	d := gate.Decide(os.Getenv(killPrompt), intercept.Facts(context.Background(), s))
	if !d.Intercept {
		fmt.Println(d.Reason, d.Detail)
		return 1
	}
	o := gate.Run(context.Background(), d, s)
	if o.Kind != engine.Transitioned {
		fmt.Println(o.Kind, o.Hint, o.Detail)
		return 1
	}
	return 0
}

func victimGate() (*intercept.Gate, error) {
	fsys, _ := stories.Open("git-ops")
	out, ds := compiler.Compile(fsys, "app.yaml", compiler.Options{})
	if ds.HasErrors() {
		return nil, errors.New(ds[0].Message)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		return nil, err
	}
	f, err := artifact.Decode("git-ops", data)
	if err != nil {
		return nil, err
	}
	return intercept.Open(f, intercept.Binding{Room: "intercept", World: map[string]any{
		"commit_message": "derive", "untracked_files": os.Getenv(killWorld),
	}})
}

// doomed is a command of several steps, in a repository that is ready for it.
type doomed struct {
	prompt, strays string
	steps          int // the calls that change something
	ready          func(*site)
}

func doomedCommands() []doomed {
	work := func(s *site) { feature(s); staged(s); s.put("dirty.txt", "precious\n") }
	return []doomed{
		{"stage everything", "leave", 2, func(s *site) { changed(s); s.put("dirty.txt", "precious\n") }},
		{"unstage everything", "leave", 2, work},
		{"commit", "leave", 1, work},
		{"commit everything", "include", 1, work},
		{"commit and push", "leave", 2, work},
		{"commit, push and open a PR", "leave", 4, work},
		{"push and open a PR", "leave", 3, work},
		{"discard my changes", "leave", 2, work},
		{"stash", "leave", 1, work},
		{"pull", "leave", 2, func(s *site) { s.elsewhere("main", "theirs.txt") }},
		{"back to main", "leave", 3, func(s *site) { feature(s); s.elsewhere("main", "theirs.txt") }},
		{"git switch main", "leave", 1, feature},
		{"create a worktree for the branch feature/y", "leave", 1, work},
	}
}

// TestKilledBetweenSteps kills the process behind each step of each command:
// no operation is in progress then, and every content is still to be had.
func TestKilledBetweenSteps(t *testing.T) {
	t.Parallel()
	for _, c := range doomedCommands() {
		for n := 1; n <= c.steps; n++ {
			t.Run(fmt.Sprintf("%s/%d", c.prompt, n), func(t *testing.T) {
				t.Parallel()
				s := newSite(t)
				c.ready(s)
				had := s.contents()
				out, err := s.kill(c, n)
				if err == nil || !strings.Contains(err.Error(), "killed") {
					t.Fatalf("it was not killed: %v\n%s", err, out)
				}
				s.whole()
				s.still(had)
			})
		}
		t.Run(c.prompt+"/whole", func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			c.ready(s)
			if out, err := s.kill(c, c.steps+1); err != nil {
				t.Fatalf("there are more than %d steps, or it failed: %v\n%s", c.steps, err, out)
			}
		})
	}
}

func (s *site) kill(c doomed, after int) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	s.env = append(s.env, killAfter+"="+strconv.Itoa(after), killPrompt+"="+c.prompt, killWorld+"="+c.strays)
	return s.tryIn(s.work, exe)
}

// contents are the texts of the working tree and of the index, as git names
// them.
func (s *site) contents() []string {
	s.t.Helper()
	var out []string
	for _, name := range strings.Split(s.git("ls-files", "--cached", "--others"), "\n") {
		if _, err := os.Stat(filepath.Join(s.work, name)); err == nil {
			out = append(out, s.git("hash-object", "--", name))
		}
	}
	for _, line := range strings.Split(s.git("ls-files", "--stage"), "\n") {
		out = append(out, strings.Fields(line)[1])
	}
	return out
}

// still looks for each content in the working tree and in git's objects.
func (s *site) still(had []string) {
	s.t.Helper()
	now := s.contents()
	for _, id := range had {
		if _, err := s.tryIn(s.work, "git", "cat-file", "-e", id); err != nil && !slices.Contains(now, id) {
			s.t.Errorf("%s is lost", id)
		}
	}
}
