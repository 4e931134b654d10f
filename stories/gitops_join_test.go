package stories_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kitsoki/runtime/artifact"
)

func TestUpdateFromMain(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		by, way string
		commits string // of feature/x that main lacks
		say     string
	}{
		{"merge", "", "Merge remote-tracking branch 'origin/main' into feature/x\nChange 1", "Merged origin/main into feature/x"},
		{"rebase", "", "Change 1", "Rebased feature/x onto origin/main: 1 commit"},
		{"rebase", "merge main", "Merge remote-tracking branch 'origin/main' into feature/x\nChange 1", "Merged origin/main"},
	} {
		t.Run(tc.by+tc.way, func(t *testing.T) {
			t.Parallel()
			s := newWork(t, token())
			s.elsewhere("main", "theirs.txt")
			was := s.head()
			d := &drive{site: s, intent: "update_from_main", agent: noAgent, world: map[string]any{"update_by": tc.by, "build_check_cmd": "test -f theirs.txt && test -f code.txt"}}
			if tc.way != "" {
				d.slots = map[string]any{"merged": tc.way}
			}
			s.says(d.done(), tc.say, "The build check passed.", "git reset --keep "+was)
			s.equal("commits", s.git("log", "--format=%s", "--first-parent", "origin/main..feature/x"), tc.commits)
			s.equal("theirs.txt", s.read("theirs.txt"), "theirs\n")
			s.apart()
			d = &drive{site: s, intent: "update_from_main", agent: noAgent}
			s.says(d.doneIn("branch_ops"), "has everything that origin/main has")
			s.apart()
		})
	}
}

// TestUpdateByTheBranchThatHasMore: a local main that is ahead of its upstream
// is what one wants; of two that have diverged it is told which one was taken.
func TestUpdateByTheBranchThatHasMore(t *testing.T) {
	t.Parallel()
	s := newWork(t, token())
	s.onMain("local.txt", "local\n")
	d := &drive{site: s, intent: "update_from_main", agent: noAgent}
	s.says(d.done(), "Merged main into feature/x")
	s.equal("local.txt", s.read("local.txt"), "local\n")
	s.elsewhere("main", "theirs.txt")
	d = &drive{site: s, intent: "update_from_main", agent: noAgent}
	s.says(d.done(), "Merged origin/main into feature/x", "main itself has 1 commit that origin/main lacks")
	s.apart()
}

func TestUpdateWithAConflict(t *testing.T) {
	t.Parallel()
	s, main, mine := conflicted(t, 2)
	d := &drive{site: s, intent: "update_from_main", agent: joins, slots: map[string]any{"merged": "merge main"}}
	s.says(d.done(), "Merged main into feature/x", "An agent resolved conflicts in code.txt")
	s.equal("code.txt", s.read("code.txt"), "first\n"+mine[1]+"\n"+main+"\nthird\n")
	s.equal("subject", s.git("log", "-1", "--format=%B"), "Merge branch 'main' into feature/x")
	s.apart()
}

func TestPullDiverged(t *testing.T) {
	t.Parallel()
	rebased, merged := "Change 1", "Merge remote-tracking branch 'origin/feature/x' into feature/x\nChange 1"
	for _, tc := range []struct {
		slot, way, want string
	}{
		{"way", "rebase", rebased},
		{"way", "merge", merged},
		{"rebased", "rebase", rebased},
		{"flag", "--rebase", rebased},
		{"flag", "--no-rebase", merged},
		{"", "", merged},
	} {
		t.Run(tc.slot+tc.way, func(t *testing.T) {
			t.Parallel()
			s := newWork(t)
			s.git("push", "-q", "-u", "origin", "feature/x")
			s.elsewhere("feature/x", "theirs.txt")
			s.put("code.txt", "mine\n")
			s.git("commit", "-q", "-a", "-m", "Change 1")
			was := s.head()
			d := &drive{site: s, intent: "pull_diverged", agent: noAgent}
			if tc.slot != "" {
				d.slots = map[string]any{tc.slot: tc.way}
				if tc.want == merged {
					d.world = map[string]any{"update_by": "rebase"}
				}
			}
			s.says(d.done(), "origin/feature/x", "git reset --keep "+was)
			s.equal("commits", s.git("log", "--format=%s", "--first-parent", "@{upstream}.."), tc.want)
			s.apart()
			s.git("push", "-q") // by fast-forward
		})
	}
}

