//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/memory/client"
	"kitsoki/runtime/memory/wire"
)

// TestServeMemory: a client of the contract gets this repository's notes, and its
// turns are kept here; an interrupt ends the service.
func TestServeMemory(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef"
	home, dir := t.TempDir(), t.TempDir()
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), client.EnvToken + "=" + token}
	if err := os.WriteFile(filepath.Join(dir, "birds.md"), []byte("# Birds\n\nGrey herons nest in poplars.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	kitsoki := func(args ...string) *exec.Cmd {
		c := exec.Command("kitsoki", args...)
		c.Dir, c.Env = dir, env
		return c
	}
	if out, err := kitsoki("memory", "index").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := kitsoki("serve", "--memory", "--addr", "127.0.0.1:0")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	url := regexp.MustCompile(`http://[0-9.:]+`).FindString(line)
	s := client.Read(func(string) string { return "" }, client.File{URL: url, Token: wire.NewSecret(token)}, t.TempDir())
	asked, err := client.New(s.Config("claude-code", time.Minute, time.Now))
	if err != nil {
		t.Fatalf("%v: %q", err, line)
	}
	session, err := asked.Open(t.Context(), client.Session{Key: "s-1", Workspace: dir})
	if err != nil {
		t.Fatal(err)
	}
	got, err := asked.Start(t.Context(), client.Turn{Session: session, ID: "turn:1", Query: "where do grey herons nest?"})
	if err != nil || len(got.Records) != 1 || !strings.Contains(got.Records[0].Body, "poplars") || got.Records[0].Source != "birds.md:1" || got.Status != "" {
		t.Errorf("observed %+v, %v", got, err)
	}
	if sent, err := asked.Complete(t.Context(), client.Completion{Session: session, ID: "turn:1", Query: "where do grey herons nest?", Answer: "in poplars"}); err != nil || !sent {
		t.Errorf("completing: %v %v", sent, err)
	}
	asked.Close()
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("its end: %v", err)
	}
	if out, err := kitsoki("memory", "export").CombinedOutput(); err != nil || !strings.Contains(string(out), `"answer":"in poplars"`) {
		t.Errorf("kept: %v %s", err, out)
	}
}
