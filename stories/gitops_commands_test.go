package stories_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kitsoki/runtime/artifact"
)

// command is one intent, said in three ways in a repository that is ready for
// it, and what must be so afterwards.
type command struct {
	intent string
	say    [3]string
	ready  func(*site)
	then   func(*site, reply)
	dirty  bool // a tracked file is changed beside it, and must stay so
	undo   bool // the report's own way back leads to where it began
}

func (s *site) equal(what, got, want string) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s: observed %q, expected %q", what, got, want)
	}
}

func (s *site) head() string { s.t.Helper(); return s.git("rev-parse", "HEAD") }

func (s *site) remote(branch string) string {
	s.t.Helper()
	return s.gitIn(s.bare, "rev-parse", "refs/heads/"+branch)
}

func (s *site) remoteRefs() string { s.t.Helper(); return s.gitIn(s.bare, "for-each-ref") }

func (s *site) branch() string { s.t.Helper(); return s.git("symbolic-ref", "--short", "HEAD") }

func (s *site) asked() string {
	data, _ := os.ReadFile(s.gh)
	return string(data)
}

// shows is what a command that only looks must print.
func shows(text string) func(*site, reply) {
	return func(s *site, r reply) {
		if !strings.Contains(r.text, text) {
			s.t.Errorf("the report lacks %q:\n%s", text, r.text)
		}
	}
}

func nothing(*site) {}

// feature goes to a branch with a commit of its own.
func feature(s *site) {
	s.git("switch", "-q", "-c", "feature/x")
	s.commit("x.txt", "x\n")
}

func pushedFeature(s *site) {
	feature(s)
	s.git("push", "-q", "-u", "origin", "feature/x")
}

func changed(s *site) { s.put("one.txt", "two\n") }

func commands() []command {
	return slices.Concat(lookCommands(), commitCommands(), remoteCommands(), requestCommands(), branchCommands(), asideCommands())
}

func lookCommands() []command {
	return []command{
		{"status", [3]string{"git status", "show me the git status please", "what's the git status?"}, nothing, shows("On main"), true, false},
		{"branch_name", [3]string{"current branch", "what branch am I on", "tell me the name of the current branch"}, nothing, shows("\nmain"), true, false},
		{"branch_list", [3]string{"git branch", "list the branches", "show me all branches"}, feature, shows("* feature/x"), true, false},
		{"diff", [3]string{"git diff", "show me the diff", "show my uncommitted changes"}, nothing, shows("+dirty"), true, false},
		{"diff_stat", [3]string{"diff stat", "git diff --stat", "list all the changed files"}, nothing, shows("dirty.txt |"), true, false},
		{"log", [3]string{"git log", "show me the recent commits", "show the commit history"}, nothing, shows("Write one.txt"), true, false},
		{"worktree_list", [3]string{"git worktree list", "list the worktrees", "show me the worktrees"}, nothing, shows("[main]"), true, false},
	}
}

