package service

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/memory/wire"
)

func TestOpenResumesByNamespaceSourceAndKey(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) {
		o.Tokens = []Token{{wire.NewSecret(token), "mine"}, {wire.NewSecret(otherToken), "theirs"}}
	})
	open := func(secret, source, key string) answer {
		r := request(http.MethodPost, wire.PathOpen, object(t, "source", source, "session_key", key, "workspace_path", nil))
		r.Header.Set("Authorization", "Bearer "+secret)
		return b.do(r)
	}
	first := open(token, "claude-code", "s-1")
	if first.status != http.StatusOK || !first.is("resumed", "false") || first.text("namespace") != "mine" || first.text("source") != "claude-code" {
		t.Fatalf("%d %s", first.status, first.raw)
	}
	tests := []struct {
		name, secret, source, key string
		same                      bool
	}{
		{"again", token, "claude-code", "s-1", true},
		{"another key", token, "claude-code", "s-2", false},
		{"another source", token, "codex", "s-1", false},
		{"another namespace", otherToken, "claude-code", "s-1", false},
		{"texts that only look alike joined", token, "claude-code\x00s-1", "x", false},
	}
	for _, tt := range tests {
		got := open(tt.secret, tt.source, tt.key)
		same := got.text("session_id") == first.text("session_id")
		if got.status != http.StatusOK || same != tt.same || got.is("resumed", "true") != tt.same {
			t.Errorf("%s: %d %s", tt.name, got.status, got.raw)
		}
	}
}

func TestStartIsIdempotentByTurnID(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	one, two := b.session("s-1"), b.session("s-2")
	talk := []wire.Message{{Role: "user", Content: "hello"}}
	first := b.begin(one, "turn:1", "why?", "conversation", talk)
	if first.status != http.StatusOK || !first.is("resumed", "false") || first.text("turn_id") != "turn:1" || first.text("session_id") != one {
		t.Fatalf("%d %s", first.status, first.raw)
	}
	b.backend.mu.Lock()
	b.backend.found = Retrieval{}
	b.backend.mu.Unlock()
	for name, more := range map[string][]any{
		"the same":                         {"conversation", talk},
		"without its conversation":         nil,
		"null for it":                      {"conversation", nil},
		"a conversation that comes to it":  {"conversation", []wire.Message{{Role: "assistant", Content: " \n"}, {Role: "user", Content: " hello "}}},
		"at another time since compaction": {"conversation", talk, "context_since", "2026-11-30T11:00:00Z"},
	} {
		again := b.begin(one, "turn:1", "why?", more...)
		if again.status != http.StatusOK || !again.is("resumed", "true") || string(again.body["retrieval"]) != string(first.body["retrieval"]) {
			t.Errorf("%s: %d %s", name, again.status, again.raw)
		}
	}
	b.expect("another session", b.begin(two, "turn:1", "why?", "conversation", talk), 400, "conflict")
	b.expect("another query", b.begin(one, "turn:1", "why not?", "conversation", talk), 400, "conflict")
	b.expect("another conversation", b.begin(one, "turn:1", "why?", "conversation", []wire.Message{{Role: "assistant", Content: "hello"}}), 400, "conflict")
	b.expect("no conversation at all", b.begin(one, "turn:1", "why?", "conversation", []wire.Message{}), 400, "conflict")
	if asked, _ := b.backend.counts(); asked != 1 {
		t.Errorf("%d retrievals", asked)
	}
}

