package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// notes is how many sections are recalled from.
	notes = 2000
	// recallRounds is how often a recall is timed.
	recallRounds = 60
)

// timeRecall times a prompt that passes and is given notes, from the hook's start
// to its end, kitsoki beside it as installed, in turn with the empty program. It
// prints the median and the 95th percentile.
func timeRecall(bin string, floor *command) error {
	home, err := fresh(bin, "home-recall")
	if err != nil {
		return err
	}
	whole, err := filepath.Abs(wholeProgram(bin))
	if err != nil {
		return err
	}
	programs := filepath.Dir(whole)
	if err := link(filepath.Join(bin, hookName), filepath.Join(programs, hookName)); err != nil {
		return err
	}
	if err := writeNotes(home); err != nil {
		return err
	}
	index := exec.Command(whole, "memory", "index")
	index.Dir, index.Env = home, environment(home)
	began := time.Now()
	if out, err := index.CombinedOutput(); err != nil {
		return fmt.Errorf("indexing: %w: %s", err, out)
	}
	built := time.Since(began)
	var took, empty []time.Duration
	for i := range recallRounds + 1 {
		t, err := recall(filepath.Join(programs, hookName), home, i)
		if err != nil {
			return err
		}
		none, err := once(floor)
		if err != nil {
			return err
		}
		if i > 0 { // the first warms the page cache
			took, empty = append(took, t), append(empty, none)
		}
	}
	slices.Sort(took)
	base, p95 := median(empty), took[len(took)*95/100]
	fmt.Printf("recall   %d sections: median %.1f ms, ratio %.1f; p95 %.1f ms, ratio %.1f; indexed in %.1f s\n",
		notes, ms(median(took)), float64(median(took))/float64(base), ms(p95), float64(p95)/float64(base), built.Seconds())
	return nil
}

// link puts a program beside another; hard links are not everywhere.
func link(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// writeNotes makes a repository's Markdown, and switches recall on.
func writeNotes(home string) error {
	const perFile = 20
	words := noteWords()
	for f := range notes / perFile {
		var b strings.Builder
		for s := range perFile {
			n := f*perFile + s
			fmt.Fprintf(&b, "# Component %d: %s and %s\n\n", n, words[n%len(words)], words[n/len(words)%len(words)])
			for l := range 6 {
				fmt.Fprintf(&b, "The %s of component %d waits for the %s, at most %d seconds, before it is given up.\n",
					words[(n+l)%len(words)], n, words[(n*7+l)%len(words)], n%90+l)
			}
		}
		if err := os.WriteFile(filepath.Join(home, fmt.Sprintf("notes%d.md", f)), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	conf := filepath.Join(home, ".config", "kitsoki", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(conf), 0o755); err != nil {
		return err
	}
	return os.WriteFile(conf, []byte("memory: {}\n"), 0o644)
}

func noteWords() []string {
	return strings.Fields("deploy retry queue cache index shard token lease batch replica schema cursor fence budget quota probe relay hook drive lock")
}

// recall gives one prompt, each in a session of its own, and wants notes.
func recall(program, home string, i int) (time.Duration, error) {
	payload, err := json.Marshal(map[string]string{
		"session_id": fmt.Sprintf("s%d", i), "prompt_id": "p", "cwd": home, "permission_mode": "default", "transcript_path": "",
		"hook_event_name": "UserPromptSubmit", "prompt": fmt.Sprintf("the queue and %s of component %d", noteWords()[i%20], 20*i+2),
	})
	if err != nil {
		return 0, err
	}
	in, err := given(payload)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	cmd := exec.Command(program, "claude")
	cmd.Env, cmd.Stdin = environment(home), in
	began := time.Now()
	out, err := cmd.Output()
	took := time.Since(began)
	if err == nil && !strings.Contains(string(out), "kitsoki-recalled-notes") {
		err = fmt.Errorf("nothing was recalled: %s", out)
	}
	return took, err
}
