package stories_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVariants: the same commands where the repository is another one than
// the usual.
func TestVariants(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T, *site){
		"first commit, and back":        firstCommit,
		"strays taken in":               straysTakenIn,
		"strays left out":               straysLeftOut,
		"part of the changes staged":    partlyStaged,
		"a branch of the remote":        remoteBranch,
		"a default branch named master": masterBranch,
		"back to main, offline":         offline,
		"back to main, diverged":        divergedMain,
		"push after a commit":           plainPush,
		"nothing to pull":               nothingToPull,
		"a PR that is open":             openAlready,
		"a push that a PR then fails":   failingGH,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			test(t, s)
			s.whole()
		})
	}
}

// take sends a prompt that must be done, and gives the report.
func (s *site) take(prompt string) string {
	s.t.Helper()
	r := s.say(prompt)
	if !r.stopped {
		s.t.Fatalf("%q was not taken: %s", prompt, r.text)
	}
	return r.text
}

func firstCommit(t *testing.T, s *site) {
	unborn(s)
	s.git("add", "one.txt")
	report := s.take("commit what is staged")
	s.equal("commits", s.git("rev-list", "--count", "HEAD"), "1")
	s.equal("subject", s.git("log", "-1", "--format=%s"), "Add one.txt")
	s.undo(report[strings.Index(report, "To undo it and keep"):])
	if out, err := s.tryIn(s.work, "git", "rev-parse", "-q", "--verify", "HEAD"); err == nil {
		t.Errorf("HEAD is %s", out)
	}
	s.equal("staged", s.git("ls-files"), "one.txt")
}

func straysTakenIn(_ *testing.T, s *site) {
	s.strays = "include"
	changed(s)
	s.put("a new/file", "new\n")
	s.take("commit everything")
	s.equal("left", s.git("status", "--porcelain"), "")
	s.equal("message", s.git("log", "-1", "--format=%B"), "Change one.txt, file and notes.txt\n\n- changed one.txt\n- added a new/file\n- added notes.txt")
}

func straysLeftOut(t *testing.T, s *site) {
	changed(s)
	if report := s.take("commit all changes"); !strings.Contains(report, "Untracked, so not in it: "+bystander) {
		t.Error(report)
	}
	s.equal("left", s.git("status", "--porcelain"), "?? "+bystander)
}

func partlyStaged(_ *testing.T, s *site) {
	staged(s)
	s.put("dirty.txt", "dirty\n")
	s.take("commit")
	s.equal("left", s.git("status", "--porcelain"), " M dirty.txt\n?? "+bystander)
	staged(s)
	s.put("one.txt", "three\n")
	s.take("commit everything")
	s.equal("left", s.git("status", "--porcelain"), "?? "+bystander)
}

func remoteBranch(_ *testing.T, s *site) {
	pushedFeature(s)
	s.git("switch", "-q", "main")
	s.git("branch", "-q", "-D", "feature/x")
	s.take("switch to branch feature/x")
	s.equal("upstream", s.git("rev-parse", "--abbrev-ref", "@{upstream}"), "origin/feature/x")
	s.git("switch", "-q", "main")
	s.git("branch", "-q", "-D", "feature/x")
	s.take("create a worktree for the branch feature/x")
	s.equal("upstream", s.gitIn(s.work+"-feature-x", "rev-parse", "--abbrev-ref", "@{upstream}"), "origin/feature/x")
}

func masterBranch(_ *testing.T, s *site) {
	s.git("branch", "-q", "-m", "master")
	s.git("push", "-q", "-u", "origin", "master")
	s.git("remote", "set-head", "origin", "master")
	feature(s)
	s.take("switch to main")
	s.equal("branch", s.branch(), "master")
}

func offline(t *testing.T, s *site) {
	feature(s)
	s.git("config", "remote.origin.url", s.bare+"-gone")
	if report := s.take("back to main"); !strings.Contains(report, "could not be fetched") {
		t.Error(report)
	}
	s.equal("branch", s.branch(), "main")
}

func divergedMain(t *testing.T, s *site) {
	s.commit("one.txt", "two\n")
	ours := s.head()
	s.elsewhere("main", "theirs.txt")
	s.git("switch", "-q", "-c", "feature/x")
	if report := s.take("back to main"); !strings.Contains(report, "diverged") {
		t.Error(report)
	}
	s.equal("HEAD", s.head(), ours)
}

func plainPush(t *testing.T, s *site) {
	s.git("config", "push.default", "matching")
	s.git("branch", "other", "HEAD~1")
	s.git("push", "-q", "origin", "other")
	s.git("branch", "-f", "other", "HEAD")
	s.commit("one.txt", "two\n")
	if report := s.take("push"); !strings.Contains(report, "Pushed 1 commit of main to origin/main") {
		t.Error(report)
	}
	s.equal("the remote", s.remote("main"), s.head())
	s.equal("the other branch", s.remote("other"), s.git("rev-parse", "HEAD~2"))
}

func nothingToPull(t *testing.T, s *site) {
	s.commit("one.txt", "two\n")
	if report := s.take("pull"); !strings.Contains(report, "has everything that origin/main has, and 1 commit more") {
		t.Error(report)
	}
}

func openAlready(t *testing.T, s *site) {
	pushedFeature(s)
	bin := filepath.Join(t.TempDir(), "bin")
	s.write(filepath.Join(bin, "gh"), "#!/bin/sh\necho \"$*\" >>\"$GH_LOG\"\necho '{\"state\":\"OPEN\",\"url\":\"https://example.com/pull/3\"}'\n")
	if err := os.Chmod(filepath.Join(bin, "gh"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if report := s.take("open a PR"); !strings.Contains(report, "https://example.com/pull/3") {
		t.Error(report)
	}
	s.equal("gh", s.asked(), "pr view --json state,url\n")
}

func failingGH(t *testing.T, s *site) {
	feature(s)
	bin := filepath.Join(t.TempDir(), "bin")
	s.write(filepath.Join(bin, "gh"), "#!/bin/sh\necho 'not logged in' >&2\nexit 4\n")
	if err := os.Chmod(filepath.Join(bin, "gh"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	r := s.say("push and open a PR")
	if r.stopped || !strings.Contains(r.text, "not logged in") || !strings.Contains(r.text, "git push") {
		t.Errorf("stopped %v: %s", r.stopped, r.text)
	}
	s.equal("the remote", s.remote("feature/x"), s.head())
}