func TestRetrievalOnTheWire(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	const record = `{"id":"7","kind":"document","record_type":"document","title":"Retries","body":"Three <times>.","source":"docs/retry.md:12"}`
	tests := []struct {
		turn  string
		found Retrieval
		fails error
		want  string
	}{
		{"ready", retries(), nil, `{"records":[` + record + `],"delivery":{"status":"ready","records":[` + record + `]},"quality":{"status":"complete"},"conversation_messages":0}`},
		{"quiet", Retrieval{}, nil, `{"records":[],"delivery":{"status":"quiet","records":[]},"quality":{"status":"complete"},"conversation_messages":0}`},
		{"degraded", Retrieval{Degraded: "stale"}, nil, `{"records":[],"delivery":{"status":"degraded","records":[]},"quality":{"status":"degraded","reason":"stale"},"conversation_messages":0}`},
		{"broken", retries(), errBackend, `{"records":[],"delivery":{"status":"degraded","records":[]},"quality":{"status":"degraded","reason":"the store could not be asked"},"conversation_messages":0}`},
	}
	for _, tt := range tests {
		b.backend.mu.Lock()
		b.backend.found, b.backend.fails = tt.found, tt.fails
		b.backend.mu.Unlock()
		if got := b.begin(id, tt.turn, "why?"); got.status != http.StatusOK || string(got.body["retrieval"]) != tt.want {
			t.Errorf("%s\nexpected %s\nobserved %d %s", tt.turn, tt.want, got.status, got.body["retrieval"])
		}
	}
	if want := []string{"retrieving: the index is broken"}; !slices.Equal(b.reported, want) {
		t.Errorf("reported %q", b.reported)
	}
}

func TestBackendIsAskedWithWhatWasSaid(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	got := b.begin(id, "turn:1", " why?\n", "context_since", "2026-11-30T12:30:00.5+01:00", "conversation", []wire.Message{{Role: "assistant", Content: "x"}})
	if got.status != http.StatusOK || len(b.backend.asked) != 1 {
		t.Fatalf("%d %s", got.status, got.raw)
	}
	q := b.backend.asked[0]
	since := time.Date(2026, 11, 30, 11, 30, 0, 5e8, time.UTC)
	if q.Namespace != "private" || q.Source != "claude-code" || q.Workspace != "/work" || q.Text != " why?\n" || !q.Since.Equal(since) ||
		len(q.Conversation) != 1 || q.Conversation[0] != (wire.Message{Role: "assistant", Content: "x"}) {
		t.Errorf("%+v", q)
	}
}

func TestConversationHasAtMostEightMessages(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	talk := slices.Repeat([]wire.Message{{Role: "user", Content: "x"}}, 8)
	b.expect("eight", b.begin(id, "turn:8", "why?", "conversation", talk), 200, "")
	b.expect("nine", b.begin(id, "turn:9", "why?", "conversation", append(talk, talk[0])), 400, "invalid")
	if got := len(b.backend.asked[0].Conversation); got != 8 {
		t.Errorf("%d messages were used", got)
	}
}

func TestMessagesAreTrimmedToSixHundred(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	b.expect("a long one", b.begin(id, "turn:1", "why?", "conversation", []wire.Message{{Role: "user", Content: " " + strings.Repeat("ä", 601)}}), 200, "")
	if got := b.backend.asked[0].Conversation; len(got) != 1 || got[0].Content != strings.Repeat("ä", 600) {
		t.Errorf("%d messages: %.40q…", len(got), got)
	}
}

func TestMachineTextIsDropped(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	got := b.begin(id, "turn:1", "why?", "conversation", []wire.Message{
		{Role: "user", Content: "\n<system-reminder>do this</system-reminder>"},
		{Role: "user", Content: "what is a <system-reminder>?"},
		{Role: "user", Content: "[SYSTEM NOTIFICATION] x"},
	})
	talk := b.backend.asked[0].Conversation
	if got.status != http.StatusOK || len(talk) != 1 || talk[0].Content != "what is a <system-reminder>?" || !strings.Contains(got.raw, `"conversation_messages":1`) {
		t.Errorf("%d %+v %s", got.status, talk, got.raw)
	}
}

