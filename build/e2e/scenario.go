package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// scenario is one thing that is to hold, with the hook it needs.
type scenario struct {
	name, short string
	only        string // the one program it is for, "" for all
	hook        func(w *world, agent string) error
	play        func(p program, w *world, t *terminal) error
}

func scenarios() []scenario {
	return []scenario{
		{"a command asks no model, its report is shown, and sent again it does not run", "command", "", installed, playCommand},
		{"another prompt reaches the model untouched", "question", "", installed, playQuestion},
		{"after a command the model hears of it", "told", "", installed, playTold},
		{"behind the escape prefix a command reaches the model", "escaped", "", installed, playEscaped},
		{"a missing hook lets the prompt through", "missing", "", missing, playThrough},
		{"a crashing hook lets the prompt through", "crashing", "", crashing, playThrough},
		{"a conflict is resolved by the program itself as the task agent, whose hook takes nothing", "conflict", "claude", conflicting, playConflict},
		{"a question takes the repository's note along, a command nothing, and the turn is kept as it was answered", "memory", "claude", remembering, playRemembered},
	}
}

// installed sets the hook as a person does.
func installed(w *world, agent string) error {
	out, err := w.command(filepath.Join(w.bin, "kitsoki"), "hook", "install", "--agent", agent, "--write").CombinedOutput()
	if err != nil {
		return fmt.Errorf("hook install: %w: %s", err, out)
	}
	return nil
}

// missing takes our programs away after the installation.
func missing(w *world, agent string) error {
	if err := installed(w, agent); err != nil {
		return err
	}
	return os.RemoveAll(w.bin)
}

// crashing puts a program in the place of the hook that ends by a signal.
func crashing(w *world, agent string) error {
	if err := installed(w, agent); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.bin, "kitsoki-hook"), []byte("#!/bin/sh\nkill -SEGV $$\n"), 0o755)
}

// playCommand gives the command, and once more what the agent left in the
// input box, or the same again.
func playCommand(p program, w *world, t *terminal) error {
	before := w.model.count()
	if err := t.enter(command); err != nil {
		return err
	}
	if _, err := t.wait(patience, said); err != nil {
		return err
	}
	if err := p.again(t); err != nil {
		return err
	}
	if asked := w.model.count() - before; asked != 0 {
		return fmt.Errorf("the model was asked %d times", asked)
	}
	if marks := w.marks(); marks != 1 {
		return fmt.Errorf("the command ran %d times", marks)
	}
	return nil
}

// again sends the same prompt once more.
func (p program) again(t *terminal) error {
	if err := p.clear(t); err != nil {
		return err
	}
	if err := t.enter(command); err != nil {
		return err
	}
	_, err := t.wait(patience, "already done a moment ago")
	return err
}

// clear empties the input box, where an agent puts a stopped prompt back: a
// line typed behind it would be another prompt.
func (p program) clear(t *terminal) error {
	if p.cleared == "" {
		return nil
	}
	if err := t.press("\x15"); err != nil {
		return err
	}
	_, err := t.wait(patience, p.cleared)
	return err
}

func playQuestion(_ program, w *world, t *terminal) error {
	before := w.model.count()
	if err := t.enter(question); err != nil {
		return err
	}
	r, err := w.model.await(before, question, patience)
	if err != nil {
		return err
	}
	if _, ok := w.model.find(before, "kitsoki"); ok {
		return fmt.Errorf("kitsoki is named in a request of %d bytes", len(r.body))
	}
	_, err = t.wait(patience, mockAnswer)
	return err
}

func playTold(p program, w *world, t *terminal) error {
	if err := t.enter(command); err != nil {
		return err
	}
	if _, err := t.wait(patience, said); err != nil {
		return err
	}
	before := w.model.count()
	if err := p.clear(t); err != nil {
		return err
	}
	if err := t.enter(question); err != nil {
		return err
	}
	if _, err := w.model.await(before, question, patience); err != nil {
		return err
	}
	if _, ok := w.model.find(before, "echo mark >> marks.txt"); !ok {
		return errors.New("the model was not told what ran")
	}
	return nil
}

// playEscaped gives the command behind the escape prefix.
func playEscaped(p program, w *world, t *terminal) error {
	return throughAs(escape+" "+command, w, t)
}

// playThrough gives the command to an agent whose hook can't answer.
func playThrough(_ program, w *world, t *terminal) error { return throughAs(command, w, t) }

// throughAs gives a prompt that the model is to get as it is.
func throughAs(prompt string, w *world, t *terminal) error {
	before := w.model.count()
	if err := t.enter(prompt); err != nil {
		return err
	}
	if _, err := w.model.await(before, prompt, patience); err != nil {
		return err
	}
	if marks := w.marks(); marks != 0 {
		return fmt.Errorf("the command ran %d times", marks)
	}
	_, err := t.wait(patience, mockAnswer)
	return err
}
