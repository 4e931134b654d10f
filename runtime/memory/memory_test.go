package memory

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory/index"
	"kitsoki/runtime/memory/turns"
	"kitsoki/runtime/transcript"
)

// desk is a repository with notes, and its memory.
type desk struct {
	Memory
	t    *testing.T
	root string
	now  time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, root: root, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	repo := journal.Locate(root)
	state := t.TempDir()
	d.Memory = Memory{
		Repo: repo, Store: StoreOf(state, repo), IndexDir: IndexOf(state, repo), Recalls: true, Captures: true,
		Now: func() time.Time { d.now = d.now.Add(time.Second); return d.now },
	}
	d.write("deploy.md", "# Deployment retries\n\nA deployment is tried four times, a minute apart.\n")
	d.build()
	return d
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.root, name), []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) build() {
	d.t.Helper()
	o := index.Options{Root: d.root, Dir: d.IndexDir, Sources: []string{"*.md"}, Turns: d.Turns(), Now: time.Now, Env: []string{"PATH="}}
	if _, err := index.Build(context.Background(), o, nil); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) ask(session, id, prompt string) string {
	d.t.Helper()
	return d.Prompt(d.t.Context(), agent.Event{
		SessionID: session, PromptID: id, Prompt: prompt, CWD: d.root, TranscriptPath: filepath.Join(d.root, session+".jsonl"),
	})
}

func (d *desk) stop(session, id, answer string) turns.Outcome {
	d.t.Helper()
	return d.Stop(d.t.Context(), agent.Event{
		SessionID: session, PromptID: id, LastMessage: answer, CWD: d.root, TranscriptPath: filepath.Join(d.root, session+".jsonl"),
	}, transcript.Turn{Tools: []transcript.Tool{{Name: "Read"}, {Name: "Read"}, {Name: "Bash"}}})
}

func (d *desk) kept() (out []string) {
	d.t.Helper()
	list, err := d.Store.Turns()
	if err != nil {
		d.t.Fatal(err)
	}
	for _, t := range list {
		out = append(out, t.Query+" → "+t.Answer+" "+strings.Join(t.Tools, ","))
	}
	return out
}

// TestAPromptIsGivenNotesAndItsTurnIsKept.
func TestAPromptIsGivenNotesAndItsTurnIsKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if got := d.ask("s", "p1", "how many deployment retries are there?"); !strings.Contains(got, "four times") || !strings.Contains(got, "deploy.md:1") {
		t.Errorf("observed %q", got)
	}
	if o := d.stop("s", "p1", "four"); o != turns.Stored {
		t.Errorf("the end: %s", o)
	}
	if got := d.kept(); !slices.Equal(got, []string{"how many deployment retries are there? → four Read,Bash"}) {
		t.Errorf("kept %q", got)
	}
}

// TestTheAnswerIsTheTranscriptsLastText where the agent names none.
func TestTheAnswerIsTheTranscriptsLastText(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.write("s.jsonl", `{"type":"user","promptId":"p1","message":{"content":"x"}}`+"\n"+`{"type":"assistant","message":{"content":[{"type":"text","text":"from the transcript"}]}}`+"\n")
	d.ask("s", "p1", "x")
	d.stop("s", "p1", "")
	if got := d.kept(); !slices.Equal(got, []string{"x → from the transcript Read,Bash"}) {
		t.Errorf("kept %q", got)
	}
}

// TestTheSameNoteIsGivenOnceASession until a compaction or an edit.
func TestTheSameNoteIsGivenOnceASession(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const prompt = "how many deployment retries are there?"
	given := func() bool { return strings.Contains(d.ask("s", "", prompt), "<kitsoki-recalled-notes>") }
	if !given() || given() {
		t.Error("it is not given once")
	}
	if !strings.Contains(d.ask("t", "", prompt), "four times") {
		t.Error("another session is not given it")
	}
	d.write("s.jsonl", `{"type":"system","subtype":"compact_boundary","timestamp":"2026-12-01T12:30:00Z"}`+"\n")
	d.now = time.Date(2026, 12, 1, 13, 0, 0, 0, time.UTC)
	if !given() || given() {
		t.Error("it is not given once after a compaction")
	}
	d.write("deploy.md", "# Deployment retries\n\nA deployment is tried five times, a minute apart.\n")
	d.build()
	if got := d.ask("s", "", prompt); !strings.Contains(got, "five times") {
		t.Errorf("it is not given after an edit: %q", got)
	}
}