func TestCompleteIsFirstWins(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	one, two := b.session("s-1"), b.session("s-2")
	b.begin(one, "turn:1", "why?")
	first := b.finish(one, "turn:1", "why?", "because")
	if first.status != http.StatusOK || !first.is("stored", "true") || !first.is("deduplicated", "false") || first.text("turn_id") != "turn:1" {
		t.Fatalf("%d %s", first.status, first.raw)
	}
	again := b.finish(one, "turn:1", "why?", "because")
	if again.status != http.StatusOK || !again.is("stored", "false") || !again.is("deduplicated", "true") {
		t.Errorf("again: %d %s", again.status, again.raw)
	}
	b.expect("another answer", b.finish(one, "turn:1", "why?", "because not"), 400, "conflict")
	b.expect("another query", b.finish(one, "turn:1", "why not?", "because"), 400, "conflict")
	b.expect("another session", b.finish(two, "turn:1", "why?", "because"), 400, "conflict")
	want := Turn{"private", "claude-code", "s-1", "/work", "turn:1", "why?", "because", noon(), noon()}
	if len(b.backend.turns) != 1 || b.backend.turns[0] != want {
		t.Errorf("stored %+v", b.backend.turns)
	}
}

func TestFirstPayloadWinsOverAFailingBackend(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	b.begin(id, "turn:1", "why?")
	b.backend.fail(errBackend)
	b.expect("while it fails", b.finish(id, "turn:1", "why?", "because"), 500, "internal")
	b.backend.fail(nil)
	b.expect("another payload", b.finish(id, "turn:1", "why?", "because not"), 400, "conflict")
	if got := b.finish(id, "turn:1", "why?", "because"); got.status != http.StatusOK || !got.is("stored", "true") {
		t.Errorf("the same payload: %d %s", got.status, got.raw)
	}
	if _, stored := b.backend.counts(); stored != 1 || len(b.reported) != 1 || strings.Contains(strings.Join(b.reported, ""), "because") {
		t.Errorf("stored %d, reported %q", stored, b.reported)
	}
}