func commitCommands() []command {
	committed := func(s *site, _ reply) {
		s.equal("the message", s.git("log", "-1", "--format=%B"), "Update one.txt\n\n- changed one.txt")
		s.equal("left", s.git("status", "--porcelain"), "?? "+bystander)
	}
	return []command{
		{"stage", [3]string{"stage everything", "stage all my changes", "git add -u"}, changed, func(s *site, _ reply) {
			s.equal("staged", s.git("diff", "--cached", "--name-only"), "one.txt")
		}, false, true},
		{"unstage", [3]string{"unstage everything", "unstage my changes", "please unstage all"}, func(s *site) { changed(s); s.git("add", "one.txt") }, func(s *site, _ reply) {
			s.equal("staged", s.git("diff", "--cached", "--name-only"), "")
			s.equal("one.txt", s.read("one.txt"), "two\n")
		}, true, true},
		{"commit", [3]string{"commit", "ok, commit the changes please", "commit everything"}, changed, committed, false, false},
		{"commit_with_message", [3]string{`commit with message "Say it's $HOME"`, `commit: "Say it's $HOME"`, `git commit with the message: "Say it's $HOME"`}, func(s *site) { changed(s); s.git("add", "one.txt") }, func(s *site, _ reply) {
			s.equal("the message", s.git("log", "-1", "--format=%B"), "Say it's $HOME")
			s.equal("left", s.git("status", "--porcelain"), " M dirty.txt\n?? "+bystander)
		}, true, false},
		{"undo_commit", [3]string{"undo the last commit", "uncommit", "take back the last commit"}, func(s *site) { s.commit("one.txt", "two\n") }, func(s *site, _ reply) {
			s.equal("HEAD", s.head(), s.git("rev-parse", "origin/main"))
			s.equal("staged", s.git("diff", "--cached", "--name-only"), "one.txt")
		}, true, true},
		{"discard_changes", [3]string{"discard my changes", "throw away all changes", "git reset --hard"}, func(s *site) {
			changed(s)
			s.put("new.txt", "new\n")
			s.git("add", "new.txt")
		}, func(s *site, _ reply) {
			s.equal("left", s.git("status", "--porcelain"), "?? "+bystander)
			s.equal("one.txt", s.read("one.txt"), "one\n")
		}, false, true},
	}
}

func remoteCommands() []command {
	pushed := func(s *site, _ reply) { s.equal("the remote", s.remote(s.branch()), s.head()) }
	return []command{
		{"push", [3]string{"push", "can you push these changes please", "push this branch to the remote"}, feature, func(s *site, r reply) {
			pushed(s, r)
			s.equal("upstream", s.git("rev-parse", "--abbrev-ref", "@{upstream}"), "origin/feature/x")
		}, true, false},
		{"force_push", [3]string{"force push", "force push this branch", "git push --force-with-lease"}, func(s *site) {
			pushedFeature(s)
			s.git("commit", "-q", "--amend", "-m", "Better")
		}, pushed, true, true},
		{"commit_push", [3]string{"commit and push", "commit this, then push", "please commit the changes and push them"}, changed, pushed, false, false},
		{"fetch", [3]string{"git fetch", "fetch the latest changes", "can you fetch from the remote?"}, func(s *site) { s.elsewhere("main", "theirs.txt") }, func(s *site, _ reply) {
			s.equal("origin/main", s.git("rev-parse", "origin/main"), s.remote("main"))
			s.equal("behind", s.git("rev-list", "--count", "HEAD..origin/main"), "1")
		}, true, false},
		{"pull", [3]string{"pull", "pull the latest changes", "update this branch from its upstream"}, func(s *site) { s.elsewhere("main", "theirs.txt") }, func(s *site, _ reply) {
			s.equal("HEAD", s.head(), s.remote("main"))
			s.equal("theirs.txt", s.read("theirs.txt"), "theirs\n")
		}, false, true},
	}
}

func requestCommands() []command {
	opened := func(flags string) func(*site, reply) {
		return func(s *site, _ reply) {
			s.equal("gh", s.asked(), "pr view --json state,url\npr create --fill"+flags+"\n")
			s.equal("the remote", s.remote("feature/x"), s.head())
		}
	}
	return []command{
		{"open_pr", [3]string{"open a PR", "create a pull request please", "make a PR for this"}, pushedFeature, opened(""), true, false},
		{"open_pr", [3]string{"open a draft PR", "can you create a draft pull request?", "raise a draft PR"}, pushedFeature, opened(" --draft"), true, false},
		{"push_pr", [3]string{"push and open a PR", "push and PR", "push, then create a pull request"}, feature, opened(""), true, false},
		{"commit_push_pr", [3]string{"commit, push and open a draft PR", "commit this, push, draft PR", "commit everything and push and create a draft pull request"}, func(s *site) {
			feature(s)
			changed(s)
		}, opened(" --draft"), false, false},
		{"pr_ready", [3]string{"mark the PR as ready", "set this pull request ready for review", "undraft the PR"}, pushedFeature, func(s *site, _ reply) {
			s.equal("gh", s.asked(), "pr ready\n")
		}, true, false},
	}
}

