package stories_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// refusal is a repository in which commands must change nothing, and why.
type refusal struct {
	name  string
	ready func(*site)
	say   []string
	hint  string // what the model is told
}

// stuckInMerge and its like stand in the middle of an operation.
func stuckInMerge(s *site)  { diverged(s); s.fail("merge", "side") }
func stuckInRebase(s *site) { diverged(s); s.fail("rebase", "side") }
func stuckInPick(s *site)   { diverged(s); s.fail("cherry-pick", "side") }

// diverged has two branches that change one line differently.
func diverged(s *site) {
	s.git("switch", "-q", "-c", "side")
	s.commit("one.txt", "side\n")
	s.git("switch", "-q", "main")
	s.commit("one.txt", "main\n")
}

func detached(s *site) { s.git("checkout", "-q", "--detach") }

func unborn(s *site) { s.git("symbolic-ref", "HEAD", "refs/heads/new"); s.git("reset", "-q") }

func staged(s *site) { changed(s); s.git("add", "one.txt") }

// anyOperation are commands that must not touch an operation in progress.
func anyOperation() []string {
	return []string{
		"commit", `commit: "x"`, "commit and push", "push", "force push", "stage everything", "unstage everything", "stash", "pop the stash", "pull",
		"undo the last commit", "discard my changes", "back to main", "git switch side-1", "create a branch called fix/a", "push and open a PR",
	}
}

func refusals() []refusal {
	return slices.Concat(stateRefusals(), remoteRefusals(), branchRefusals(), contentRefusals())
}

func stateRefusals() []refusal {
	return []refusal{
		{"mid-merge", stuckInMerge, anyOperation(), "is in progress"},
		{"mid-rebase", stuckInRebase, anyOperation(), "is in progress"},
		{"mid-cherry-pick", stuckInPick, anyOperation(), "is in progress"},
		{"detached", func(s *site) { detached(s); staged(s) }, []string{"commit", `commit: "x"`, "push", "pull", "undo the last commit", "open a PR", "commit and push"}, "detached"},
		{"detached and alone", func(s *site) { detached(s); s.commit("a", "a\n") }, []string{"back to main", "git switch main"}, "No branch has the last commit"},
		{"unborn", unborn, []string{"push", "git diff", "git log", "stash", "undo the last commit", "back to main", "pull", "discard my changes"}, "no commit yet"},
		{"dirty", func(s *site) { s.git("branch", "develop"); changed(s) }, []string{"pull", "back to main", "switch to develop"}, "not committed"},
		{"bare", func(s *site) { s.work = s.bare }, []string{"git status", "commit", "push", "git fetch", "back to main"}, "no git working tree"},
		{"not a repository", func(s *site) { s.work = s.t.TempDir() }, []string{"git status", "commit", "push", "stash", "open a PR", "list the worktrees", "undo the last commit"}, "no git working tree"},
		{"no name", func(s *site) {
			staged(s)
			s.git("config", "user.useConfigOnly", "true")
			s.git("config", "user.name", "")
		}, []string{"commit", `commit: "x"`, "commit and push"}, "does not know who you are"},
		{"not offered", func(s *site) { staged(s); s.commitMessage = "pass" }, []string{"commit", "commit and push", "commit, push and open a PR"}, ""},
		{"not offered yet", func(s *site) { staged(s); s.commitMessage = "agent" }, []string{"commit", "commit and push", "commit, push and open a PR"}, ""},
	}
}

func remoteRefusals() []refusal {
	noRemote := func(s *site) { changed(s); s.git("remote", "remove", "origin") }
	behind := func(s *site) { s.elsewhere("main", "theirs.txt"); s.git("fetch", "-q") }
	return []refusal{
		{"no remote", noRemote, []string{"push", "git fetch", "commit and push", "push and open a PR", "open a PR", "mark the PR as ready"}, "no remote"},
		{"several remotes", func(s *site) {
			noRemote(s)
			s.git("remote", "add", "a", s.bare)
			s.git("remote", "add", "b", s.bare)
		}, []string{"push", "git fetch", "commit and push"}, "several remotes"},
		{"no upstream", feature, []string{"pull", "force push", "open a PR"}, "no upstream"},
		{"another upstream", func(s *site) { feature(s); s.git("branch", "-q", "--set-upstream-to=origin/main") }, []string{"push", "force push", "push and PR"}, "follows origin/main"},
		{"behind", behind, []string{"push", "commit and push"}, "pull first"},
		{"diverged", func(s *site) { behind(s); s.commit("one.txt", "two\n") }, []string{"pull"}, "diverged"},
		{"protected", func(s *site) { s.commit("one.txt", "two\n") }, []string{"force push"}, "protected"},
		{"protected by name", func(s *site) {
			s.git("switch", "-q", "-c", "master")
			s.git("push", "-q", "-u", "origin", "master")
			s.commit("one.txt", "two\n")
		}, []string{"force push"}, "protected"},
		{"nothing to force", pushedFeature, []string{"force push"}, "nothing to push"},
		{"default branch", func(s *site) { s.commit("one.txt", "two\n") }, []string{"open a PR", "push and open a PR", "mark the PR as ready"}, "default branch"},
		{"not pushed", func(s *site) { pushedFeature(s); s.commit("one.txt", "two\n") }, []string{"open a draft PR"}, "push first"},
		{"no gh", func(s *site) { pushedFeature(s); s.withoutGH() }, []string{"open a PR", "push and PR", "mark the PR as ready"}, "GitHub CLI"},
		{"pushed", nothing, []string{"undo the last commit"}, "was pushed"},
	}
}

