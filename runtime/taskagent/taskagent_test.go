package taskagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
	"kitsoki/runtime/proc"
)

// TestMain makes the test binary stand in for kitsoki, and for agents.
func TestMain(m *testing.M) {
	switch os.Getenv("TASKAGENT_TEST_AS") {
	case "kitsoki":
		os.Exit(asKitsoki(os.Args[1:]))
	case "claude", "codex":
		os.Exit(asAgent(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// place is a directory to work in, with all that a call needs.
type place struct {
	t    *testing.T
	dir  string
	temp string
	env  host.Env
	prog artifact.Program

	mu      sync.Mutex
	started int
}

// verdictSchema asks for {"verdict": "yes" or "no"}.
const verdictSchema = `{"type": "object", "required": ["verdict"], "properties": {"verdict": {"enum": ["yes", "no"]}, "rationale": {"type": "string"}}}`

// newPlace is a place whose only agent, sh, is a script.
func newPlace(t *testing.T, script string) *place {
	t.Helper()
	p := &place{t: t, dir: t.TempDir(), temp: t.TempDir()}
	dir, err := filepath.EvalSymlinks(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	p.dir = dir
	p.env = host.Env{
		Dir: p.dir, Session: "s-1", Drive: true, Grace: 50 * time.Millisecond,
		Vars: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.com",
		},
		Started: func(proc.Process) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.started++
			return nil
		},
		Roots: map[string]any{"world": map[string]any{"branch": "topic"}, "slots": map[string]any{}},
	}
	p.prog = artifact.Program{
		Agents: []artifact.Agent{{Name: "sh", Command: []string{"sh", "-c", script}}},
		Assets: []artifact.Asset{{Name: "schemas/verdict.json", Text: verdictSchema}, {Name: "prompts/ask.md", Text: "On {{ world.branch }}: {{ args.what }}"}},
	}
	return p
}

// call makes a call of the agent sh, and holds that nothing of it is left.
func (p *place) call(name string, args map[string]any) (map[string]any, *host.Error) {
	p.t.Helper()
	all := map[string]any{"agent": "sh", "prompt": "Do it."}
	for k, v := range args {
		all[k] = v
	}
	res, err := Runner{Program: &p.prog, Temp: p.temp}.Call(context.Background(), name, all, p.env)
	return res, p.ended(err)
}

// ended holds that a call's error is one of its own, and that its files are
// gone.
func (p *place) ended(err error) *host.Error {
	p.t.Helper()
	if left, _ := os.ReadDir(p.temp); len(left) > 0 {
		p.t.Errorf("%s is left", left[0].Name())
	}
	var he *host.Error
	if err != nil && !errors.As(err, &he) {
		p.t.Fatalf("not a domain error: %v", err)
	}
	return he
}

func (p *place) write(name, text string, mode fs.FileMode) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	must(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(p.t, os.WriteFile(path, []byte(text), mode))
	must(p.t, os.Chmod(path, mode))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *place) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = p.dir, p.env.Vars
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// repository fills the place: tracked and untracked files, a file that a
// filter changes, one that is modified, one that is staged, an ignored one.
func (p *place) repository() {
	p.t.Helper()
	p.git("init", "-q", "-b", "main")
	p.write(".gitignore", "*.ignored\n", 0o644)
	p.write(".gitattributes", "*.crlf text eol=lf\n", 0o644)
	p.write("a.txt", "a\n", 0o644)
	p.write("run.sh", "#!/bin/sh\n", 0o750)
	p.write("dir/sub/deep.txt", "deep\n", 0o600)
	p.write("mixed.crlf", "one\r\ntwo\n", 0o644)
	p.write("modified.txt", "committed\n", 0o644)
	p.write("staged.txt", "committed\n", 0o644)
	must(p.t, os.Symlink("a.txt", filepath.Join(p.dir, "link")))
	p.git("add", ".")
	p.git("commit", "-qm", "first")
	p.write("a.txt", "a\nsecond\n", 0o644)
	p.git("commit", "-qam", "second")
	p.write("modified.txt", "by hand\n", 0o644)
	p.write("staged.txt", "by hand\n", 0o644)
	p.git("add", "staged.txt")
	p.write("untracked.bin", "\x00\x01\xff", 0o640)
	p.write("x.ignored", "i\n", 0o644)
}

// tree is every file with its mode and bytes, and the repository's state.
func (p *place) tree() string {
	p.t.Helper()
	var out strings.Builder
	must(p.t, filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(p.dir, path)
		fmt.Fprintf(&out, "%s %v", rel, info.Mode())
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			fmt.Fprintf(&out, " %q\n", data)
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			fmt.Fprintf(&out, " -> %s\n", to)
			return err
		}
		out.WriteString("\n")
		return nil
	}))
	if _, err := os.Stat(filepath.Join(p.dir, ".git")); err == nil {
		out.WriteString(p.git("status", "--porcelain=v2", "--branch") + p.git("ls-files", "-s") + p.git("for-each-ref", "refs/heads/main"))
	}
	return out.String()
}

// list is a result's list of paths.
func list(v any) string {
	var out []string
	for _, item := range v.([]any) {
		out = append(out, item.(string))
	}
	return strings.Join(out, " ")
}

