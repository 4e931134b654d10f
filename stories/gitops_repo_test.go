package stories_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestMain lets the test binary be the process that is killed in the middle
// of a command, and removes the program that the tests build.
func TestMain(m *testing.M) {
	if os.Getenv(killAfter) != "" {
		os.Exit(victim())
	}
	code := m.Run()
	_ = os.RemoveAll(programDir())
	os.Exit(code)
}

func programDir() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("kitsoki-stories-%d", os.Getpid()))
}

// program is kitsoki, built once.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(programDir(), "kitsoki")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", path, "kitsoki/cmd/kitsoki").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// site is a person's machine with one repository and its remote. Its paths
// hold blanks and quotes.
type site struct {
	t                     *testing.T
	home, work, bare, gh  string
	env                   []string
	prompts               int
	commitMessage, strays string // the world's settings
	app, room             string // what prompts are bound to
}

const bystander = "notes.txt" // an untracked file that no command is about

// newSite has a clone on main with two commits, both pushed, and an untracked
// file.
func newSite(t *testing.T) *site {
	t.Helper()
	base := t.TempDir()
	s := &site{
		t: t, home: filepath.Join(base, "home"), work: filepath.Join(base, `it's "my" work`),
		bare: filepath.Join(base, `a 'bare' remote.git`), gh: filepath.Join(base, "gh.log"),
		commitMessage: "derive", strays: "leave", app: "builtin:git-ops", room: "intercept",
	}
	s.write(filepath.Join(s.home, ".gitconfig"), "[user]\n\tname = T\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[core]\n\tpager = false\n\teditor = false\n[advice]\n\tdetachedHead = false\n")
	s.fakeGH(filepath.Join(base, "bin"))
	s.env = []string{
		"PATH=" + filepath.Join(base, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + s.home, "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
		"GH_LOG=" + s.gh, "CLAUDECODE=1",
		"XDG_CACHE_HOME=" + filepath.Join(programDir(), "cache"), // the story is compiled once
	}
	s.gitIn(base, "init", "-q", "--bare", s.bare)
	s.gitIn(base, "clone", "-q", s.bare, s.work)
	s.commit("one.txt", "one\n")
	s.commit("dirty.txt", "clean\n")
	s.git("push", "-q", "origin", "main")
	s.git("remote", "set-head", "origin", "main")
	s.put(bystander, "mine\n")
	return s
}

// fakeGH is a GitHub CLI that only takes notes.
func (s *site) fakeGH(bin string) {
	s.t.Helper()
	script := "#!/bin/sh\nprintf '%s\\n' \"$*\" >>\"$GH_LOG\"\ncase \"$*\" in\n\"pr view\"*) echo 'no pull requests found' >&2; exit 1 ;;\n\"pr create\"*) echo https://example.com/pull/7 ;;\nesac\n"
	s.write(filepath.Join(bin, "gh"), script)
	if err := os.Chmod(filepath.Join(bin, "gh"), 0o700); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) write(path, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// put writes a file of the working tree.
func (s *site) put(name, text string) { s.t.Helper(); s.write(filepath.Join(s.work, name), text) }

func (s *site) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.work, name))
	if err != nil {
		s.t.Error(err)
	}
	return string(data)
}

// tryIn runs a program and gives what it printed.
func (s *site) tryIn(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(s.env), "GIT_EDITOR=true")
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

