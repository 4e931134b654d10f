package stories_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// job is one of the project's own commands, said in three ways.
type job struct {
	intent string
	say    [3]string
}

func jobs() []job {
	return []job{
		{"run_tests", [3]string{"run the tests", "could you run the test suite for me?", "please run all of our specs"}},
		{"run_lint", [3]string{"run the linter", "lint the code please", "ok, run the lint checks on our code"}},
		{"run_format", [3]string{"format the code", "run the formatter", "can you format the project?"}},
		{"build", [3]string{"build the project", "please run the build", "build our application"}},
		{"install_deps", [3]string{"install the dependencies", "install all deps please", "can you install our packages?"}},
		{"run_app", [3]string{"run the app", "please start the dev server", "launch the application"}},
	}
}

// repository is a kind of project: its files, where prompts are typed, and
// what each job runs there, "" for none. The programs it names are put on the
// PATH; each takes notes.
type repository struct {
	name     string
	files    map[string]string
	at       string
	programs []string
	runs     [6]string // in the order of jobs
}

func repositories() []repository {
	scripts := `{"scripts": {"test": "x", "lint": "x", "format": "x", "build": "x", "dev": "x"}}`
	npm := [6]string{"npm run test", "npm run lint", "npm run format", "npm run build", "npm install", "npm run dev"}
	return []repository{
		{
			"go",
			map[string]string{"go.mod": "module x\n", "main.go": "package main\n"},
			"",
			[]string{"go", "gofmt"},
			[6]string{"go test ./...", "go vet ./...", "gofmt -l -w .", "go build ./...", "go mod download", "go run ."},
		},
		{"node", map[string]string{"package.json": scripts, "package-lock.json": "{}"}, "", []string{"npm"}, npm},
		{
			"python",
			map[string]string{"pyproject.toml": "[project.scripts]\nserve = \"x:y\"\n[tool.ruff]\n", "uv.lock": ""},
			"",
			[]string{"uv"},
			[6]string{"uv run pytest", "uv run ruff check", "uv run ruff format", "uv run python3 -m build", "uv sync", "uv run serve"},
		},
		{
			"rust",
			map[string]string{"Cargo.toml": "[package]\n"},
			"",
			[]string{"cargo"},
			[6]string{"cargo test", "cargo clippy", "cargo fmt", "cargo build", "cargo fetch", "cargo run"},
		},
		{
			"make",
			map[string]string{"Makefile": "test lint fmt build deps run:\n\t@true\n"},
			"",
			[]string{"make"},
			[6]string{"make test", "make lint", "make fmt", "make build", "make deps", "make run"},
		},
		{"monorepo", map[string]string{"go.mod": "module x\n", "web/package.json": scripts, "web/src/a.js": ""}, "web/src", []string{"npm", "go"}, npm},
		{"ambiguous", map[string]string{"package.json": scripts, "yarn.lock": "", "package-lock.json": "{}"}, "", []string{"npm", "yarn"}, [6]string{}},
		{"nothing", map[string]string{"README": ""}, "", nil, [6]string{}},
	}
}

// noting is a program that notes how it was called, and where.
const noting = `#!/bin/sh
echo "$(basename "$0") $* in $PWD" >>"$TOOL_LOG"
echo "output of $(basename "$0")"
[ -e "$TOOL_LOG.hang" ] && exec sleep 600
[ ! -e "$TOOL_LOG.fail" ]
`