func branchCommands() []command {
	on := func(name string) func(*site, reply) {
		return func(s *site, _ reply) { s.equal("branch", s.branch(), name) }
	}
	side := func(s *site) { s.git("branch", "feature/x"); s.git("branch", "develop") }
	beside := func(s *site, _ reply) {
		s.equal("branch there", s.gitIn(s.work+"-feature-y", "symbolic-ref", "--short", "HEAD"), "feature/y")
	}
	return []command{
		{"new_branch", [3]string{"create a branch called feature/y", "git checkout -b feature/y", "cut a branch named feature/y"}, nothing, on("feature/y"), true, true},
		{"switch_branch", [3]string{"switch to feature/x", "ok, go back to the branch feature/x", "git switch feature/x"}, side, on("feature/x"), false, true},
		{"switch_branch", [3]string{"switch to develop", "checkout develop", "git checkout develop"}, side, on("develop"), false, true},
		{"back_to_main", [3]string{"back to main", "switch to main please", "check out main and pull"}, func(s *site) {
			feature(s)
			s.elsewhere("main", "theirs.txt")
		}, func(s *site, _ reply) {
			s.equal("branch", s.branch(), "main")
			s.equal("HEAD", s.head(), s.remote("main"))
		}, false, true},
		{"worktree_create", [3]string{"create a worktree for the branch feature/y", "please make a new git worktree for the branch feature/y", "add a worktree called feature/y"}, nothing, beside, true, true},
		{"worktree_create", [3]string{"create a worktree for the branch feature/y", "new worktree for feature/y", "set up a worktree on feature/y"}, func(s *site) { s.git("branch", "feature/y") }, beside, true, true},
		{"worktree_cleanup", [3]string{"clean up the worktrees", "git worktree prune", "prune stale worktrees"}, func(s *site) {
			s.git("worktree", "add", "-q", "-b", "gone", s.work+"-gone")
			if err := os.RemoveAll(s.work + "-gone"); err != nil {
				s.t.Fatal(err)
			}
		}, func(s *site, _ reply) {
			if list := s.git("worktree", "list"); strings.Contains(list, "gone") {
				s.t.Errorf("left: %s", list)
			}
			s.git("rev-parse", "refs/heads/gone")
		}, true, false},
	}
}

func asideCommands() []command {
	mixed := func(s *site) { changed(s); s.git("add", "one.txt"); s.put("dirty.txt", "more\n") }
	return []command{
		{"stash", [3]string{"stash", "stash my changes", "can you stash this?"}, mixed, func(s *site, _ reply) {
			s.equal("left", s.git("status", "--porcelain"), "?? "+bystander)
			s.equal("stashes", s.git("stash", "list", "--format=%gd"), "stash@{0}")
		}, false, true},
		{"stash_pop", [3]string{"pop the stash", "git stash pop", "bring back my stashed changes"}, func(s *site) {
			mixed(s)
			s.git("stash", "-q")
			s.commit("later.txt", "later\n")
		}, func(s *site, _ reply) {
			s.equal("back", s.git("status", "--porcelain"), " M dirty.txt\nM  one.txt\n?? "+bystander)
			s.equal("stashes", s.git("stash", "list"), "")
		}, false, true},
	}
}

// TestCommands runs every command in a real repository, through the hook as
// an agent starts it.
func TestCommands(t *testing.T) {
	t.Parallel()
	for _, c := range commands() {
		for _, prompt := range c.say {
			t.Run(c.intent+"/"+prompt, func(t *testing.T) {
				t.Parallel()
				c.run(newSite(t), prompt)
			})
		}
	}
}

