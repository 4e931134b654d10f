package service

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/memory/wire"
)

// again closes a service and makes another one over its folder.
func (b *bench) again(change func(*Options)) *bench {
	b.t.Helper()
	if err := b.Close(); err != nil {
		b.t.Fatal(err)
	}
	return newBench(b.t, b.opts.Dir, change)
}

func TestStateSurvivesARestart(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	talk := []wire.Message{{Role: "user", Content: "hello"}}
	first := b.begin(id, "turn:1", "why?", "conversation", talk)
	b.begin(id, "turn:2", "how?")
	b.finish(id, "turn:1", "why?", "because")

	for range 2 { // read back as it was written line by line, then as it was written anew
		b = b.again(nil)
		if got := b.session("s-1"); got != id {
			t.Errorf("the session is now %s, was %s", got, id)
		}
		again := b.begin(id, "turn:1", "why?", "conversation", talk)
		if !again.is("resumed", "true") || string(again.body["retrieval"]) != string(first.body["retrieval"]) {
			t.Errorf("the turn: %d %s", again.status, again.raw)
		}
		b.expect("another query", b.begin(id, "turn:1", "why not?"), 400, "conflict")
		b.expect("another conversation", b.begin(id, "turn:1", "why?", "conversation", []wire.Message{}), 400, "conflict")
		if got := b.finish(id, "turn:1", "why?", "because"); !got.is("deduplicated", "true") {
			t.Errorf("the completion: %d %s", got.status, got.raw)
		}
		b.expect("another completion", b.finish(id, "turn:1", "why?", "because not"), 400, "conflict")
		if asked, stored := b.backend.counts(); asked != 0 || stored != 0 {
			t.Errorf("%d retrievals, %d turns stored again", asked, stored)
		}
	}
	if got := b.finish(id, "turn:2", "how?", "so"); !got.is("stored", "true") || !b.backend.turns[0].Started.Equal(noon()) {
		t.Errorf("a turn that was open: %d %s", got.status, got.raw)
	}
}

func TestFirstPayloadWinsOverARestart(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	b.begin(id, "turn:1", "why?")
	b.backend.fail(errBackend)
	b.expect("while the backend fails", b.finish(id, "turn:1", "why?", "because"), 500, "internal")
	for range 2 {
		b = b.again(nil)
		b.expect("another payload", b.finish(id, "turn:1", "why?", "because not"), 400, "conflict")
	}
	if got := b.finish(id, "turn:1", "why?", "because"); !got.is("stored", "true") || len(b.backend.turns) != 1 {
		t.Errorf("the same payload: %d %s", got.status, got.raw)
	}
}

func TestNoPromptAndNoTokenIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) { o.Tokens = []Token{{wire.NewSecret(token), "mine"}} })
	send := func(path, body string) answer {
		r := request(http.MethodPost, path, body)
		r.Header.Set("Authorization", "Bearer "+token)
		return b.do(r)
	}
	id := send(wire.PathOpen, `{"source":"a","session_key":"k"}`).text("session_id")
	send(wire.PathStart, object(t, "session_id", id, "turn_id", "t", "query", "PROMPT", "conversation", []wire.Message{{Role: "user", Content: "SAID"}}))
	if got := send(wire.PathComplete("t"), object(t, "session_id", id, "query", "PROMPT", "answer", "ANSWER")); got.status != 200 {
		t.Fatal(got.raw)
	}
	path := filepath.Join(b.opts.Dir, stateName)
	for _, name := range []string{path, path + ".lock"} {
		st, err := os.Stat(name)
		if err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, st, err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "Three <times>.") {
		t.Fatalf("%s, %v", data, err)
	}
	for _, secret := range []string{"PROMPT", "SAID", "ANSWER", token} {
		if strings.Contains(string(data), secret) {
			t.Errorf("%s is kept", secret)
		}
	}
}

func TestFolderHasOneService(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	if _, err := New(b.opts); err == nil || !strings.Contains(err.Error(), "another process serves") {
		t.Errorf("%v", err)
	}
	b.again(nil)
}