// atWork is a person's machine with such a repository, bound to dev-story.
func (r repository) atWork(t *testing.T) (s *site, dir, log string) {
	t.Helper()
	s = newSite(t)
	s.app, s.room = "builtin:dev-story", "commands"
	bin := filepath.Join(filepath.Dir(s.home), "bin")
	for _, name := range r.programs {
		s.write(filepath.Join(bin, name), noting)
		if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	log = filepath.Join(filepath.Dir(s.home), "tools.log")
	s.env = append(s.env, "TOOL_LOG="+log)
	for name, text := range r.files {
		s.put(name, text)
	}
	return s, filepath.Join(s.work, filepath.FromSlash(r.at)), log
}

func notes(log string) string {
	data, _ := os.ReadFile(log)
	return string(data)
}

// TestProjectCommands: each job in each kind of repository runs the
// repository's own command and nothing else, or passes with the reason.
func TestProjectCommands(t *testing.T) {
	t.Parallel()
	for _, r := range repositories() {
		for i, j := range jobs() {
			for _, prompt := range j.say {
				t.Run(r.name+"/"+prompt, func(t *testing.T) {
					t.Parallel()
					s, dir, log := r.atWork(t)
					if j.intent == "run_app" {
						s.write(log+".hang", "")
					}
					before := s.local()
					got := s.sayIn(dir, prompt)
					defer stopAll(t, got.text)
					if r.runs[i] == "" {
						if got.stopped || !strings.Contains(got.text, "ran nothing") || notes(log) != "" {
							t.Errorf("expected a pass with a reason, observed %+v, ran %q", got, notes(log))
						}
						return
					}
					if !got.stopped || !strings.Contains(got.text, r.runs[i]) {
						t.Errorf("expected a report of %q, observed %+v", r.runs[i], got)
					}
					if ran := notes(log); !strings.HasPrefix(ran, r.runs[i]+" in ") || strings.Count(ran, "\n") != 1 {
						t.Errorf("expected %q, ran %q", r.runs[i], ran)
					}
					s.equal("the repository", s.local(), before)
				})
			}
		}
	}
}

// stopAll ends what a report says was left running.
func stopAll(t *testing.T, report string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`running as process (\d+)`).FindAllStringSubmatch(report, -1) {
		pid, err := strconv.Atoi(m[1])
		if err != nil || syscall.Kill(-pid, syscall.SIGKILL) != nil {
			t.Errorf("process %s does not run", m[1])
		}
	}
}

// TestFailingJobs: what a failing command prints is shown, and the prompt goes
// no further; an app that ends at once goes to the model with the facts.
func TestFailingJobs(t *testing.T) {
	t.Parallel()
	r := repositories()[1]
	for _, j := range jobs() {
		t.Run(j.intent, func(t *testing.T) {
			t.Parallel()
			s, dir, log := r.atWork(t)
			s.write(log+".fail", "")
			got := s.sayIn(dir, j.say[0])
			if got.stopped == (j.intent == "run_app") || !strings.Contains(got.text, "output of npm") || !strings.Contains(got.text, "failed (1)") {
				t.Errorf("observed %+v", got)
			}
		})
	}
}

// TestDevStoryOffersGit: each command of git-ops has the same effect through
// dev-story, in its own room and below the alias.
func TestDevStoryOffersGit(t *testing.T) {
	t.Parallel()
	for _, room := range []string{"gitops.intercept", "commands"} {
		for i, c := range commands() {
			prompt := c.say[i%len(c.say)]
			t.Run(room+"/"+c.intent+"/"+prompt, func(t *testing.T) {
				t.Parallel()
				s := newSite(t)
				s.app, s.room = "builtin:dev-story", room
				c.run(s, prompt)
			})
		}
	}
}

// TestWorktreeAndSubmodule: prompts typed in a linked worktree and in a
// submodule run that tree's own command.
func TestWorktreeAndSubmodule(t *testing.T) {
	t.Parallel()
	s, _, log := repositories()[4].atWork(t)
	s.git("add", "Makefile")
	s.git("commit", "-q", "-m", "Makefile")
	linked := filepath.Join(filepath.Dir(s.work), "linked tree")
	s.git("worktree", "add", "-q", "-b", "linked", linked)
	s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", s.bare, "sub")
	s.put("sub/Makefile", "test:\n\t@true\n")
	for i, dir := range []string{linked, filepath.Join(s.work, "sub")} {
		got := s.sayIn(dir, "run the tests")
		want := "make test in " + dir
		if ran := strings.Split(notes(log), "\n"); !got.stopped || len(ran) <= i || ran[i] != want {
			t.Errorf("expected %q, observed %+v, ran %q", want, got, ran)
		}
	}
	if got := s.sayIn(s.work, "what branch am I on"); !strings.Contains(got.text, "main") {
		t.Errorf("observed %+v", got)
	}
}

// TestAnotherBranchIsAnotherCommand: what was done a moment ago is held back,
// but not on another branch, where it was not done.
func TestAnotherBranchIsAnotherCommand(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	feature(s)
	if r := s.say("push"); !r.stopped || !strings.Contains(r.text, "Pushed") {
		t.Fatalf("observed %+v", r)
	}
	if r := s.say("push"); !strings.Contains(r.text, "already done") {
		t.Errorf("observed %+v", r)
	}
	s.git("switch", "-q", "-c", "feature/y")
	if r := s.say("push"); !strings.Contains(r.text, "Pushed") {
		t.Errorf("observed %+v", r)
	}
	s.equal("the other branch", s.remote("feature/y"), s.head())
}