// submits is a script's end that hands in a value.
func submits(value string) string { return "printf '%s' '" + value + "' > \"$KITSOKI_SUBMIT_FILE\"" }

func TestTaskResolves(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `cat > got.txt; echo resolved > a.txt; `+submits(`{"verdict":"yes","n":3}`))
	p.repository()
	res, err := p.call(taskName, map[string]any{
		"prompt": "prompts/ask.md", "args": map[string]any{"what": "resolve <it>"},
		"schema": "schemas/verdict.json", "files": []any{"a.txt", "got.txt"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if v := res["submitted"].(map[string]any); v["verdict"] != "yes" || v["n"] != 3 {
		t.Errorf("submitted %v", v)
	}
	if list(res["files_changed"]) != "a.txt got.txt" || list(res["put_back"]) != "" || res["attempts"] != 1 || res["agent"] != "sh" || res["reason"] != "" {
		t.Errorf("observed %v", res)
	}
	got, _ := os.ReadFile(filepath.Join(p.dir, "got.txt"))
	for _, want := range []string{"On topic: resolve <it>", "- a.txt", "KITSOKI_SUBMIT_FILE", `"required": ["verdict"]`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the prompt lacks %q:\n%s", want, got)
		}
	}
	if p.started != 1 {
		t.Errorf("%d processes were told of", p.started)
	}
}

func TestTaskNeedsNoVerdictWithoutSchema(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `echo new > new.txt`)
	res, err := p.call(taskName, nil)
	if err != nil || res["submitted"] != nil || list(res["files_changed"]) != "new.txt" {
		t.Errorf("observed %v, %v", res, err)
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `echo touched >> a.txt; echo new > dir/new.txt; git add -A
echo 'Because it is so.'; echo '`+"```json"+`'; echo '{"verdict": "maybe"}'; echo '`+"```"+`'
echo '`+"```json"+`'; echo '{"verdict": "no"}'; echo '`+"```"+`'`)
	p.repository()
	before := p.tree()
	res, err := p.call(decideName, map[string]any{"schema": "schemas/verdict.json"})
	if err != nil {
		t.Fatal(err)
	}
	if v := res["submitted"].(map[string]any); v["verdict"] != "no" || res["rationale"] != "Because it is so." {
		t.Errorf("observed %v", res)
	}
	if list(res["put_back"]) != ".git/index a.txt dir/new.txt" {
		t.Errorf("put back %v", res["put_back"])
	}
	if after := p.tree(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	if _, has := res["files_changed"]; has {
		t.Error("files_changed is no result of it")
	}
}

// TestEnvironment: our mark is last and can't be taken away, an agent's own
// variables are there, and what would tell it that it runs inside another
// agent is not.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `printf '{"active":"%s","own":"%s","inside":"%s","schema":"%s"}' "$KITSOKI_ACTIVE" "$OWN" "$CLAUDECODE" "$(cat "$KITSOKI_SCHEMA_FILE" | wc -c | tr -d ' ')" > "$KITSOKI_SUBMIT_FILE"`)
	p.env.Vars = append(p.env.Vars, "CLAUDECODE=1", "KITSOKI_ACTIVE=other")
	p.prog.Agents[0].Env = []artifact.Field{
		{Name: "OWN", Value: artifact.Value{Literal: json.RawMessage(`"mine"`)}},
		{Name: "KITSOKI_ACTIVE", Value: artifact.Value{Literal: json.RawMessage(`""`)}},
	}
	res, err := p.call(taskName, map[string]any{"schema": map[string]any{"type": "object"}})
	if err != nil {
		t.Fatal(err)
	}
	v := res["submitted"].(map[string]any)
	if v["active"] != "s-1" || v["own"] != "mine" || v["inside"] != "" || v["schema"] == "0" {
		t.Errorf("observed %v", v)
	}
}

func TestRefusedBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args map[string]any
		want string
	}{
		"agent":       {map[string]any{"agent": "nobody"}, `no agent is named "nobody"`},
		"prompt":      {map[string]any{"prompt": 3}, "argument prompt is no text"},
		"schema file": {map[string]any{"schema": "nope.json"}, `the story has no file "nope.json"`},
		"schema":      {map[string]any{"schema": map[string]any{"type": 3}}, "argument schema: this is no JSON Schema"},
		"remote":      {map[string]any{"schema": map[string]any{"$ref": "file:///etc/passwd"}}, "lies outside of it"},
		"files":       {map[string]any{"files": []any{"../x"}}, "is no path inside the working directory"},
		"dir":         {map[string]any{"working_dir": "../x"}, "leaves the working directory"},
		"no dir":      {map[string]any{"working_dir": "nope"}, "looking at the working directory"},
		"timeout":     {map[string]any{"timeout": "soon"}, "is no duration"},
		"retries":     {map[string]any{"max_retries": -1}, "is no number of times"},
		"post_cmd":    {map[string]any{"acceptance": map[string]any{"post_cmd": 3}}, "neither a text nor a list"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, "exit 0")
			res, err := p.call(taskName, tc.args)
			if err == nil || !strings.Contains(err.Msg, tc.want) || err.Result != nil || res != nil || p.started != 0 {
				t.Errorf("observed %v, %v, %d started", res, err, p.started)
			}
		})
	}
}