// TestATurnOfAnotherSessionIsRecalled, of the same one only once it was
// compacted, and a forgotten one never; new turns need no new index.
func TestATurnOfAnotherSessionIsRecalled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const prompt = "where do the grey herons nest"
	d.ask("s", "p1", prompt)
	d.stop("s", "p1", "In the poplars above the lake.")
	if got := d.ask("s", "p2", prompt); got != "" {
		t.Errorf("the same session: %q", got)
	}
	for _, indexed := range []bool{false, true} {
		if indexed {
			d.build()
		}
		if got := d.ask("t"+map[bool]string{true: "2"}[indexed], "p3", prompt); !strings.Contains(got, "poplars above the lake") || !strings.Contains(got, "turn:") {
			t.Errorf("another session, indexed %v: %q", indexed, got)
		}
		if got := d.ask("s", "p4", prompt); got != "" {
			t.Errorf("the same session, indexed %v: %q", indexed, got)
		}
	}
	d.write("s.jsonl", `{"type":"system","subtype":"compact_boundary","timestamp":"2026-12-01T12:30:00Z"}`+"\n")
	if got := d.ask("s", "p5", prompt); !strings.Contains(got, "poplars") {
		t.Errorf("after a compaction: %q", got)
	}
	n, err := d.Store.Forget(t.Context(), func(t turns.Turn) bool { return strings.Contains(t.Answer, "poplars") }, d.now)
	if err != nil || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	if got := d.ask("u", "p6", prompt); got != "" {
		t.Errorf("a forgotten one: %q", got)
	}
	d.build()
	if got := d.ask("v", "p7", prompt); got != "" {
		t.Errorf("a forgotten one after a rebuild: %q", got)
	}
}

// TestABrokenIndexIsSaidOnce, and is never silent as if nothing were known.
func TestABrokenIndexIsSaidOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if err := os.RemoveAll(d.IndexDir); err != nil {
		t.Fatal(err)
	}
	const prompt = "how many deployment retries are there?"
	if got := d.ask("s", "", prompt); !strings.Contains(got, "degraded (missing)") || strings.Contains(got, "\n") {
		t.Errorf("observed %q", got)
	}
	if got := d.ask("s", "", prompt); got != "" {
		t.Errorf("said twice: %q", got)
	}
}

// TestAcknowledgementsLookForNothing and are kept all the same.
func TestAcknowledgementsLookForNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if err := os.RemoveAll(d.IndexDir); err != nil {
		t.Fatal(err)
	}
	for _, prompt := range []string{"ok", "thanks 👍", "continue", "weiter"} {
		if got := d.ask("s", prompt, prompt); got != "" {
			t.Errorf("%s: %q", prompt, got)
		}
		d.stop("s", prompt, "yes")
	}
	if got := d.kept(); len(got) != 4 {
		t.Errorf("kept %q", got)
	}
}

// TestWhatIsOffIsOff: nothing is kept without capture, nothing given without
// recall.
func TestWhatIsOffIsOff(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.Captures = false
	if got := d.ask("s", "p", "how many deployment retries are there?"); got == "" {
		t.Error("nothing is recalled")
	}
	if o := d.stop("s", "p", "x"); o != turns.None || len(d.kept()) > 0 {
		t.Errorf("kept: %s %q", o, d.kept())
	}
	d.Captures, d.Recalls = true, false
	if got := d.ask("t", "p", "how many deployment retries are there?"); got != "" {
		t.Errorf("recalled: %q", got)
	}
}

// TestNowhereToKeepAnything holds no prompt up, and gives what is known.
func TestNowhereToKeepAnything(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	file := filepath.Join(d.root, "file")
	d.write("file", "")
	d.Store.Dir = filepath.Join(file, "x")
	if got := d.ask("s", "p", "how many deployment retries are there?"); !strings.Contains(got, "four times") {
		t.Errorf("observed %q", got)
	}
	if o := d.stop("s", "p", "x"); o != turns.None {
		t.Errorf("the end: %s", o)
	}
}
