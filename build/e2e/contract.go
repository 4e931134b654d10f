package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// contract has a client that was written in Python from the memory contract's
// text alone run its steps against kitsoki serve --memory.
func (e *e2e) contract() {
	const name = "a client in Python, written from the contract alone, runs every step against serve --memory"
	python, err := exec.LookPath("python3")
	if err != nil {
		fmt.Fprintf(e.out, "not run  memory contract: %v\n", err)
		return
	}
	if err := e.speaks(python); err != nil {
		e.failed++
		fmt.Fprintf(e.out, "FAILED   memory contract: %s: %v\n", name, err)
		return
	}
	fmt.Fprintf(e.out, "ok       memory contract: %s\n", name)
}

func (e *e2e) speaks(python string) (err error) {
	w, err := newWorld(e.root, e.bin)
	if err != nil {
		return err
	}
	defer w.close()
	kitsoki := filepath.Join(w.bin, "kitsoki")
	if out, err := w.command(kitsoki, "memory", "index").CombinedOutput(); err != nil {
		return fmt.Errorf("memory index: %w: %s", err, out)
	}
	const token = "XKB_SERVICE_TOKEN=a-token-for-this-machine"
	server := w.command(kitsoki, "serve", "--memory", "--addr", "127.0.0.1:0")
	server.Env = append(server.Env, token)
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait() // what counts is what the client saw
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	source, err := os.Getwd() // the root of the sources: make starts us there
	if err != nil {
		return err
	}
	client := w.command(python, filepath.Join(source, "runtime", "memory", "service", "testdata", "client.py"))
	client.Env = append(client.Env, token, "XKB_MEMORY_SERVICE_URL="+regexp.MustCompile(`http://[0-9.:]+`).FindString(line))
	said, err := client.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(said)))
	}
	return nil
}