func (c command) run(s *site, prompt string) {
	s.t.Helper()
	c.ready(s)
	if c.dirty {
		s.put("dirty.txt", "dirty\n")
	}
	before, remote := s.local(), s.remoteRefs()
	r := s.say(prompt)
	if strings.Contains(r.text, "Send the same again") {
		s.equal("before it was confirmed", s.local(), before)
		r = s.say(prompt)
	}
	if !r.stopped {
		s.t.Fatalf("%q was not taken: %s", prompt, r.text)
	}
	c.then(s, r)
	if c.dirty {
		s.equal("dirty.txt", s.read("dirty.txt"), "dirty\n")
	}
	s.whole()
	if c.undo {
		s.undo(r.text)
		s.equal("undone", s.local(), before)
		s.equal("undone on the remote", s.remoteRefs(), remote)
		s.whole()
	}
}

// undo follows the ways back that a report names, the last step first.
func (s *site) undo(report string) {
	s.t.Helper()
	found := regexp.MustCompile(`(?m)^To (?:undo|undo it and keep everything staged|take the new commits off again): (.*?)(?:   ·   .*)?$`).FindAllStringSubmatch(report, -1)
	if len(found) == 0 {
		s.t.Fatalf("no way back: %s", report)
	}
	for _, m := range found {
		if out, err := s.tryIn(s.work, "bash", "-c", m[1]); err != nil {
			s.t.Fatalf("%s: %v\n%s", m[1], err, out)
		}
	}
}

// TestFromBelowAndBeside: the whole tree is meant from a directory below its
// top too, and a linked worktree is one like any other.
func TestFromBelowAndBeside(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.commit("sub dir/a.txt", "a\n")
	changed(s)
	s.put("sub dir/a.txt", "b\n")
	if r := s.sayIn(filepath.Join(s.work, "sub dir"), "commit"); !r.stopped {
		t.Fatal(r.text)
	}
	s.equal("left", s.git("status", "--porcelain"), "?? "+bystander)
	linked := s.work + "-fix-a"
	if r := s.say("create a worktree for the branch fix/a"); !r.stopped {
		t.Fatal(r.text)
	}
	s.write(filepath.Join(linked, "one.txt"), "three\n")
	for _, prompt := range []string{"stash", "pop the stash", "commit and push"} {
		if r := s.sayIn(linked, prompt); !r.stopped {
			t.Fatalf("%q: %s", prompt, r.text)
		}
	}
	s.equal("the remote", s.remote("fix/a"), s.gitIn(linked, "rev-parse", "HEAD"))
	s.whole()
}

// TestEveryCommandIsTried: an intent without a case here is not specified.
func TestEveryCommandIsTried(t *testing.T) {
	t.Parallel()
	_, raw := compiled(t, "git-ops")
	f, err := artifact.Decode("git-ops", raw)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Program()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range p.Intents {
		if !in.Hidden && !slices.ContainsFunc(slices.Concat(commands(), drivenCommands()), func(c command) bool { return c.intent == in.Name }) {
			t.Errorf("%s has no case", in.Name)
		}
	}
}

// TestOddBranches: a branch's name is a value, whatever it looks like.
func TestOddBranches(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"-rf", "$(touch${IFS}x)", "it's;touch${IFS}x"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.git("update-ref", "refs/heads/"+name, "HEAD")
			s.git("symbolic-ref", "HEAD", "refs/heads/"+name)
			changed(s)
			for _, prompt := range []string{"git status", "stash", "pop the stash", "commit", "push", "list the branches", "git fetch", "open a PR", "back to main"} {
				if r := s.say(prompt); !r.stopped {
					t.Errorf("%q passed: %s", prompt, r.text)
				}
			}
			s.equal("the remote", s.remote(name), s.git("rev-parse", "refs/heads/"+name))
			s.equal("branch", s.branch(), "main")
			if _, err := os.Lstat(filepath.Join(s.work, "x")); err == nil {
				t.Error("the name was run")
			}
			s.whole()
		})
	}
}
