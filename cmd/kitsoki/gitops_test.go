//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRebaseThroughTheAgent: what the task agent does, and what the person is
// told of it.
func TestRebaseThroughTheAgent(t *testing.T) {
	t.Parallel()
	kit := compiled(t, gitOps)
	for name, tc := range map[string]struct {
		agent    string
		commits  int
		settings string
		config   string
		done     bool
		says     []string
	}{
		"one conflict":               {agent: "resolve", commits: 1, done: true, says: []string{"kitsoki drove this with conflict_resolver, 1 round, $0.25", "Rebased feature onto main: 1 commit", "took both sides", "To undo: git reset --keep "}},
		"three commits in turn":      {agent: "resolve", commits: 3, done: true, says: []string{"3 rounds", "Rebased feature onto main: 3 commits"}},
		"leaves markers":             {agent: "markers", commits: 1, says: []string{"given up", "all is as it was before", "f.txt"}},
		"leaves half of the markers": {agent: "half", commits: 1, says: []string{"given up", "f.txt"}},
		"claims success for nothing": {agent: "deletes", commits: 1, says: []string{"given up", "f.txt"}},
		"touches another file":       {agent: "strays", commits: 1, done: true, says: []string{"Rebased feature onto main"}},
		"says it is unresolved":      {agent: "unresolved", commits: 1, says: []string{"given up", "could not resolve", "both sides mean something else"}},
		"too slow":                   {agent: "slow", commits: 1, config: "policy: {max_timeout: 4s}\n", says: []string{"given up", "the time limit of 4s passed"}},
		"crashes":                    {agent: "crash", commits: 1, says: []string{"given up", "killed"}},
		"prints garbage":             {agent: "garbage", commits: 1, says: []string{"given up", "did not submit"}},
		"never submits":              {agent: "silent", commits: 1, says: []string{"given up", "did not submit"}},
		"commits by itself":          {agent: "commits", commits: 2, done: true, says: []string{"Rebased feature onto main: 2 commits"}},
		"a build check fails":        {agent: "resolve", commits: 1, settings: "build_check_cmd: 'exit 3'", says: []string{"given up", "The build check failed"}},
		"a build check passes":       {agent: "resolve", commits: 1, settings: "build_check_cmd: 'test -f README'", done: true, says: []string{"The build check passed."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, kit, tc.commits)
			l.config("intercept: {app: '" + kit + "', world: {" + tc.settings + "}}\n" + tc.config)
			out := l.send(l.rebase, "AGENT="+tc.agent)
			for _, want := range tc.says {
				if !strings.Contains(out, want) {
					t.Errorf("the report lacks %q: %s", want, out)
				}
			}
			if done := l.whole(); done != tc.done {
				t.Errorf("done: %v, expected %v\n%s", done, tc.done, out)
			}
			l.closed()
			if tc.done {
				l.joined(tc.commits)
			}
			if data, err := os.ReadFile(filepath.Join(filepath.Dir(l.dir), "active")); err != nil || strings.TrimSpace(string(data)) == "" {
				t.Errorf("the agent was not told who runs it: %q %v", data, err)
			}
			if data, _ := os.ReadFile(filepath.Join(l.dir, "README")); string(data) != "read me\n" {
				t.Errorf("README: %q", data)
			}
		})
	}
}

// TestAnAgentThatIsNotThere: the report says so, and names no agent that worked.
func TestAnAgentThatIsNotThere(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	l.check(os.Remove(filepath.Join(l.home, "bin", "claude")))
	out := l.send(l.rebase, "PATH=/usr/bin:/bin:"+filepath.Dir(l.program("kitsoki")))
	for _, want := range []string{"(no LLM)", "given up, and all is as it was before", "could not be started"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q: %s", want, out)
		}
	}
	if l.whole() {
		t.Error("it counts as done")
	}
}

// joined checks that both sides' lines are in the file.
func (l *lab) joined(commits int) {
	l.t.Helper()
	data, err := os.ReadFile(filepath.Join(l.dir, "f.txt"))
	l.check(err)
	for _, want := range []string{"theirs " + l.t.Name(), strings.TrimSpace(l.content(commits - 1))} {
		if !strings.Contains(string(data), want) {
			l.t.Errorf("f.txt lacks %q: %q", want, data)
		}
	}
}

// TestACleanRebaseRunsNoAgent: what needs no agent asks none.
func TestACleanRebaseRunsNoAgent(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 0)
	l.file(filepath.Join(l.dir, "mine.txt"), "mine\n")
	l.git("add", "mine.txt")
	l.git("commit", "-q", "-m", "mine")
	l.start, l.commits = l.git("rev-parse", "HEAD"), 1
	out := l.send(l.rebase)
	if !strings.Contains(out, "(no LLM)") || !strings.Contains(out, "Rebased feature onto main: 1 commit") || !l.whole() {
		t.Errorf("observed %s", out)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(l.dir), "prompt")); err == nil {
		t.Error("an agent was asked")
	}
}

// TestWhatMovedIsNotPublished: between the start and the end of the work apart,
// the person works on.
func TestWhatMovedIsNotPublished(t *testing.T) {
	t.Parallel()
	kit := compiled(t, gitOps)
	for name, tc := range map[string]struct {
		move func(l *lab)
		says string
	}{
		"a commit":          {func(l *lab) { l.commit("more\n", "more") }, "feature has moved"},
		"another branch":    {func(l *lab) { l.git("switch", "-q", "-c", "other") }, ""},
		"a changed file":    {func(l *lab) { l.file(filepath.Join(l.dir, "f.txt"), "mine, not committed\n") }, "f.txt"},
		"a file in the way": {func(l *lab) { l.file(filepath.Join(l.dir, "new.txt"), "mine\n") }, "new.txt"},
		"an operation": {func(l *lab) {
			l.git("branch", "side", "HEAD~1")
			l.command(nil, "git", "cherry-pick", "main~1").Run()
		}, "cherry-pick"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, kit, 2)
			l.git("switch", "-q", "main")
			l.file(filepath.Join(l.dir, "new.txt"), "theirs\n")
			l.git("add", "new.txt")
			l.git("commit", "-q", "-m", "new")
			l.git("switch", "-q", "feature")
			h := l.holdAt("record 12") // the work apart has begun
			c, out := l.prompt(l.rebase, h.env...)
			l.check(c.Start())
			ended := make(chan error, 1)
			go func() { ended <- c.Wait() }()
			if !h.wait(ended) {
				t.Fatalf("the drive did not come so far: %s", out)
			}
			tc.move(l)
			before := l.look()
			h.letGo()
			<-ended
			if after := l.look(); after != before {
				t.Errorf("the tree was touched:\n%s\nbefore:\n%s\n%s", after, before, out)
			}
			if name == "another branch" {
				return // the branch itself may move: it is checked out nowhere
			}
			if got := l.git("rev-parse", "feature"); name != "a commit" && got != l.start {
				t.Errorf("the branch was moved to %s", got)
			}
			if !strings.Contains(out.String(), tc.says) || !strings.Contains(out.String(), "given up") || strings.Contains(out.String(), "reset --keep") {
				t.Errorf("the report: %s", out)
			}
		})
	}
}
