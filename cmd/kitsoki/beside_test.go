//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// meanwhile sends the rebase, and a person works in the tree while the agent
// does.
func (l *lab) meanwhile(script string, extra ...string) string {
	l.t.Helper()
	return l.send(l.rebase, append(extra, "THERE="+l.dir, "MEANWHILE="+script)...)
}

// untouchedApart: what the drive made beside the tree is gone.
func (l *lab) untouchedApart() {
	l.t.Helper()
	if left, _ := filepath.Glob(filepath.Join(l.home, ".cache", "kitsoki", "scratch", "*")); len(left) > 0 {
		l.t.Errorf("left behind: %v", left)
	}
	if worktrees := l.git("worktree", "list"); strings.Contains(worktrees, "\n") {
		l.t.Errorf("left behind:\n%s", worktrees)
	}
}

// TestAPersonsMergeMeanwhile: what a person has begun is theirs, and they are
// not told to abort it.
func TestAPersonsMergeMeanwhile(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	l.git("switch", "-q", "-c", "other")
	l.file(filepath.Join(l.dir, "o.txt"), "o\n")
	l.git("add", "o.txt")
	l.git("commit", "-q", "-m", "other")
	l.git("switch", "-q", "feature")
	out := l.meanwhile("git merge -q --no-commit --no-ff other")
	if !strings.Contains(out, "merge is in progress") || strings.Contains(out, "--abort") {
		t.Errorf("the report: %s", out)
	}
	if l.git("rev-parse", "MERGE_HEAD") != l.git("rev-parse", "other") || l.git("status", "--porcelain") != "A  o.txt\n?? secret.env" {
		t.Errorf("the merge was touched: %s", l.git("status"))
	}
	l.untouchedApart()
}

// TestAPersonsLock: a commit whose editor is open keeps its lock while a drive
// is given up, and can be made.
func TestAPersonsLock(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	done := filepath.Join(l.home, "done")
	l.file(filepath.Join(l.home, "bin", "editor"), "#!/bin/sh\ntouch \"$HOME/editing\"; while [ ! -e \"$HOME/done\" ]; do sleep 0.02; done\n")
	l.check(os.Chmod(filepath.Join(l.home, "bin", "editor"), 0o755))
	out := l.meanwhile(`echo changed >README; (GIT_EDITOR=editor git commit -q -a -e -m mine >"$TMPDIR/committed" 2>&1; touch "$HOME/committed") & while [ ! -e "$HOME/editing" ]; do sleep 0.02; done`,
		"AGENT=unresolved")
	lock := filepath.Join(l.dir, ".git", "index.lock")
	if _, err := os.Lstat(lock); err != nil {
		t.Errorf("the person's lock is gone: %v\n%s", err, out)
	}
	l.untouchedApart()
	l.file(done, "")
	for range 500 {
		if _, err := os.Stat(filepath.Join(l.home, "committed")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := l.git("log", "-1", "--format=%s"); got != "mine" {
		t.Errorf("the person's commit was not made: %s\n%s", got, out)
	}
}

// TestABranchLockedMeanwhile: nothing is half published.
func TestABranchLockedMeanwhile(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	if out := l.meanwhile("touch .git/refs/heads/feature.lock"); !strings.Contains(out, "nothing was published") {
		t.Errorf("the report: %s", out)
	}
	if l.whole() {
		t.Error("it counts as done")
	}
}

// TestGitLedElsewhere: where the environment leads git to another repository,
// nothing is driven; what was cut off is given up where it was begun.
func TestGitLedElsewhere(t *testing.T) {
	t.Parallel()
	kit := compiled(t, inPlace)
	at := conflicted(t, kit)
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := newLab(t, kit, 1)
			l := newLab(t, kit, 2)
			value := map[string]string{
				"GIT_WORK_TREE": other.dir, "GIT_INDEX_FILE": filepath.Join(other.dir, ".git", "index"),
				"GIT_OBJECT_DIRECTORY": filepath.Join(other.dir, ".git", "objects"),
			}[name]
			if value == "" {
				value = filepath.Join(other.dir, ".git")
			}
			if out := l.send(l.rebase, name+"="+value); strings.Contains(out, `"decision"`) || len(l.records().Events) > 0 {
				t.Errorf("it was driven: %s", out)
			}
			l.cutOff(at)
			if out := l.send("what about the weather", name+"="+value); !strings.Contains(out, "is as it was before") {
				t.Errorf("the answer: %s", out)
			}
			if l.whole() || other.whole() {
				t.Error("something was rebased")
			}
		})
	}
}

