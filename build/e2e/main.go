// Command e2e starts real coding agents in a terminal, with kitsoki's hook and
// a model server of its own on loopback, and shows what they do: a command
// asks no model and its report is shown; another prompt reaches the model
// untouched; a hook that is missing, or crashes, lets the prompt through; and
// a stopped prompt that is sent again is not run twice.
//
// The agents are installed by npm into build/out/e2e. What can't be installed
// or started is listed as "not run", which is no pass.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program is one coding agent. Settings writes what a new person of it has;
// ready is shown when it takes a prompt.
type program struct {
	name, pack, bin string
	settings        func(w *world) error
	start           func(w *world, bin string) (*terminal, error)
	ready           string
	asks            []answer // what it asks first, in order, with the keys that answer
	cleared         string   // shown when a stopped prompt, put back into the input box, is cleared
}

// answer is a question that a program asks at its start, and the keys for it.
type answer struct{ shown, keys, then string }

func main() {
	only := flag.String("only", "", "the one program to run, or contract for the memory contract's: claude, codex, contract")
	part := flag.String("scenario", "", "the one scenario to run, by its short name")
	flag.Parse()
	e := &e2e{out: os.Stdout, part: *part}
	if err := e.run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	if e.failed > 0 {
		fmt.Fprintf(os.Stderr, "e2e: %d failed, see build/out/e2e/*.screen\n", e.failed)
		os.Exit(1)
	}
}

type e2e struct {
	out    io.Writer
	root   string // where programs and worlds go
	bin    string // where kitsoki and kitsoki-hook are
	part   string // the one scenario, "" for all
	failed int
}

func (e *e2e) run(only string) error {
	root, err := filepath.Abs(filepath.Join("build", "out", "e2e"))
	if err != nil {
		return err
	}
	e.root, e.bin = root, filepath.Join(root, "bin")
	if err := os.MkdirAll(e.bin, 0o755); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", e.bin+string(filepath.Separator), "kitsoki/cmd/kitsoki", "kitsoki/cmd/kitsoki-hook")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building kitsoki: %w\n%s", err, out)
	}
	for _, p := range []program{claude(), codex()} {
		if only == "" || only == p.bin {
			e.program(p)
		}
	}
	if only == "" || only == "contract" {
		e.contract()
	}
	return nil
}

// program runs every scenario with one agent.
func (e *e2e) program(p program) {
	bin, err := e.npm(p)
	if err != nil {
		fmt.Fprintf(e.out, "not run  %s: %v\n", p.name, err)
		return
	}
	fmt.Fprintf(e.out, "         %s: %s\n", p.name, version(context.Background(), bin))
	for _, s := range scenarios() {
		if e.part != "" && e.part != s.short || s.only != "" && s.only != p.bin {
			continue
		}
		err := e.scenario(p, bin, s)
		mark := "ok      "
		if err != nil {
			mark = "FAILED  "
			e.failed++
		}
		fmt.Fprintf(e.out, "%s %s: %s", mark, p.name, s.name)
		if err != nil {
			fmt.Fprintf(e.out, ": %v", err)
		}
		fmt.Fprintln(e.out)
	}
}

// npm installs a program, unless it is there.
func (e *e2e) npm(p program) (string, error) {
	dir := filepath.Join(e.root, "npm", p.bin)
	bin := filepath.Join(dir, "node_modules", ".bin", p.bin)
	if version(context.Background(), bin) != "" {
		return bin, nil
	}
	if err := write(filepath.Join(dir, "package.json"), `{"private":true}`); err != nil {
		return "", err
	}
	cmd := exec.Command("npm", "install", "--no-audit", "--no-fund", "--save-exact", p.pack)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install %s: %w: %s", p.pack, err, strings.TrimSpace(string(out)))
	}
	if version(context.Background(), bin) == "" {
		return "", fmt.Errorf("%s does not start", p.pack)
	}
	return bin, nil
}

func (e *e2e) scenario(p program, bin string, s scenario) error {
	w, err := newWorld(e.root, e.bin)
	if err != nil {
		return err
	}
	defer w.close()
	w.program = bin
	if err := p.settings(w); err != nil {
		return err
	}
	if err := s.hook(w, p.bin); err != nil {
		return err
	}
	t, err := p.start(w, bin)
	if err != nil {
		return err
	}
	defer t.close()
	if err = p.open(t); err == nil {
		err = s.play(p, w, t)
	}
	if err != nil {
		t.save(filepath.Join(e.root, p.bin+"-"+s.short+".screen"))
	}
	return err
}

// open answers what the program asks, and waits until it takes a prompt.
func (p program) open(t *terminal) error {
	next := p.ready
	for i := len(p.asks) - 1; i >= 0; i-- { // what stands behind each question
		p.asks[i].then, next = next, p.asks[i].shown
	}
	if _, err := t.wait(patience, next); err != nil {
		return err
	}
	for _, a := range p.asks {
		if err := a.give(t); err != nil {
			return err
		}
	}
	return nil
}

// give presses the keys until the next thing shows: a program that has only
// just drawn its question may not be listening yet.
func (a answer) give(t *terminal) (err error) {
	const tries = 10
	for range tries {
		if err := t.press(a.keys); err != nil {
			return err
		}
		if _, err = t.wait(patience/tries, a.then); err == nil {
			return nil
		}
	}
	return err
}