func branchRefusals() []refusal {
	taken := func(s *site) { s.git("worktree", "add", "-q", "-b", "busy/a", filepath.Join(s.t.TempDir(), "there")) }
	return []refusal{
		{"exists", func(s *site) { s.git("branch", "fix/a") }, []string{"create a branch called fix/a", "git switch -c fix/a"}, "already"},
		{"exists on the remote", func(s *site) {
			pushedFeature(s)
			s.git("switch", "-q", "main")
			s.git("branch", "-D", "-q", "feature/x")
		}, []string{"create a branch called feature/x"}, "already"},
		{"no path", nothing, []string{"create a long-running branch"}, "not certain"},
		{"unknown", nothing, []string{"git switch nope-1", "switch to branch nope-1"}, "no branch of that name"},
		{"unknown, said without the word", nothing, []string{"switch to nope-1", "checkout v2", "go to the else-if branch"}, ""},
		{"here", func(s *site) { feature(s) }, []string{"switch to feature/x"}, "This is that branch"},
		{"in another worktree", taken, []string{"switch to busy/a", "create a worktree for busy/a"}, "another worktree"},
		{"main in another worktree", func(s *site) {
			feature(s)
			s.git("worktree", "add", "-q", filepath.Join(s.t.TempDir(), "there"), "main")
		}, []string{"back to main"}, "another worktree"},
		{"no default branch", func(s *site) { s.git("branch", "-m", "trunk"); s.git("remote", "remove", "origin") }, []string{"back to main"}, "not known"},
		{"another default branch", func(s *site) {
			feature(s)
			s.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/feature/x")
		}, []string{"back to main"}, "say which"},
		{"place taken", func(s *site) { s.write(s.work+"-fix-a/file", "x") }, []string{"create a worktree for the branch fix/a"}, "exists already"},
		{"checked out here", feature, []string{"create a worktree for the branch feature/x"}, "checked out here"},
		{"nothing stale", nothing, []string{"clean up the worktrees"}, "nothing is stale"},
		{"stale and detached", func(s *site) {
			s.git("worktree", "add", "-q", "--detach", s.work+"-gone")
			if err := os.RemoveAll(s.work + "-gone"); err != nil {
				s.t.Fatal(err)
			}
		}, []string{"prune stale worktrees"}, "on no branch"},
	}
}

func contentRefusals() []refusal {
	put := func(s *site) { changed(s); s.git("stash", "-q") }
	return []refusal{
		{"clean", func(s *site) { s.git("stash", "-q", "-u") }, []string{"commit", "commit and push"}, "nothing to commit"},
		{"nothing to stage", nothing, []string{"stage everything"}, "no change to stage"},
		{"nothing changed", nothing, []string{"stash", "discard my changes"}, "No tracked file differs"},
		{"only untracked", nothing, []string{"commit"}, "untracked files alone"},
		{"nothing staged", changed, []string{`commit: "x"`, "unstage everything", "commit the staged changes"}, "Nothing is staged"},
		{"strays", func(s *site) { changed(s); s.strays = "pass" }, []string{"commit", "commit everything", "commit all changes", "stage everything"}, bystander},
		{"strays, and something staged", func(s *site) { staged(s); s.strays = "pass" }, []string{"commit everything", "commit all my changes and push"}, bystander},
		{"staged and changed again", func(s *site) { staged(s); s.put("one.txt", "three\n") }, []string{"unstage everything"}, "would be lost"},
		{"in the way of discarding", func(s *site) { s.git("rm", "-q", "--cached", "one.txt"); s.put("one.txt", "kept\n") }, []string{"discard my changes", "stash"}, "one.txt"},
		{"no stash", nothing, []string{"pop the stash"}, "no stash"},
		{"stash, and a dirty tree", func(s *site) { put(s); s.put("dirty.txt", "dirty\n") }, []string{"pop the stash"}, "not committed"},
		{"stash that conflicts", func(s *site) { put(s); s.commit("one.txt", "three\n") }, []string{"pop the stash"}, "has changed since"},
		{"stash with a file in the way", func(s *site) {
			s.put("dir/a", "a\n")
			s.git("add", "dir/a")
			s.git("stash", "-q")
			s.put("dir", "in the way\n")
		}, []string{"pop the stash"}, "stands where"},
		{"merge commit", func(s *site) {
			s.git("switch", "-q", "-c", "side")
			s.commit("side.txt", "side\n")
			s.git("switch", "-q", "main")
			s.git("merge", "-q", "--no-ff", "--no-edit", "side")
		}, []string{"undo the last commit"}, "is a merge"},
		{"first commit", func(s *site) { s.git("switch", "-q", "--orphan", "new"); s.commit("a", "a\n") }, []string{"undo the last commit"}, "no parent"},
		{"edge of a shallow clone", func(s *site) {
			s.work = filepath.Join(s.t.TempDir(), "shallow")
			s.gitIn(s.home, "clone", "-q", "--depth=1", "file://"+s.bare, s.work)
			s.put(bystander, "mine\n")
		}, []string{"undo the last commit"}, "no parent"},
	}
}