// TestMessagesAreKept: a line that begins with # is the person's, also in the
// commit that had the conflict.
func TestMessagesAreKept(t *testing.T) {
	t.Parallel()
	for _, kit := range []string{compiled(t, gitOps), compiled(t, inPlace)} {
		t.Run(filepath.Base(kit), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, kit, 2)
			const message = "step\n\n# a heading\n\n#42 is mended.\n\nConflicts: none"
			l.git("commit", "-q", "--amend", "--cleanup=verbatim", "-m", message)
			l.start = l.git("rev-parse", "HEAD")
			if out := l.send(l.rebase); !l.whole() {
				t.Fatalf("not rebased: %s", out)
			}
			if got := l.git("log", "-1", "--format=%B"); got != message {
				t.Errorf("the message is %q", got)
			}
		})
	}
}

// TestWorkBesideIsNamed: what changes in the person's tree while an agent works
// elsewhere stays, and the report names it.
func TestWorkBesideIsNamed(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	out := l.meanwhile("echo beside >>README; echo new >new.txt")
	if !strings.Contains(out, "Rebased feature onto main") || !strings.Contains(out, "Changed in the working tree meanwhile, and not by this:  M README, ?? new.txt") {
		t.Errorf("the report: %s", out)
	}
	if got := l.git("status", "--porcelain"); got != "M README\n?? new.txt\n?? secret.env" {
		t.Errorf("the tree: %q", got)
	}
}

// TestAPlantedHook: what an agent plants for the next git is not run, its
// attempt does not count, and the report and the records name it.
func TestAPlantedHook(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	hook := filepath.Join(l.dir, ".git", "hooks", "post-checkout")
	out := l.meanwhile("[ ! -e \"$HOME/planted\" ] || exit 0; touch \"$HOME/planted\"; printf '#!/bin/sh\\ntouch \"$HOME/ran\"\\n' >" + hook + "; chmod +x " + hook + "; cp " + hook + " .git/hooks/post-rewrite")
	if !l.whole() || !strings.Contains(out, "put back .git/hooks/post-checkout, .git/hooks/post-rewrite · 2 attempts") || !strings.Contains(out, "What stood in the place of what was put back: "+filepath.Join(l.dir, ".git", "kitsoki-put-back")) {
		t.Errorf("the report: %s", out)
	}
	if _, err := os.Stat(filepath.Join(l.home, "ran")); err == nil {
		t.Error("it was run")
	}
	id := l.records().Events[0].Session
	if got := l.kitsoki("drives", "show", id, "--format", "json"); !strings.Contains(got, `"put_back"`) || !strings.Contains(got, `"set_aside"`) {
		t.Error("the records do not name it")
	}
	if got := l.kitsoki("drives", "show", id); !strings.Contains(got, "; put back: .git/hooks/post-checkout, .git/hooks/post-rewrite; what stood there is in: ") {
		t.Errorf("the record: %s", got)
	}
	l.fitSchema()
}

// TestAnAgentsLinkToThePersonsTree: an agent that puts a link to the person's
// tree, or to its git directory, where it worked has gained nothing, and the
// person has lost nothing.
func TestAnAgentsLinkToThePersonsTree(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"the tree":           `cd "$HOME/.cache/kitsoki/scratch/"*; s=$PWD; cd ..; mv "$s" "$HOME/moved"; ln -s "$THERE" "$s"`,
		"its git directory":  `cd "$HOME/.cache/kitsoki/scratch/"*; rm .git; ln -s "$THERE/.git" .git`,
		"the tree's content": `cd "$HOME/.cache/kitsoki/scratch/"*; rm -rf * .git; ln -s "$THERE/.git" .git; for f in "$THERE"/*; do ln -s "$f" .; done`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, compiled(t, gitOps), 1)
			before, config := l.git("status", "--porcelain"), l.git("config", "--local", "--list")
			out := l.meanwhile(script, "AGENT=unresolved")
			if l.git("status", "--porcelain") != before || l.git("rev-parse", "HEAD") != l.start || l.git("config", "--local", "--list") != config {
				t.Errorf("the person's tree: %s\n%s", l.git("status"), out)
			}
			if info, err := os.Lstat(filepath.Join(l.dir, ".git")); err != nil || !info.IsDir() {
				t.Fatalf("the person's .git: %v %v", info, err)
			}
			if !strings.Contains(out, "as it was before") {
				t.Errorf("the report: %s", out)
			}
			l.untouchedApart()
		})
	}
}

