//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kitsoki/runtime/drive"
	"kitsoki/runtime/journal"
)

// lab is a repository with a branch that conflicts with main in each of its
// commits, the hook installed, and a person who types to an agent there.
type lab struct {
	t         *testing.T
	dir, home string
	rebase    string // the prompt
	start     string // the branch's commit at the start
	commits   int
	prompts   int
	env       []string
}

// content is what the branch's commit n makes of the file; it differs from
// test to test, so that nothing can know the answer.
func (l *lab) content(n int) string { return fmt.Sprintf("%s step %d\n", l.t.Name(), n) }

// isGitOps tells the artifact of git-ops from that of the story in place. Both
// are compiled once: the hook gives a story that it has to compile first no
// more time than any other.
func isGitOps(kit string) bool { return filepath.Base(kit) == "git-ops.kit" }

func newLab(t *testing.T, kit string, commits int) *lab {
	t.Helper()
	root := t.TempDir()
	l := &lab{t: t, dir: filepath.Join(root, "repo"), home: filepath.Join(root, "home"), commits: commits, rebase: "rebase in place"}
	if isGitOps(kit) {
		l.rebase = "rebase this onto main"
	}
	l.env = []string{
		"HOME=" + l.home, "PATH=" + filepath.Join(l.home, "bin") + ":" + os.Getenv("PATH"), "CLAUDECODE=1", "GIT_CONFIG_NOSYSTEM=1",
		"TMPDIR=" + root,
	}
	l.file(filepath.Join(l.home, ".gitconfig"), "[user]\n\tname = T\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n")
	l.config("intercept: {app: '" + kit + "'}\n")
	l.file(filepath.Join(l.home, "bin", "claude"), taskAgent)
	l.check(os.Chmod(filepath.Join(l.home, "bin", "claude"), 0o755))
	l.check(os.MkdirAll(l.dir, 0o755))
	l.git("init", "-q")
	l.file(filepath.Join(l.dir, "README"), "read me\n")
	l.git("add", "README")
	l.commit("base\n", "base")
	l.git("switch", "-q", "-c", "feature")
	for n := range commits {
		l.commit(l.content(n), fmt.Sprint("step ", n))
	}
	l.git("switch", "-q", "main")
	l.commit("theirs "+t.Name()+"\n", "theirs")
	l.git("switch", "-q", "feature")
	l.file(filepath.Join(l.dir, "secret.env"), "TOKEN=untracked\n")
	l.start = l.git("rev-parse", "HEAD")
	return l
}

// config is the person's own configuration.
func (l *lab) config(text string) {
	l.t.Helper()
	l.file(filepath.Join(l.home, ".config", "kitsoki", "config.yaml"), text)
}

// taskAgent stands in for the claude CLI: it sees its prompt and the files, and
// does what AGENT says. First a person does MEANWHILE in the directory THERE.
var taskAgent = strings.ReplaceAll(`#!/bin/sh
cat >"$TMPDIR/prompt"
[ -z "$MEANWHILE" ] || (cd "$THERE" && env -u KITSOKI_SUBMIT_FILE setsid sh -c "$MEANWHILE") >"$TMPDIR/meanwhile" 2>&1
echo "$KITSOKI_ACTIVE" >"$TMPDIR/active"
say() {
	printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","total_cost_usd":0.25,"usage":{"input_tokens":10,"output_tokens":5}}\n' "$1"
}
verdict() { say '~~~json\n{\"resolved\": '$1', \"summary\": \"'"$2"'\"}\n~~~'; }
join() {
	for f in $(grep -l -r '^<<<<<<<' . --exclude-dir=.git); do
		grep -v -e '^<<<<<<<' -e '^|||||||' -e '^=======' -e '^>>>>>>>' "$f" >"$TMPDIR/joined"
		cat "$TMPDIR/joined" >"$f"
	done
}
case "${AGENT:-resolve}" in
resolve) join; verdict true "took both sides" ;;
markers) verdict true "all is well" ;;
half) sed -i '/^=======/d' f.txt; verdict true "nearly" ;;
deletes) rm -f f.txt; mkdir f.txt; verdict true "gone" ;;
strays) join; echo stray >other.txt; echo stray >>README; verdict true "and more" ;;
unresolved) join; verdict false "both sides mean something else" ;;
slow) join; exec sleep 600 ;;
crash) join; kill -9 $$ ;;
garbage) join; echo '{"decision":"block"} trailing {{{' ;;
silent) join ;;
spoofs) join; verdict true 'done\\nTo undo: rm -rf ~\\u202e' ;;
commits) join; git commit -q -a -m mine; verdict true "committed it" ;;
esac
`, "~~~", "```")

func (l *lab) check(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) file(path, text string) {
	l.t.Helper()
	l.check(os.MkdirAll(filepath.Dir(path), 0o755))
	l.check(os.WriteFile(path, []byte(text), 0o644))
}

func (l *lab) commit(text, message string) {
	l.t.Helper()
	l.file(filepath.Join(l.dir, "f.txt"), text)
	l.git("add", "f.txt")
	l.git("commit", "-q", "-m", message)
}

func (l *lab) command(extra []string, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Env = l.dir, append(append([]string{}, l.env...), extra...)
	return c
}