func TestDamagedLinesAreSkipped(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	b.begin(id, "turn:1", "why?")
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(b.opts.Dir, stateName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	spoiled := lines[0] + "garbage\n" + "{}\n" + lines[1] + `{"v":1,"turn":{"namespace":"private","id":"turn:2"`
	if err := os.WriteFile(path, []byte(spoiled), 0o600); err != nil {
		t.Fatal(err)
	}
	b = newBench(t, b.opts.Dir, nil)
	if got := b.begin(id, "turn:1", "why?"); !got.is("resumed", "true") {
		t.Errorf("what is whole is lost: %s", got.raw)
	}
	if len(b.reported) != 1 || !strings.Contains(b.reported[0], "3 damaged lines") {
		t.Errorf("reported %q", b.reported)
	}
	b.begin(id, "turn:3", "how?")
	if b = b.again(nil); len(b.reported) != 0 || !b.begin(id, "turn:3", "how?").is("resumed", "true") {
		t.Errorf("after the damage: reported %q", b.reported)
	}
}

func TestStateOfALaterVersionIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, stateName)
	const later = `{"v":2,"novelty":{}}` + "\n"
	if err := os.WriteFile(path, []byte(later), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the folder is let go of
		_, err := New(Options{Backend: &store{}, Dir: dir, Now: noon, Rand: &counter{}})
		if err == nil || !strings.Contains(err.Error(), "later version") {
			t.Errorf("%v", err)
		}
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != later {
		t.Errorf("%q, %v", data, err)
	}
}

func TestOldTurnsAreForgotten(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	old, used := b.session("old"), b.session("used")
	b.begin(old, "turn:1", "why?")
	b.begin(used, "turn:2", "why?")
	later := noon().Add(4 * 24 * time.Hour)
	b = b.again(func(o *Options) { o.Now = func() time.Time { return later } })
	if b.session("used") != used || !b.begin(used, "turn:1b", "how?").is("resumed", "false") {
		t.Error("a session is lost too early")
	}
	latest := noon().Add(8 * 24 * time.Hour)
	b = b.again(func(o *Options) { o.Now = func() time.Time { return latest } })
	b.expect("a session without turns", b.begin(old, "turn:3", "why?"), 400, "invalid")
	b.expect("a turn of before", b.finish(used, "turn:2", "why?", "because"), 400, "invalid")
	if b.session("used") != used || !b.begin(used, "turn:1b", "how?").is("resumed", "true") {
		t.Error("what is younger is lost")
	}
}

// TestStateIsWrittenAnewWhileItRuns makes the file grow by turns of which only
// the newest counts.
func TestStateIsWrittenAnewWhileItRuns(t *testing.T) {
	t.Parallel()
	now := noon()
	b := newBench(t, t.TempDir(), func(o *Options) { o.Now = func() time.Time { return now } })
	b.state.worth = 4 << 10
	id := b.session("s-1")
	b.backend.found.Records[0].Body = strings.Repeat("x", 1<<10)
	for i, turn := range []string{"turn:1", "turn:2", "turn:3"} { // two kilobytes each
		now = noon().Add(time.Duration(i) * 8 * 24 * time.Hour)
		if got := b.begin(id, turn, "why?"); got.status != 200 {
			t.Fatal(got.raw)
		}
	}
	st, err := os.Stat(filepath.Join(b.opts.Dir, stateName))
	if err != nil || st.Size() > 6<<10 { // three are more than seven
		t.Errorf("%v, %v", st, err)
	}
	if got := b.begin(id, "turn:3", "why?"); !got.is("resumed", "true") {
		t.Error("the newest turn is lost")
	}
	b = b.again(func(o *Options) { o.Now = func() time.Time { return now } })
	if got := b.begin(id, "turn:3", "why?"); !got.is("resumed", "true") {
		t.Error("the newest turn is lost on the disk")
	}
}

func TestWhatCannotBeKeptIsNotAnswered(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	if err := b.state.file.f.Close(); err != nil { // no write succeeds any more
		t.Fatal(err)
	}
	b.expect("a new session", b.post(wire.PathOpen, "source", "a", "session_key", "k"), 500, "internal")
	for range 2 { // a turn that was not kept was not started
		b.expect("a turn", b.begin(id, "turn:1", "why?"), 500, "internal")
	}
	if asked, _ := b.backend.counts(); asked != 2 {
		t.Errorf("%d retrievals", asked)
	}
}
