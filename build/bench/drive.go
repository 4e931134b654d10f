package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// driveRounds is how often the drive is timed; each round is a whole rebase.
const driveRounds = 15

// drive is a clean rebase of three commits by the builtin git-ops, given to the
// hook: what of its time is git's, and what is kitsoki's own. Git says itself
// how long each of its processes ran; what starting one takes besides is that
// of a git which does nothing.
type drive struct {
	home, repo, start string
	trace             string
	argv              []string
	n                 int // prompts given
}

// timeDrive times rounds of the drive, a git that does nothing and the empty
// program, in turn, and prints what is kitsoki's own.
func timeDrive(bin string, floor *command) error {
	d, err := newDrive(bin)
	if err != nil {
		return err
	}
	var own, whole, gits, empty []time.Duration
	processes := 0
	for range driveRounds {
		spare, err := d.spare()
		if err != nil {
			return err
		}
		total, inGit, n, err := d.round()
		if err != nil {
			return err
		}
		none, err := once(floor)
		if err != nil {
			return err
		}
		git := inGit + time.Duration(n)*spare
		whole, gits, own, empty = append(whole, total), append(gits, git), append(own, total-git), append(empty, none)
		processes = n
	}
	ratio := float64(median(own)) / float64(median(empty))
	fmt.Printf("drive    a clean rebase: %.1f ms, of which %d git processes %.1f ms; kitsoki's own %.1f ms, ratio %.1f\n",
		ms(median(whole)), processes, ms(median(gits)), ms(median(own)), ratio)
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// newDrive makes a branch of three commits that main has gone on beside.
func newDrive(bin string) (*drive, error) {
	home, err := fresh(bin, "home-drive")
	if err != nil {
		return nil, err
	}
	kitsoki, err := filepath.Abs(wholeProgram(bin))
	if err != nil {
		return nil, err
	}
	d := &drive{
		home: home, repo: filepath.Join(home, "repo"), trace: filepath.Join(home, "git.trace"),
		argv: []string{kitsoki, "hook", "run", "--agent", "claude"},
	}
	files := map[string]string{
		filepath.Join(home, ".config", "kitsoki", "config.yaml"): "intercept: {app: \"builtin:git-ops\"}\n",
		filepath.Join(home, ".gitconfig"):                        "[user]\n\tname = T\n\temail = t@example.com\n",
		filepath.Join(d.repo, "base"):                            "base\n",
	}
	for path, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			return nil, err
		}
	}
	const script = `git init -q && git checkout -q -B main && git add . && git commit -q -m base && git switch -q -c feature &&
		for n in 1 2 3; do echo $n >$n && git add $n && git commit -q -m $n; done &&
		git switch -q main && echo theirs >theirs && git add theirs && git commit -q -m theirs && git switch -q feature && git rev-parse HEAD`
	out, err := d.command(nil, "sh", "-c", script).Output()
	d.start = strings.TrimSpace(string(out))
	return d, err
}

func (d *drive) command(stdin []byte, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir, c.Stdin = d.repo, strings.NewReader(string(stdin))
	c.Env = append(environment(d.home), "PATH="+os.Getenv("PATH"), "GIT_TRACE2_EVENT="+d.trace)
	return c
}

// spare is what starting a git takes beyond what it says itself.
func (d *drive) spare() (time.Duration, error) {
	if err := os.RemoveAll(d.trace); err != nil {
		return 0, err
	}
	began := time.Now()
	if err := d.command(nil, "git", "version").Run(); err != nil {
		return 0, err
	}
	took := time.Since(began)
	inGit, _, err := d.told()
	return took - inGit, err
}

// round puts the branch back and has it rebased.
func (d *drive) round() (total, inGit time.Duration, n int, err error) {
	if err := d.command(nil, "git", "reset", "-q", "--hard", d.start).Run(); err != nil {
		return 0, 0, 0, err
	}
	if err := os.RemoveAll(d.trace); err != nil {
		return 0, 0, 0, err
	}
	d.n++
	in, err := json.Marshal(map[string]string{
		"session_id": fmt.Sprint("s", d.n), "prompt_id": fmt.Sprint("p", d.n), "transcript_path": "/t", "cwd": d.repo,
		"permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": "rebase this onto main",
	})
	if err != nil {
		return 0, 0, 0, err
	}
	began := time.Now()
	out, err := d.command(in, d.argv[0], d.argv[1:]...).Output()
	total = time.Since(began)
	if err != nil || !strings.Contains(string(out), "Rebased feature onto main: 3 commits") || !strings.Contains(string(out), "(no LLM)") {
		return 0, 0, 0, fmt.Errorf("the drive: %w: %s", err, out)
	}
	inGit, n, err = d.told()
	return total, inGit, n, err
}

// told is how long the git processes ran that were started by others than git,
// by their own words; see git's Documentation/technical/api-trace2.txt.
func (d *drive) told() (time.Duration, int, error) {
	f, err := os.Open(d.trace)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	var sum float64
	n := 0
	for in := bufio.NewScanner(f); in.Scan(); {
		var e struct {
			Event, SID string
			T          float64 `json:"t_abs"`
		}
		if json.Unmarshal(in.Bytes(), &e) == nil && e.Event == "exit" && !strings.Contains(e.SID, "/") {
			sum += e.T
			n++
		}
	}
	return time.Duration(sum * float64(time.Second)), n, nil
}