func (s *site) gitIn(dir string, args ...string) string {
	s.t.Helper()
	out, err := s.tryIn(dir, "git", args...)
	if err != nil {
		s.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

// git runs git in the working tree, and wants success.
func (s *site) git(args ...string) string { s.t.Helper(); return s.gitIn(s.work, args...) }

// fail runs git where it is to stop in the middle.
func (s *site) fail(args ...string) {
	s.t.Helper()
	if out, err := s.tryIn(s.work, "git", args...); err == nil {
		s.t.Fatalf("git %q succeeded: %s", args, out)
	}
}

func (s *site) commit(name, text string) {
	s.t.Helper()
	s.put(name, text)
	s.git("add", "--", name)
	s.git("commit", "-q", "-m", "Write "+name)
}

// elsewhere commits to a branch of the remote from another clone.
func (s *site) elsewhere(branch, name string) {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "other")
	s.gitIn(s.home, "clone", "-q", s.bare, dir)
	s.gitIn(dir, "checkout", "-q", branch)
	s.write(filepath.Join(dir, name), "theirs\n")
	s.gitIn(dir, "add", "-A")
	s.gitIn(dir, "commit", "-q", "-m", "Theirs")
	s.gitIn(dir, "push", "-q", "origin", branch)
}

// hook puts an executable hook of git into a repository.
func (s *site) hook(gitDir, name, script string) {
	s.t.Helper()
	path := filepath.Join(gitDir, "hooks", name)
	s.write(path, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(path, 0o700); err != nil {
		s.t.Fatal(err)
	}
}

// reply is what the agent is told.
type reply struct {
	stopped bool   // the prompt goes no further, and the person reads the text
	text    string // the report, or what goes along to the model
}

// say sends a prompt through the hook, typed in a directory.
func (s *site) sayIn(dir, prompt string) reply {
	s.t.Helper()
	exe, err := program()
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(filepath.Join(s.home, ".config", "kitsoki", "config.yaml"), fmt.Sprintf(
		"intercept: {app: %q, room: %s, world: {commit_message: %s, untracked_files: %s}}\n", s.app, s.room, s.commitMessage, s.strays))
	s.prompts++
	payload, err := json.Marshal(map[string]string{
		"session_id": "s", "prompt_id": fmt.Sprint(s.prompts), "transcript_path": "/t", "cwd": dir, "permission_mode": "default",
		"hook_event_name": "UserPromptSubmit", "prompt": prompt,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(exe, "hook", "run", "--agent", "claude")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, s.env, strings.NewReader(string(payload))
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%q: %v", prompt, err)
	}
	return s.readReply(out)
}

func (s *site) say(prompt string) reply { s.t.Helper(); return s.sayIn(s.work, prompt) }

func (s *site) readReply(out []byte) reply {
	s.t.Helper()
	if len(out) == 0 {
		return reply{}
	}
	var doc struct {
		Decision, Reason   string
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	if doc.Decision == "block" {
		return reply{true, doc.Reason}
	}
	return reply{false, doc.HookSpecificOutput.AdditionalContext}
}

// local is all that a person would miss: where HEAD is, the index, and every
// file of the working tree.
func (s *site) local() string {
	head, _ := s.tryIn(s.work, "git", "rev-parse", "HEAD")
	name, _ := s.tryIn(s.work, "git", "symbolic-ref", "-q", "HEAD")
	index, _ := s.tryIn(s.work, "git", "ls-files", "--stage")
	return strings.Join([]string{name, head, index, s.files()}, "\n")
}

// files lists the working tree's files with their digests.
func (s *site) files() string {
	var out []string
	err := filepath.WalkDir(s.work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() {
			data, _ := os.ReadFile(path)
			out = append(out, fmt.Sprintf("%s %x", path, sha256.Sum256(data)))
		}
		return nil
	})
	if err != nil {
		s.t.Error(err)
	}
	return strings.Join(out, "\n")
}

// everything is local with all refs, here and on the remote, the stashes, the
// worktrees, the configuration, and what gh was asked.
func (s *site) everything() string {
	parts := []string{s.local()}
	for _, args := range [][]string{
		{"for-each-ref"}, {"stash", "list", "--format=%H"}, {"worktree", "list", "--porcelain"}, {"config", "--list", "--local"},
	} {
		out, _ := s.tryIn(s.work, "git", args...)
		parts = append(parts, out)
	}
	remote, _ := s.tryIn(s.bare, "git", "for-each-ref")
	asked, _ := os.ReadFile(s.gh)
	return strings.Join(append(parts, remote, string(asked)), "\n")
}

// marks are what an operation in progress, or a program that died, leaves.
func marks() []string {
	return []string{
		"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply", "sequencer",
		"SQUASH_MSG", "MERGE_AUTOSTASH", "index.lock", "HEAD.lock",
	}
}

// whole checks what must be so after every command.
func (s *site) whole() {
	s.t.Helper()
	for _, mark := range marks() {
		if _, err := os.Lstat(filepath.Join(s.work, ".git", mark)); err == nil {
			s.t.Errorf("%s is left", mark)
		}
	}
	if out := s.git("ls-files", "--unmerged"); out != "" {
		s.t.Errorf("unmerged: %s", out)
	}
	if got := s.read(bystander); got != "mine\n" {
		s.t.Errorf("%s holds %q", bystander, got)
	}
	s.sound()
}

func (s *site) sound() {
	s.t.Helper()
	for _, dir := range []string{s.work, s.bare} {
		if out, err := s.tryIn(dir, "git", "fsck", "--strict", "--no-dangling", "--no-progress"); err != nil {
			s.t.Errorf("git fsck: %s", out)
		}
	}
}