// TestTheScratchIsTakenAway: what an agent, or who clears caches, does to the
// directory where the agent works is no resolution.
func TestTheScratchIsTakenAway(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"the cache":      `rm -rf "$HOME/.cache"`,
		"the directory":  `rm -rf "$HOME/.cache/kitsoki/scratch/"*`,
		"its files":      `rm -rf "$HOME/.cache/kitsoki/scratch/"*/f.txt`,
		"moved":          `mv "$HOME/.cache/kitsoki/scratch/"* "$HOME/moved"`,
		"a link to home": `s=$(echo "$HOME/.cache/kitsoki/scratch/"*); mv "$s" "$HOME/moved"; ln -s "$HOME" "$s"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, compiled(t, gitOps), 1)
			out := l.meanwhile(script, "AGENT=markers")
			if l.whole() {
				t.Errorf("it was rebased: %s", out)
			}
			if !strings.Contains(out, "as it was before") {
				t.Errorf("the report: %s", out)
			}
			l.untouchedApart()
		})
	}
}

// TestStagedMeanwhile: what a person has staged while an agent works is theirs,
// so nothing is published.
func TestStagedMeanwhile(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	out := l.meanwhile("echo precious >only; git add only; rm only; echo v1 >README; git add README; echo v2 >README")
	if l.git("rev-parse", "HEAD") != l.start || !strings.Contains(out, "nothing was published") {
		t.Errorf("the report: %s", out)
	}
	l.untouchedApart()
	if got := l.git("show", ":only") + l.git("show", ":README"); got != "preciousv1" {
		t.Errorf("what was staged: %q", got)
	}
}

// TestTheRepositoryIsAwayForAMoment: what could not be given up while it was
// away is given up once it is back.
func TestTheRepositoryIsAwayForAMoment(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	out := l.meanwhile(`cd ..; mv "$THERE" "$THERE.away"`)
	if !strings.Contains(out, "the next kitsoki in it gives this up") {
		t.Errorf("the report: %s", out)
	}
	l.check(os.Rename(l.dir+".away", l.dir))
	if out := l.send("what about the weather"); !strings.Contains(out, "is as it was before") {
		t.Errorf("the next prompt is told: %s", out)
	}
	if l.whole() {
		t.Error("it was rebased")
	}
	l.untouchedApart()
}

// TestAnAgentsWordsStayItsOwn: what an agent says stands on one line of the
// report, and turns no text around.
func TestAnAgentsWordsStayItsOwn(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 1)
	out := l.send(l.rebase, "AGENT=spoofs")
	if !l.whole() || !strings.Contains(out, "done To undo: rm -rf ~") {
		t.Fatalf("the report: %s", out)
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(out, `\n`, "\n"), "\n") {
		if strings.HasPrefix(line, "To undo: rm") || strings.ContainsRune(line, '\u202e') || strings.Contains(line, `\u202e`) {
			t.Errorf("a line of the report is the agent's: %q", line)
		}
	}
}

// TestACommitThatCameToNothing is named: an agent that takes the other side whole
// has dropped it.
func TestACommitThatCameToNothing(t *testing.T) {
	t.Parallel()
	l := newLab(t, compiled(t, gitOps), 2)
	out := l.meanwhile(`cd "$HOME/.cache/kitsoki/scratch/"* && git checkout -q --ours f.txt`, "AGENT=markers")
	if !strings.Contains(out, "2 were there before") || !strings.Contains(out, "they are left out") {
		t.Errorf("the report: %s", out)
	}
}