// TestDefaultAndIntegrationBranch: "the main branch" is the default one also
// where the branch that others come back to is set to be another.
func TestDefaultAndIntegrationBranch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		prompt, say string
	}{
		{"rebase this onto the main branch", "Rebased feature/x onto main"},
		{"rebase this onto the integration branch", "Rebased feature/x onto develop"},
		{"rebase this branch", "Rebased feature/x onto develop"},
		{"update from the default branch", "Rebased feature/x onto main"},
		{"update from our parent branch", "Rebased feature/x onto develop"},
		{"merge the main branch", "Merged main into feature/x"},
		{"merge in the integration branch", "Merged develop into feature/x"},
		{"merge the integration branch into this branch", "Merged develop into feature/x"},
	} {
		t.Run(tc.prompt, func(t *testing.T) {
			t.Parallel()
			s := newWork(t, token())
			s.git("branch", "-q", "develop", "main")
			s.onMain("main.txt", "main\n")
			s.git("switch", "-q", "develop")
			s.commit("develop.txt", "develop\n")
			s.git("switch", "-q", "feature/x")
			_, raw := compiled(t, "git-ops")
			f, err := artifact.Decode("git-ops", raw)
			if err != nil {
				t.Fatal(err)
			}
			v := verdict(t, f, "intercept", tc.prompt)
			if !v.Intercept {
				t.Fatalf("%+v", v)
			}
			slots := map[string]any{}
			for _, v := range v.Hit.Slots {
				slots[v.Name] = v.Value
			}
			d := &drive{site: s, intent: v.Hit.Intent, agent: noAgent, slots: slots, world: map[string]any{"integration_branch": "develop", "update_by": "rebase"}}
			s.says(d.done(), tc.say)
			s.apart()
		})
	}
}

func TestSquash(t *testing.T) {
	t.Parallel()
	s := newWork(t, token(), token(), token())
	s.git("push", "-q", "-u", "origin", "feature/x")
	s.onMain("other.txt", "other\n")
	was, tree := s.head(), s.git("rev-parse", "HEAD^{tree}")
	d := &drive{site: s, intent: "squash", agent: noAgent, world: map[string]any{"build_check_cmd": "false"}}
	s.says(d.done(), "Squashed 3 commits of feature/x into one: Change 1", "takes a force push", "git reset --keep "+was)
	s.equal("message", s.git("log", "-1", "--format=%B"), "Change 1\n\n- Change 1\n- Change 2\n- Change 3")
	s.equal("commits", s.git("rev-list", "--count", "main..HEAD"), "1")
	s.equal("tree", s.git("rev-parse", "HEAD^{tree}"), tree)
	s.apart()
	s.git("reset", "-q", "--keep", was)
	d = &drive{site: s, intent: "squash", agent: noAgent, slots: map[string]any{"message": "Say \"it's\" $HOME"}}
	s.says(d.done(), "into one: Say \"it's\" $HOME")
	s.equal("message", s.git("log", "-1", "--format=%B"), "Say \"it's\" $HOME")
	s.apart()
}

