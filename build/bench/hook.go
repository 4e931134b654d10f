package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/binding"
	"kitsoki/runtime/journal"
)

// The rows of kitsoki-hook are the ways through it: what it does for nothing
// bound, for a prompt that passes, trace line written, and for one that it
// would hand over. No kitsoki lies beside it here, so that a row ends where
// kitsoki would be started.
const hookName = "kitsoki-hook"

// nothingBound is kitsoki-hook in a home without any configuration.
func nothingBound(program, bin string) (*command, error) {
	home, err := fresh(bin, "home-none")
	if err != nil {
		return nil, err
	}
	payload, err := payload(home, "why did the deploy of the service fail")
	return &command{path: "hook none", argv: []string{program, "claude"}, env: environment(home), stdin: payload}, err
}

// hooked is one prompt given to kitsoki-hook under a binding to an artifact.
func hooked(program, bin, kit string, n int, p prompt) (*command, error) {
	home, err := fresh(bin, fmt.Sprintf("home-%s-%d", p.path, n))
	if err != nil {
		return nil, err
	}
	c := &command{path: "hook " + p.path, n: n, argv: []string{program, "claude"}, env: environment(home)}
	if c.stdin, err = payload(home, p.prompt); err != nil {
		return nil, err
	}
	c.check = func(runs int) error { return traced(home, p, runs) }
	return c, record(home, kit, p.room)
}

// fresh is an empty home directory of its own.
func fresh(bin, name string) (string, error) {
	home, err := filepath.Abs(filepath.Join(bin, name))
	if err != nil {
		return "", err
	}
	if err := os.RemoveAll(home); err != nil {
		return "", err
	}
	return home, os.MkdirAll(filepath.Join(home, ".git"), 0o755)
}

func environment(home string) []string { return []string{"HOME=" + home, "CLAUDECODE=1"} }

func getenv(home string) func(string) string {
	return func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
}

func payload(cwd, prompt string) ([]byte, error) {
	return json.Marshal(map[string]string{
		"session_id": "s", "prompt_id": "p", "transcript_path": "/t", "cwd": cwd, "permission_mode": "default",
		"hook_event_name": "UserPromptSubmit", "prompt": prompt,
	})
}

// record writes what kitsoki leaves for kitsoki-hook once it has resolved a
// binding.
func record(home, kit, room string) error {
	f, err := artifact.Open(kit)
	if err != nil {
		return err
	}
	defer f.Close()
	in, ok := f.Room(room)
	if !ok {
		return fmt.Errorf("%s has no room %s", kit, room)
	}
	env := getenv(home)
	repo := journal.Locate(home)
	place := binding.PlaceOf(repo, env)
	if err := os.MkdirAll(filepath.Dir(place.User), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(place.User, []byte("intercept: {app: bench.kit}\n"), 0o644); err != nil {
		return err
	}
	path, err := filepath.Abs(kit)
	if err != nil {
		return err
	}
	r := &binding.Record{
		Root: repo.Root, Common: repo.Common, Stamps: []binding.Stamp{binding.StampOf(path)},
		Artifact: path, Tool: f.Tool(), Sources: binding.SourcesOf(f), Room: room, Intents: in.Intents,
	}
	for _, name := range place.Files() {
		d, err := binding.DigestOf(name)
		if err != nil {
			return err
		}
		r.Files = append(r.Files, d)
	}
	return r.Write(binding.PathOf(place, repo, env))
}

// traced makes sure that the timed way was the one meant: a pass leaves a
// line a run, what is handed over leaves none.
func traced(home string, p prompt, runs int) error {
	state, err := journal.StateDir(getenv(home))
	if err != nil {
		return err
	}
	data, _ := os.ReadFile(journal.TracePath(state, journal.Locate(home))) // none is no line
	want := 0
	if p.want != 0 {
		want = runs
	}
	if got := bytes.Count(data, []byte("\n")); got != want {
		return fmt.Errorf("hook %s: %d lines in the trace after %d runs, expected %d", p.path, got, runs, want)
	}
	return nil
}