func (l *lab) git(args ...string) string {
	l.t.Helper()
	out, err := l.command(nil, "git", args...).CombinedOutput()
	if err != nil {
		l.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// prompt is a call of the hook, not yet started. What it answers is in the
// buffer when it has ended.
func (l *lab) prompt(text string, extra ...string) (*exec.Cmd, *bytes.Buffer) {
	l.t.Helper()
	l.prompts++
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt_id": fmt.Sprint("p", l.prompts), "cwd": l.dir,
		"permission_mode": "default", "prompt": text,
	})
	l.check(err)
	c := l.command(extra, "kitsoki-hook", "claude")
	var out bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(payload), &out, &out
	return c, &out
}

// send sends a prompt and gives the answer.
func (l *lab) send(text string, extra ...string) string {
	l.t.Helper()
	c, out := l.prompt(text, extra...)
	if err := c.Run(); err != nil {
		l.t.Fatalf("the hook: %v\n%s", err, out)
	}
	return out.String()
}

// program is where a program is found.
func (l *lab) program(name string) string {
	l.t.Helper()
	path, err := exec.LookPath(name)
	l.check(err)
	return path
}

// kitsoki runs a verb.
func (l *lab) kitsoki(args ...string) string {
	l.t.Helper()
	out, err := l.command(nil, "kitsoki", args...).CombinedOutput()
	if err != nil {
		l.t.Fatalf("kitsoki %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (l *lab) state() string { return filepath.Join(l.home, ".local", "state", "kitsoki") }

// settle waits until no drive holds the repository any more.
func (l *lab) settle() {
	l.t.Helper()
	release, err := journal.WaitLock(filepath.Join(l.dir, ".git", "kitsoki.lock"))
	l.check(err)
	release()
}

// whole checks the promise: nothing in progress, nothing lost, and either all
// as it was or all of it done. It says which.
func (l *lab) whole() (done bool) {
	l.t.Helper()
	for _, name := range []string{"rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD", "index.lock", "HEAD.lock"} {
		if _, err := os.Lstat(filepath.Join(l.dir, ".git", name)); err == nil {
			l.t.Errorf("stranded: .git/%s is there", name)
		}
	}
	if got := l.git("symbolic-ref", "HEAD"); got != "refs/heads/feature" {
		l.t.Errorf("HEAD is %s", got)
	}
	if got := l.git("status", "--porcelain"); got != "?? secret.env" {
		l.t.Errorf("the tree: %q", got)
	}
	if data, err := os.ReadFile(filepath.Join(l.dir, "secret.env")); err != nil || string(data) != "TOKEN=untracked\n" {
		l.t.Errorf("secret.env: %q %v", data, err)
	}
	if left, _ := filepath.Glob(filepath.Join(l.home, ".cache", "kitsoki", "scratch", "*")); len(left) > 0 {
		l.t.Errorf("left behind: %v", left)
	}
	if worktrees := l.git("worktree", "list"); strings.Count(worktrees, "\n") != 0 {
		l.t.Errorf("left behind:\n%s", worktrees)
	}
	if l.git("rev-parse", "HEAD") == l.start {
		return false
	}
	if n := l.git("rev-list", "--count", "main..HEAD"); n != strconv.Itoa(l.commits) || l.git("merge-base", "HEAD", "main") != l.git("rev-parse", "main") {
		l.t.Errorf("neither as it was nor done: %s commits over main", n)
	}
	return true
}

// records reads the newest drive.
func (l *lab) records() drive.Record {
	l.t.Helper()
	files, _ := filepath.Glob(filepath.Join(l.state(), "drives", "*.jsonl"))
	if len(files) == 0 {
		return drive.Record{}
	}
	r, err := drive.Read(l.state(), strings.TrimSuffix(filepath.Base(files[len(files)-1]), ".jsonl"))
	l.check(err)
	return r
}

// holdAt makes the supervisor stop behind a record until it is let go; it
// gives the fault's variables.
func (l *lab) holdAt(place string) *hold {
	l.t.Helper()
	h := &hold{l: l, reached: filepath.Join(l.home, "reached"), release: filepath.Join(l.home, "release")}
	l.check(syscall.Mkfifo(h.reached, 0o600))
	l.check(syscall.Mkfifo(h.release, 0o600))
	h.env = []string{"KITSOKI_TEST_FAULT=" + place + ":hold", "KITSOKI_TEST_HOLD=" + l.home}
	return h
}

// hold is a place where a process of the drive waits on a pipe.
type hold struct {
	l                *lab
	reached, release string
	env              []string
	pid              int
}

// wait waits until the place is reached, or the command has ended before; then
// it is false.
func (h *hold) wait(ended <-chan error) bool {
	h.l.t.Helper()
	pid := make(chan int, 1)
	go func() {
		data, err := os.ReadFile(h.reached)
		if err != nil {
			data = nil
		}
		n, _ := strconv.Atoi(strings.TrimSpace(string(data)))
		pid <- n
	}()
	select {
	case h.pid = <-pid:
		return true
	case <-ended:
		return false
	}
}

// letGo lets it go on.
func (h *hold) letGo() {
	h.l.t.Helper()
	h.l.check(os.WriteFile(h.release, []byte("go\n"), 0o600))
}

// childOf is the only child of a process.
func childOf(pid int) int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		data, err := os.ReadFile(list)
		if fields := strings.Fields(string(data)); err == nil && len(fields) > 0 {
			n, _ := strconv.Atoi(fields[0])
			return n
		}
	}
	return 0
}
