package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// note is what the repository knows of the question.
const note = "Whoever left a mark in this directory was asked to take it away again."

// remembering sets the hook for prompts and ends of turns, with memory on and the
// notes indexed.
func remembering(w *world, agent string) error {
	kitsoki := filepath.Join(w.bin, "kitsoki")
	if out, err := w.command(kitsoki, "hook", "install", "--agent", agent, "--memory", "--write").CombinedOutput(); err != nil {
		return fmt.Errorf("hook install: %w: %s", err, out)
	}
	conf := "intercept: {app: marks/app.yaml, room: home}\nmemory: {recall: {sources: [\"*.md\"]}}\n"
	if err := write(filepath.Join(w.home, ".config", "kitsoki", "config.yaml"), conf); err != nil {
		return err
	}
	if err := write(filepath.Join(w.dir, "marks.md"), "# Why nobody leaves marks in this directory\n\n"+note+"\n"); err != nil {
		return err
	}
	if out, err := w.command(kitsoki, "memory", "index").CombinedOutput(); err != nil {
		return fmt.Errorf("memory index: %w: %s", err, out)
	}
	return nil
}

// playRemembered gives a command, which nothing goes along with and no turn comes
// of, and a question, which the note goes along with; its turn is kept as the
// model answered it.
func playRemembered(p program, w *world, t *terminal) error {
	if err := t.enter(command); err != nil {
		return err
	}
	if _, err := t.wait(patience, said); err != nil {
		return err
	}
	if err := p.clear(t); err != nil {
		return err
	}
	before := w.model.count()
	if err := t.enter(question); err != nil {
		return err
	}
	if _, err := w.model.await(before, question, patience); err != nil {
		return err
	}
	if _, ok := w.model.find(before, note); !ok {
		return errors.New("the note did not go along")
	}
	if _, err := t.wait(patience, mockAnswer); err != nil {
		return err
	}
	return w.keptOnce()
}

// kept is a turn as kitsoki exports it.
type kept struct{ Query, Answer string }

// keptOnce waits for the turn: the program ends it a moment after its answer.
func (w *world) keptOnce() error {
	var out []byte
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var err error
		if out, err = w.command(filepath.Join(w.bin, "kitsoki"), "memory", "export").CombinedOutput(); err != nil {
			return fmt.Errorf("memory export: %w: %s", err, out)
		}
		if len(out) > 0 {
			break
		}
	}
	var turn kept
	if err := json.Unmarshal(out, &turn); err != nil || strings.Count(string(out), "\n") != 1 {
		return fmt.Errorf("expected one turn, kept are %q", out)
	}
	if turn.Query != question || turn.Answer != mockAnswer {
		return fmt.Errorf("kept is %+v", turn)
	}
	return nil
}
