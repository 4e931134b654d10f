package stories_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
)

// drivenCommands are the intents that are driven, each said in three ways.
func drivenCommands() []command {
	return []command{
		{intent: "rebase", say: [3]string{"rebase this onto main", "rebase this branch", "git rebase origin/main"}},
		{intent: "update_from_main", say: [3]string{"update from main", "merge main into this branch", "bring us up to date with main"}},
		{intent: "pull_diverged", say: [3]string{"pull and rebase", "git pull --rebase", "reconcile my branch with the remote"}},
		{intent: "squash", say: [3]string{"squash this branch", "squash my commits into one", `squash this branch with message "Add it"`}},
		{intent: "merge_into_main", say: [3]string{"merge this into main", "merge this branch into main", "merge my branch back into main please"}},
	}
}

// TestDrivenCommands: the wordings are taken, the intents are flagged, and no
// other is: a plain pull is done where no drive can be held.
func TestDrivenCommands(t *testing.T) {
	t.Parallel()
	var want, flagged []string
	_, raw := compiled(t, "git-ops")
	f, err := artifact.Decode("git-ops", raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range drivenCommands() {
		want = append(want, c.intent)
		for _, say := range c.say {
			if d := verdict(t, f, "intercept", say); !d.Intercept || d.Hit.Intent != c.intent || !d.Hit.Drive {
				t.Errorf("%q: %+v", say, d)
			}
		}
	}
	for _, in := range gitOps(t).Intents {
		if in.Drive && !in.Hidden {
			flagged = append(flagged, in.Name)
		}
	}
	slices.Sort(want)
	if !slices.Equal(flagged, want) {
		t.Errorf("flagged are %v, expected %v", flagged, want)
	}
}

// TestDrivesOfOddBranches: a branch's name is a value, whatever it looks like.
func TestDrivesOfOddBranches(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"-rf", "$(touch${IFS}x)", "it's;touch${IFS}x"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _, _ := conflicted(t, 1)
			s.git("update-ref", "refs/heads/"+name, "HEAD")
			s.git("symbolic-ref", "HEAD", "refs/heads/"+name)
			d := &drive{site: s, intent: "rebase", agent: joins}
			s.says(d.done(), "Rebased "+name+" onto main")
			d = &drive{site: s, intent: "merge_into_main", agent: noAgent}
			s.says(d.done(), "main went forward to "+name)
			d = &drive{site: s, intent: "update_from_main", agent: noAgent}
			s.says(d.doneIn("branch_ops"), "has everything that main has")
			s.equal("main", s.git("rev-parse", "main"), s.head())
			if _, err := os.Lstat(filepath.Join(s.work, "x")); err == nil {
				t.Error("the name was run")
			}
			s.apart()
		})
	}
}

func TestCleanRebase(t *testing.T) {
	t.Parallel()
	s := newWork(t, token(), token())
	s.onMain("other.txt", "other\n")
	was := s.head()
	d := &drive{site: s, intent: "rebase", agent: noAgent}
	say := d.done()
	s.says(say, "Rebased feature/x onto main: 2 commits", "To undo: git reset --keep "+was)
	s.equal("base", s.git("rev-parse", "HEAD~2"), s.git("rev-parse", "main"))
	s.equal("branch", s.branch(), "feature/x")
	s.equal("status", s.git("status", "--porcelain"), "?? "+bystander)
	s.apart()
	s.git("reset", "-q", "--keep", was)
	s.equal("back", s.head(), was)

	d = &drive{site: s, intent: "rebase", agent: noAgent, slots: map[string]any{"onto": "main~1"}}
	if !d.run() {
		t.Error(d.outcome.Detail)
	}
	s.says(d.outcome.Say, "feature/x has everything that main~1 has, and 2 commits more; nothing was changed")
	s.equal("HEAD", s.head(), was)
	s.apart()
}

func TestRebaseWithAConflict(t *testing.T) {
	t.Parallel()
	s, main, mine := conflicted(t, 1)
	was := s.head()
	d := &drive{site: s, intent: "rebase", agent: joins}
	say := d.done()
	s.says(say, "Rebased feature/x onto main", "An agent resolved conflicts in code.txt: kept both lines", "git reset --keep "+was)
	s.equal("asked", fmt.Sprint(d.asked), "[[code.txt]]")
	s.equal("code.txt", s.read("code.txt"), "first\n"+main+"\n"+mine[0]+"\nthird\n")
	s.equal("subject", s.git("log", "-1", "--format=%s"), "Change 1")
	s.equal("base", s.git("rev-parse", "HEAD~1"), s.git("rev-parse", "main"))
	s.apart()
}

