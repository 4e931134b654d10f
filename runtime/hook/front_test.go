package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/binding"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

// desk is one call of kitsoki-hook in a home of its own, with an inert
// binding on record.
type desk struct {
	t        *testing.T
	home     string
	p        Program
	out, err bytes.Buffer
	handed   int
	armed    []time.Duration
	payload  map[string]any
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, home: home}
	d.payload = map[string]any{
		"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt_id": "p1", "permission_mode": "default",
		"cwd": home, "prompt": "push",
	}
	d.p = Program{
		Args: []string{"claude"}, Stdout: &d.out, Stderr: &d.err, Env: agent.Env{"HOME=" + home, "CLAUDECODE=1"},
		Exe: func() (string, error) { return filepath.Join(home, "bin", "kitsoki-hook"), nil },
		Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }, Rand: zeros{},
		Rearm:   func(limit time.Duration) { d.armed = append(d.armed, limit) },
		Signals: func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) },
		Fault: func(place string) {
			if place == "hand over" {
				d.handed++
			}
		},
	}
	d.write(".config/kitsoki/config.yaml", "x")
	d.record(&binding.Record{Reason: match.ReasonUntrusted, Detail: "because"})
	return d
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) record(r *binding.Record) {
	d.t.Helper()
	repo := journal.Locate(d.home)
	place := binding.PlaceOf(repo, d.p.Env.Get)
	for _, name := range place.Files() {
		sum, err := binding.DigestOf(name)
		if err != nil {
			d.t.Fatal(err)
		}
		r.Files = append(r.Files, sum)
	}
	if err := r.Write(binding.PathOf(place, repo, d.p.Env.Get)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) run() {
	d.t.Helper()
	raw, err := json.Marshal(d.payload)
	if err != nil {
		d.t.Fatal(err)
	}
	if d.p.Stdin == nil {
		d.p.Stdin = bytes.NewReader(raw)
	}
	Run(d.p)
}

func (d *desk) reasons() []string {
	d.t.Helper()
	list, err := journal.Read(journal.TracePath(filepath.Join(d.home, ".local", "state", "kitsoki"), journal.Locate(d.home)), journal.Filter{})
	if err != nil {
		d.t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Passed.Reason+": "+e.Passed.Detail)
	}
	return out
}

func TestFront(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*desk)
		handed bool
		traced string // "" for no line
	}{
		{"on record", func(*desk) {}, false, "untrusted: because"},
		{"not a person", func(d *desk) { d.payload["prompt"] = "<task-notification>push" }, false, "not_a_person: the prompt starts with <task-notification"},
		{"wrong caller", func(d *desk) { d.p.Env = d.p.Env[:1] }, false, "wrong_caller: CLAUDECODE is not 1"},
		{"switched off", func(d *desk) { d.p.Env = append(d.p.Env, "KITSOKI=off") }, false, ""},
		{"another event", func(d *desk) { d.payload["hook_event_name"] = "Stop" }, false, ""},
		{"no directory", func(d *desk) { d.payload["cwd"] = "/nonexistent/x" }, false, ""},
		{"no payload", func(d *desk) { d.p.Stdin = strings.NewReader("none") }, false, ""},
		{"broken input", func(d *desk) { d.p.Stdin = iotest.ErrReader(errors.New("broken")) }, false, ""},
		{"no configuration", func(d *desk) { d.remove(".config") }, false, ""},
		{"changed configuration", func(d *desk) { d.write(".config/kitsoki/config.yaml", "y") }, true, ""},
		{"a repository's file", func(d *desk) { d.write(".kitsoki.yaml", "") }, true, ""},
		{"no record", func(d *desk) { d.remove(".cache") }, true, ""},
		{"a hash to trust", func(d *desk) { d.p.Env = append(d.p.Env, TrustVariable+"=x") }, true, ""},
		{"an open drive", func(d *desk) {
			d.write(".local/state/kitsoki/drives/"+journal.Locate(d.home).Key()+".open", "")
		}, true, ""},
		{"an artifact that is gone", func(d *desk) { d.record(&binding.Record{Artifact: filepath.Join(d.home, "none.kit")}) }, true, ""},
		{"not bound", func(d *desk) { d.record(&binding.Record{Reason: match.ReasonNotBound}) }, false, ""},
		{"no trace", func(d *desk) { d.record(&binding.Record{Reason: match.ReasonUntrusted, TraceOff: true}) }, false, ""},
		{"a secret", func(d *desk) { d.payload["prompt"] = "why is password=hunter2 refused" }, true, ""},
		{"a secret and no trace", func(d *desk) {
			d.record(&binding.Record{Reason: match.ReasonUntrusted, TraceOff: true})
			d.payload["prompt"] = "why is password=hunter2 refused"
		}, false, ""},
		{"what only looks like one", func(d *desk) { d.payload["prompt"] = "rename the token in task-runner" }, false, "untrusted: because"},
		{"wrong usage", func(d *desk) { d.p.Args = []string{"clod"} }, false, ""},
		{"a panic", func(d *desk) { d.p.Fault = func(string) { panic("on purpose") } }, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			tt.change(d)
			d.run()
			var want []string
			if tt.traced != "" {
				want = []string{tt.traced}
			}
			if got := d.reasons(); !slices.Equal(got, want) {
				t.Errorf("trace: expected %q, observed %q", want, got)
			}
			if (d.handed == 1) != tt.handed || d.out.Len() > 0 {
				t.Errorf("handed over %d times, said %q", d.handed, &d.out)
			}
		})
	}
}

func (d *desk) remove(name string) {
	d.t.Helper()
	if err := os.RemoveAll(filepath.Join(d.home, name)); err != nil {
		d.t.Fatal(err)
	}
}

// TestHandOver: kitsoki beside us gets the payload as it came, and only a
// checked answer is passed on.
func TestHandOver(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want string }{
		{"an answer", `cat >payload; echo "$@" >args; echo '{"reply":{"decision":"block"}}'`, `{"decision":"block"}` + "\n"},
		{"silence", `echo '{"reply":null}'`, ""},
		{"garbage", `echo '{"decision":"block"}'`, ""},
		{"an answer, then status 2", `echo '{"reply":{"a":1}}'; exit 2`, `{"a":1}` + "\n"},
		{"status 2", `exit 2`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.remove(".cache")
			d.write("bin/kitsoki", "#!/bin/sh\ncd '"+d.home+"'\n"+tt.script+"\n")
			d.p.Env = append(d.p.Env, "PATH="+os.Getenv("PATH"))
			d.run()
			if got := d.out.String(); got != tt.want {
				t.Errorf("expected %q, observed %q", tt.want, got)
			}
			if !slices.Equal(d.armed, []time.Duration{DecideLimit, whole}) {
				t.Errorf("the watchdog was set to %v", d.armed)
			}
			if tt.name != "an answer" {
				return
			}
			payload, err1 := os.ReadFile(filepath.Join(d.home, "payload"))
			args, err2 := os.ReadFile(filepath.Join(d.home, "args"))
			raw, _ := json.Marshal(d.payload)
			if !bytes.Equal(payload, raw) || strings.TrimSpace(string(args)) != "hook run --agent claude --child" {
				t.Errorf("given %q %q, %v %v", payload, args, err1, err2)
			}
		})
	}
}