func TestMergeIntoMain(t *testing.T) {
	t.Parallel()
	s := newWork(t, token())
	was := s.git("rev-parse", "main")
	d := &drive{site: s, intent: "merge_into_main", agent: noAgent}
	say := d.done()
	s.says(say, "main went forward to feature/x", "To undo: git update-ref")
	s.equal("main", s.git("rev-parse", "main"), s.head())
	s.equal("branch", s.branch(), "feature/x")
	s.apart()
	s.undo(say[strings.Index(say, "To undo"):])
	s.equal("main", s.git("rev-parse", "main"), was)

	s, main, mine := conflicted(t, 1)
	was = s.git("rev-parse", "main")
	d = &drive{site: s, intent: "merge_into_main", agent: joins}
	s.says(d.done(), "Merged feature/x into main", "An agent resolved")
	s.equal("subject", s.git("log", "-1", "--format=%s", "main"), "Merge branch 'feature/x'")
	s.equal("parents", s.git("log", "-1", "--format=%P", "main"), was+" "+s.head())
	s.equal("code.txt", s.git("show", "main:code.txt"), "first\n"+main+"\n"+mine[0]+"\nthird")
	s.equal("code.txt here", s.read("code.txt"), "first\n"+mine[0]+"\nthird\n")
	s.apart()
}

// TestRemembered: a conflict that the person has resolved before, where git is
// to remember, needs no agent.
func TestRemembered(t *testing.T) {
	t.Parallel()
	s, main, mine := conflicted(t, 1)
	s.git("config", "rerere.enabled", "true")
	was := s.head()
	s.fail("rebase", "main")
	s.put("code.txt", "first\nboth "+main+mine[0]+"\nthird\n")
	s.git("add", "code.txt")
	s.git("rebase", "--continue")
	s.git("reset", "-q", "--hard", was)
	d := &drive{site: s, intent: "rebase", agent: noAgent}
	s.says(d.done(), "resolved without an agent")
	s.equal("code.txt", s.read("code.txt"), "first\nboth "+main+mine[0]+"\nthird\n")
	s.apart()
}

// TestGoSum: of go.sum both sides are right, and go mod tidy knows what is
// needed; where it does not, an agent is asked.
func TestGoSum(t *testing.T) {
	t.Parallel()
	for name, tidy := range map[string]string{"tidied": "sort -u -o go.sum go.sum", "not": "exit 1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newWork(t)
			bin := filepath.Join(s.home, "bin")
			s.write(filepath.Join(bin, "go"), "#!/bin/sh\n[ \"$*\" = 'mod tidy' ] || exit 2\ngrep -q '<<<' go.sum && exit 3\n"+tidy+"\n")
			if err := os.Chmod(filepath.Join(bin, "go"), 0o700); err != nil {
				t.Fatal(err)
			}
			s.env = append(s.env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			s.put("go.mod", "module x\n")
			s.put("go.sum", "a v1 h1:a=\n")
			s.git("add", "-A", "--", "go.mod", "go.sum")
			s.git("commit", "-q", "-m", "Base")
			s.git("branch", "-f", "main", "HEAD")
			s.put("go.sum", "a v1 h1:a=\nb v1 h1:b=\n")
			s.git("commit", "-q", "-a", "-m", "Mine")
			s.onMain("go.sum", "a v1 h1:a=\nc v1 h1:c=\n")
			d := &drive{site: s, intent: "rebase", agent: joins}
			s.says(d.done(), map[string]string{"tidied": "without an agent", "not": "An agent resolved conflicts in go.sum"}[name])
			for _, line := range []string{"a v1 h1:a=\n", "b v1 h1:b=\n", "c v1 h1:c=\n"} {
				s.says(s.read("go.sum"), line)
			}
			s.equal("marker", fmt.Sprint(strings.Contains(s.read("go.sum"), "<<<")), "false")
			s.apart()
		})
	}
}

// TestLinks: what a build needs and git ignores is there.
func TestLinks(t *testing.T) {
	t.Parallel()
	s := newWork(t, token())
	s.put("node_modules/x/index.js", "js\n")
	s.onMain("other.txt", "other\n")
	d := &drive{site: s, intent: "rebase", agent: noAgent, world: map[string]any{
		"scratch_links": []any{"node_modules", "secret.env"}, "build_check_cmd": "test -f node_modules/x/index.js && test -f secret.env && test -f other.txt",
	}}
	s.says(d.done(), "The build check passed.")
	s.equal("index.js", s.read("node_modules/x/index.js"), "js\n")
	s.apart()
}