func TestRebaseConflictInEachCommit(t *testing.T) {
	t.Parallel()
	s, main, mine := conflicted(t, 3)
	last := func(dir string, files []string, _ int) (bool, string, error) {
		// The whole side of the commit that is put on top.
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(dir, f))
			if err != nil {
				return false, "", err
			}
			_, rest, _ := strings.Cut(string(data), "=======\n")
			side, _, _ := strings.Cut(rest, ">>>>>>>")
			if err := os.WriteFile(filepath.Join(dir, f), []byte("first\n"+main+"\n"+side+"third\n"), 0o600); err != nil {
				return false, "", err
			}
		}
		return true, "the later line stays", nil
	}
	d := &drive{site: s, intent: "rebase", agent: last}
	d.done()
	s.equal("rounds", fmt.Sprint(len(d.asked)), "3")
	s.equal("commits", s.git("log", "--format=%s", "main.."), "Change 3\nChange 2\nChange 1")
	s.equal("code.txt", s.read("code.txt"), "first\n"+main+"\n"+mine[2]+"\nthird\n")
	s.apart()
}

// TestGivenUp: whatever goes wrong with the conflict, nothing of the person's
// has changed and the reason is told.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		agent agent
		world map[string]any
		why   string
	}{
		"unresolved": {func(string, []string, int) (bool, string, error) {
			return false, "the two can't both be", nil
		}, nil, "could not resolve the conflict in code.txt: the two can't both be"},
		"edited, then unresolved": {func(dir string, files []string, n int) (bool, string, error) {
			_, _, err := joins(dir, files, n)
			return false, "not sure", err
		}, nil, "not sure"},
		"markers left": {func(string, []string, int) (bool, string, error) {
			return true, "done", nil
		}, nil, "a conflict marker is left in code.txt, line 2"},
		"one marker left": {func(dir string, files []string, n int) (bool, string, error) {
			if _, _, err := joins(dir, files, n); err != nil {
				return false, "", err
			}
			return true, "done", os.WriteFile(filepath.Join(dir, files[0]), []byte("first\n=======\nthird\n"), 0o600)
		}, nil, "line 2: ======="},
		"crashed":     {func(string, []string, int) (bool, string, error) { return false, "", errors.New("exit status 1") }, nil, "exit status 1"},
		"build check": {joins, map[string]any{"build_check_cmd": "! grep -q third code.txt"}, "The build check failed, so nothing was published: ! grep -q third code.txt"},
		"touched another": {func(dir string, files []string, n int) (bool, string, error) {
			joins(dir, files, n)
			return true, "done", os.WriteFile(filepath.Join(dir, "one.txt"), []byte("x\n"), 0o600)
		}, nil, "git rebase has stopped"},
		"too many conflicts": {joins, map[string]any{"max_conflict_rounds": 1}, "after 1 of them it was given up"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _, _ := conflicted(t, 2)
			s.put("node_modules/x/dirty.txt", "built\n")
			d := &drive{site: s, intent: "rebase", agent: tc.agent, world: tc.world}
			d.givenUp(tc.why)
			s.apart()
		})
	}
}

func TestClaimsWithUnmergedPaths(t *testing.T) {
	t.Parallel()
	s, _, _ := conflicted(t, 1)
	d := &drive{site: s, intent: "rebase", agent: joins}
	d.before = func(call string, args map[string]any) {
		// A second conflict comes to be, in a path that nobody was given.
		if call == "host.git" && args["op"] == "add_resolved" {
			scratch := args["cwd"].(string)
			id := s.git("hash-object", "-w", "one.txt")
			index := strings.Repeat("0", 40)
			cmd := fmt.Sprintf("printf '0 %s\\tone.txt\\n100644 %s 2\\tone.txt\\n100644 %s 3\\tone.txt\\n' | git update-index --index-info", index, id, s.git("rev-parse", "HEAD:code.txt"))
			if out, err := s.tryIn(scratch, "sh", "-c", cmd); err != nil {
				t.Error(out)
			}
		}
	}
	d.givenUp("There are still conflicts: one.txt")
	s.apart()
}