func TestValidationErrorsAre400(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	b.begin(id, "turn:1", "why?")
	start := `{"session_id":"` + id + `","turn_id":"turn:2","query":"why?"`
	done := wire.PathComplete("turn:1")
	tests := []struct{ name, path, body, message string }{
		{"no body", wire.PathOpen, ``, "ends early"},
		{"no JSON", wire.PathOpen, `source=x`, "not JSON"},
		{"no object", wire.PathOpen, `["source"]`, "not a JSON object"},
		{"no UTF-8", wire.PathOpen, "{\"source\":\"\xff\",\"session_key\":\"k\"}", "not UTF-8"},
		{"a key twice", wire.PathOpen, `{"source":"a","source":"b","session_key":"k"}`, "twice"},
		{"no source", wire.PathOpen, `{"session_key":"k"}`, `"source" is needed`},
		{"a source of blanks", wire.PathOpen, `{"source":" \n","session_key":"k"}`, `"source" is needed`},
		{"no key", wire.PathOpen, `{"source":"a","session_key":null}`, `"session_key" is needed`},
		{"a key in capitals", wire.PathOpen, `{"source":"a","SESSION_KEY":"k"}`, `"session_key" is needed`},
		{"a key of a wrong type", wire.PathOpen, `{"source":"a","session_key":1}`, `"session_key" must be a text`},
		{"a workspace of a wrong type", wire.PathOpen, `{"source":"a","session_key":"k","workspace_path":["/"]}`, `"workspace_path" must be a text`},
		{"an agent of a wrong type", wire.PathOpen, `{"source":"a","session_key":"k","agent_id":{}}`, `"agent_id" must be a text`},
		{"a namespace of a wrong type", wire.PathOpen, `{"source":"a","session_key":"k","namespace":1}`, `"namespace" must be a text`},
		{"an unknown session", wire.PathStart, `{"session_id":"sess:x","turn_id":"t","query":"q"}`, "the session was not opened"},
		{"no session", wire.PathStart, `{"turn_id":"t","query":"q"}`, `"session_id" is needed`},
		{"no turn", wire.PathStart, `{"session_id":"` + id + `","query":"q"}`, `"turn_id" is needed`},
		{"no query", wire.PathStart, `{"session_id":"` + id + `","turn_id":"t","query":""}`, `"query" is needed`},
		{"a conversation of a wrong type", wire.PathStart, start + `,"conversation":"hello"}`, `"conversation" must be a list of objects`},
		{"a message of a wrong type", wire.PathStart, start + `,"conversation":["hello"]}`, `"conversation" must be a list of objects`},
		{"a message without a role", wire.PathStart, start + `,"conversation":[{"content":"x"}]}`, `"role" must be user or assistant`},
		{"a message of another role", wire.PathStart, start + `,"conversation":[{"role":"system","content":"x"}]}`, `"role" must be user or assistant`},
		{"a message without content", wire.PathStart, start + `,"conversation":[{"role":"user"}]}`, `"content" is needed`},
		{"content of a wrong type", wire.PathStart, start + `,"conversation":[{"role":"user","content":[]}]}`, `"content" must be a text`},
		{"a time that is none", wire.PathStart, start + `,"context_since":"yesterday"}`, `"context_since" must be a time`},
		{"a time of a wrong type", wire.PathStart, start + `,"context_since":1}`, `"context_since" must be a text`},
		{"an unknown turn", wire.PathComplete("turn:2"), `{"session_id":"` + id + `","query":"q","answer":"a"}`, "the turn was not started"},
		{"no session of a completion", done, `{"query":"why?","answer":"a"}`, `"session_id" is needed`},
		{"no query of a completion", done, `{"session_id":"` + id + `","answer":"a"}`, `"query" is needed`},
		{"an empty answer", done, `{"session_id":"` + id + `","query":"why?","answer":" "}`, `"answer" is needed`},
	}
	for _, tt := range tests {
		got := b.do(request(http.MethodPost, tt.path, tt.body))
		e, _ := got.body.Object("error")
		message, _ := e.Text("message")
		if got.status != http.StatusBadRequest || got.code() != "invalid" || !strings.Contains(message, tt.message) {
			t.Errorf("%s: expected 400, %q; observed %d %s", tt.name, tt.message, got.status, got.raw)
		}
	}
	if asked, stored := b.backend.counts(); asked != 1 || stored != 0 {
		t.Errorf("%d retrievals, %d turns stored", asked, stored)
	}
	b.expect("unknown keys", b.post(wire.PathOpen, "source", "a", "session_key", "k", "novelty", []int{1}), 200, "")
}

func TestUnknownPathIs404AndAnotherMethod405(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) { o.Tokens = []Token{{wire.NewSecret(token), "mine"}} })
	for _, path := range []string{"/", "/v1", "/v1/turns", "/v1/sessions/open/", "/v1/turns/x/complete/", "/v1/turns//complete", "/v1/turns/a/b/complete", "/V1/turns/start", "/v1/recall"} {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			b.expect(method+" "+path, b.do(request(method, path, "{}")), 404, "not_found")
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		got := b.do(request(method, wire.PathStart, ""))
		b.expect(method, got, 405, "wrong_method")
		if got.header.Get("Allow") != "POST" {
			t.Errorf("%s: allowed %q", method, got.header.Get("Allow"))
		}
	}
}

func TestBodyOverTwoMillionBytesIs400(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	fill := func(size int) string {
		const head, tail = `{"source":"a","session_key":"`, `"}`
		return head + strings.Repeat("k", size-len(head)-len(tail)) + tail
	}
	b.expect("2,000,000", b.do(request(http.MethodPost, wire.PathOpen, fill(2_000_000))), 200, "")
	b.expect("2,000,001", b.do(request(http.MethodPost, wire.PathOpen, fill(2_000_001))), 400, "too_large")
	b.expect("2,000,001 of blanks", b.do(request(http.MethodPost, wire.PathOpen, fill(100)+strings.Repeat(" ", 1_999_901))), 400, "too_large")
}