// withoutGH leaves a PATH with git and a shell alone.
func (s *site) withoutGH() {
	s.t.Helper()
	bin := filepath.Join(s.t.TempDir(), "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range []string{"git", "bash", "sh"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(bin, name))
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	s.env = append(s.env, "PATH="+bin)
}

// TestRefusals: a command that may not run changes nothing at all, here and
// on the remote, and the model is told why.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range refusals() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			c.ready(s)
			before := s.everything()
			for _, prompt := range c.say {
				r := s.say(prompt)
				if strings.Contains(r.text, "Send the same again") {
					r = s.say(prompt)
				}
				if r.stopped || !strings.Contains(r.text, c.hint) || (c.hint == "" && r.text != "") {
					t.Errorf("%q: stopped %v, expected %q, observed %q", prompt, r.stopped, c.hint, r.text)
				}
				s.equal("after "+prompt, s.everything(), before)
			}
		})
	}
}

// failures are commands that git, a hook or the remote stops when they have
// begun.
func failures() []refusal {
	signing := func(s *site) {
		staged(s)
		s.git("config", "commit.gpgSign", "true")
		s.git("config", "gpg.program", "false")
	}
	return []refusal{
		{"pre-commit hook", func(s *site) { staged(s); s.hook(filepath.Join(s.work, ".git"), "pre-commit", "exit 1") }, []string{"commit", `commit: "x"`, "commit and push"}, "git commit"},
		{"pre-commit hook, nothing staged", func(s *site) { changed(s); s.hook(filepath.Join(s.work, ".git"), "pre-commit", "exit 1") }, []string{"commit", "commit all changes and push"}, "git commit"},
		{"pre-commit hook, strays taken in", func(s *site) {
			staged(s)
			s.put("dirty.txt", "dirty\n")
			s.strays = "include"
			s.hook(filepath.Join(s.work, ".git"), "pre-commit", "exit 1")
		}, []string{"commit everything"}, "exit status 1"},
		{"signing", signing, []string{"commit", `commit: "x"`}, "git commit"},
		{"pre-push hook", func(s *site) { feature(s); s.hook(filepath.Join(s.work, ".git"), "pre-push", "exit 1") }, []string{"push", "push and open a PR"}, "git push"},
		{"protected on the remote", func(s *site) {
			s.commit("one.txt", "two\n")
			s.hook(s.bare, "update", `case "$1" in refs/heads/main) echo protected >&2; exit 1 ;; esac`)
		}, []string{"push"}, "protected"},
		{"file-size limit of the remote", func(s *site) {
			s.commit("big.bin", strings.Repeat("0123456789", 100_000))
			s.hook(s.bare, "pre-receive", `while read -r _ new _; do test "$(git cat-file -s "$new:big.bin")" -lt 1000 || { echo too large >&2; exit 1; }; done`)
		}, []string{"push"}, "too large"},
		{"remote out of reach", func(s *site) { s.git("config", "remote.origin.url", s.bare+"-gone"); s.commit("one.txt", "two\n") }, []string{"push", "git fetch", "pull"}, "git"},
	}
}

// TestFailures: what fails on its way leaves the repository as it was.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, c := range failures() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			c.ready(s)
			before := s.everything()
			for _, prompt := range c.say {
				r := s.say(prompt)
				if r.stopped || !strings.Contains(r.text, c.hint) {
					t.Errorf("%q: stopped %v, expected %q, observed %q", prompt, r.stopped, c.hint, r.text)
				}
				s.equal("after "+prompt, s.everything(), before)
			}
			s.whole()
		})
	}
}