// TestMovedMeanwhile: between the start and the publishing somebody else works
// in the person's tree; nothing is published, and that is said.
func TestMovedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		harm func(*site)
		why  string
	}{
		"the branch moved": {func(s *site) { s.commit("new.txt", "new\n") }, "feature/x has moved"},
		"a file changed":   {func(s *site) { s.put("code.txt", "mine\n") }, "not committed: code.txt"},
		"a file in the way": {func(s *site) {
			s.put("other.env", "mine\n")
		}, "untracked files would be overwritten: other.env"},
		"an operation": {func(s *site) { s.git("bisect", "start") }, "a bisect is in progress"},
		"another branch": {func(s *site) {
			s.git("switch", "-q", "main")
			s.git("worktree", "add", "-q", filepath.Join(s.home, "w"), "feature/x")
		}, "in use in another worktree"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _, _ := conflicted(t, 1)
			s.git("switch", "-q", "main")
			s.put("other.env", "theirs\n")
			s.git("add", "-f", "other.env")
			s.git("commit", "-q", "-m", "Track it")
			s.git("switch", "-q", "feature/x")
			d := &drive{site: s, intent: "rebase", agent: joins}
			after := ""
			d.before = func(call string, args map[string]any) {
				if call == "host.git" && args["op"] == "publish" {
					tc.harm(s)
					after = s.local() + s.git("for-each-ref")
				}
			}
			if d.run() {
				t.Fatalf("it was published: %s", d.outcome.Say)
			}
			s.says(fmt.Sprint(d.world1["last_error"]), tc.why, "nothing was published")
			s.equal("local", s.local()+s.git("for-each-ref"), after)
			left, _ := os.ReadDir(filepath.Join(s.cache(), "kitsoki", "scratch"))
			s.equal("left apart", fmt.Sprint(len(left)), "0")
		})
	}
}

// TestDrivesRefuse: what stands in the way is told before anything runs.
func TestDrivesRefuse(t *testing.T) {
	t.Parallel()
	all := []string{"rebase", "update_from_main", "pull_diverged", "squash", "merge_into_main"}
	for name, tc := range map[string]struct {
		harm    func(*site)
		intents []string
		hint    string
	}{
		"dirty":          {func(s *site) { s.put("one.txt", "mine\n") }, all, "not committed"},
		"staged":         {func(s *site) { s.put("one.txt", "mine\n"); s.git("add", "one.txt") }, all, "not committed"},
		"mid-rebase":     {func(s *site) { s.fail("rebase", "main") }, all, "A rebase is in progress"},
		"detached":       {func(s *site) { s.git("switch", "-q", "--detach") }, all, "detached"},
		"no name":        {func(s *site) { s.git("config", "user.useConfigOnly", "true"); s.git("config", "user.name", "") }, all, "who you are"},
		"no main":        {func(s *site) { s.git("remote", "remove", "origin"); s.git("branch", "-D", "-q", "main") }, []string{"rebase", "update_from_main", "squash", "merge_into_main"}, ""},
		"on main":        {func(s *site) { s.git("switch", "-q", "main") }, []string{"squash", "merge_into_main"}, ""},
		"no upstream":    {nothing, []string{"pull_diverged"}, "no upstream"},
		"one commit":     {func(s *site) { s.git("reset", "-q", "--hard", "main~1"); s.commit("two.txt", "2\n") }, []string{"squash"}, "nothing to squash: the branch has 1 commit that main lacks"},
		"a merge":        {func(s *site) { s.git("merge", "-q", "-s", "ours", "main") }, []string{"rebase"}, "merge commits"},
		"no common base": {func(s *site) { s.git("switch", "-q", "--orphan", "alone"); s.commit("a.txt", "a\n") }, []string{"rebase", "update_from_main"}, "no commit in common"},
		"main elsewhere": {func(s *site) { s.git("worktree", "add", "-q", filepath.Join(s.home, "w"), "main") }, []string{"merge_into_main"}, "another worktree"},
		"main behind": {func(s *site) {
			s.elsewhere("main", "theirs.txt")
			s.git("fetch", "-q")
		}, []string{"merge_into_main"}, "bring it up to date first"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _, _ := conflicted(t, 2)
			tc.harm(s)
			before := s.everything()
			for _, intent := range tc.intents {
				d := &drive{site: s, intent: intent, agent: noAgent}
				if d.run() || d.outcome.Kind != engine.Rejected {
					t.Fatalf("%s: %s %s", intent, d.outcome.Kind, d.outcome.Detail)
				}
				s.says(d.outcome.Hint, tc.hint)
			}
			s.equal("everything", s.everything(), before)
		})
	}
}

// TestStoppedBehindEachStep: wherever the work is cut off, its way back leads
// to where it began; only a branch that had been published already stays, and
// that is told.
func TestStoppedBehindEachStep(t *testing.T) {
	t.Parallel()
	for _, intent := range []string{"rebase", "update_from_main", "squash", "merge_into_main"} {
		t.Run(intent, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				s, _, _ := conflicted(t, 2)
				before, from := s.everything(), s.git("for-each-ref", "refs/heads")
				d := &drive{site: s, intent: intent, agent: joins, stopBehind: n}
				if d.run() {
					if n < 5 {
						t.Errorf("there were only %d steps", d.steps)
					}
					return
				}
				s.apart()
				if s.git("for-each-ref", "refs/heads") != from {
					s.says(d.said, "had come to", "already, and stays there")
					s.equal("told", fmt.Sprint(strings.Count(d.said, "stays there")), "1")
					continue
				}
				s.equal("everything", s.everything(), before)
			}
		})
	}
}
