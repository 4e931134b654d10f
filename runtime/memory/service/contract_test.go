package service

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/memory/client"
	"kitsoki/runtime/memory/wire"
)

// step is one request of the contract and what must come back. In path and
// body, SESSION and OTHER stand for the ids that were opened.
type step struct {
	name, token, path, body string
	status                  int
	code                    string
	has                     map[string]string // keys of the reply and their JSON
	keep                    string            // a reply's session_id is kept under this name
}

// contract is the list that testdata/client.py runs as well.
func contract() []step {
	const (
		open     = `{"source":"claude-code","agent_id":"claude-code","session_key":"s-1","workspace_path":"/work"}`
		other    = `{"source":"claude-code","agent_id":"claude-code","session_key":"s-2","workspace_path":null}`
		begin    = `{"session_id":"SESSION","turn_id":"turn:e9ac85359eb09e6293d13066","query":"why?","conversation":[{"role":"user","content":"hello"}],"context_since":"2026-11-30T11:00:00Z"}`
		done     = `{"session_id":"SESSION","query":"why?","answer":"because"}`
		complete = "/v1/turns/turn:e9ac85359eb09e6293d13066/complete"
	)
	change := func(s, old, with string) string { return strings.Replace(s, old, with, 1) }
	return []step{
		{"open", token, wire.PathOpen, open, 200, "", map[string]string{"resumed": "false"}, "SESSION"},
		{"resume", token, wire.PathOpen, open, 200, "", map[string]string{"resumed": "true", "session_id": `"SESSION"`}, ""},
		{"open another", token, wire.PathOpen, other, 200, "", map[string]string{"resumed": "false"}, "OTHER"},
		{"start", token, wire.PathStart, begin, 200, "", map[string]string{"resumed": "false"}, ""},
		{"resumed start", token, wire.PathStart, begin, 200, "", map[string]string{"resumed": "true"}, ""},
		{"another query", token, wire.PathStart, change(begin, "why?", "why not?"), 400, "conflict", nil, ""},
		{"another session", token, wire.PathStart, change(begin, "SESSION", "OTHER"), 400, "conflict", nil, ""},
		{"another conversation", token, wire.PathStart, change(begin, "hello", "good-bye"), 400, "conflict", nil, ""},
		{"unknown session", token, wire.PathStart, change(begin, "SESSION", "sess:none"), 400, "invalid", nil, ""},
		{"nine messages", token, wire.PathStart, change(change(begin, "turn:e9ac", "turn:9"), `{"role":"user","content":"hello"}`,
			strings.Repeat(`{"role":"user","content":"x"},`, 8)+`{"role":"user","content":"x"}`), 400, "invalid", nil, ""},
		{"complete", token, complete, done, 200, "", map[string]string{"deduplicated": "false", "stored": "true"}, ""},
		{"complete again", token, complete, done, 200, "", map[string]string{"deduplicated": "true"}, ""},
		{"another answer", token, complete, change(done, "because", "because not"), 400, "conflict", nil, ""},
		{"unknown turn", token, "/v1/turns/turn:none/complete", done, 400, "invalid", nil, ""},
		{"empty answer", token, complete, change(done, "because", " "), 400, "invalid", nil, ""},
		{"no token", "", wire.PathOpen, open, 401, "token_missing", nil, ""},
		{"wrong token", token + "x", wire.PathOpen, open, 401, "token_wrong", nil, ""},
		{"another namespace", token, wire.PathOpen, change(open, `{`, `{"namespace":"theirs",`), 403, "wrong_namespace", nil, ""},
		{"another's session", otherToken, wire.PathStart, begin, 403, "wrong_namespace", nil, ""},
		{"unknown path", token, "/v1/nothing", open, 404, "not_found", nil, ""},
		{"oversized body", token, wire.PathOpen, change(open, "s-1", strings.Repeat("k", wire.MaxBody)), 400, "too_large", nil, ""},
		{"no JSON", token, wire.PathOpen, "source=claude-code", 400, "invalid", nil, ""},
	}
}

func TestContract(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) {
		o.Tokens = []Token{{wire.NewSecret(token), "mine"}, {wire.NewSecret(otherToken), "theirs"}}
	})
	ids := map[string]string{"SESSION": "SESSION", "OTHER": "OTHER"}
	fill := func(s string) string {
		return strings.NewReplacer(`"SESSION"`, `"`+ids["SESSION"]+`"`, `"OTHER"`, `"`+ids["OTHER"]+`"`).Replace(s)
	}
	for _, s := range contract() {
		r := request("POST", s.path, fill(s.body))
		if s.token != "" {
			r.Header.Set("Authorization", "Bearer "+s.token)
		}
		got := b.do(r)
		b.expect(s.name, got, s.status, s.code)
		for key, want := range s.has {
			if !got.is(key, fill(want)) {
				t.Errorf("%s: %q must be %s: %s", s.name, key, fill(want), got.raw)
			}
		}
		if s.keep != "" {
			ids[s.keep] = got.text("session_id")
		}
	}
	if asked, stored := b.backend.counts(); asked != 1 || stored != 1 {
		t.Errorf("%d retrievals, %d turns stored", asked, stored)
	}
}

// TestOurClientSpeaksTheContract lets our two sides talk to each other.
func TestOurClientSpeaksTheContract(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) { o.Tokens = []Token{{wire.NewSecret(token), "mine"}} })
	s := httptest.NewServer(b.Handler())
	defer s.Close()
	ctx := context.Background()
	connect := func(secret string) *client.Client {
		c, err := client.New(client.Config{URL: s.URL, Token: wire.NewSecret(secret), Agent: "claude-code", Timeout: time.Minute, RecallTimeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	c := connect(token)
	id, err := c.Open(ctx, client.Session{Key: "s-1", Workspace: "/work"})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.Open(ctx, client.Session{Key: "s-1"}); again != id || err != nil {
		t.Errorf("resumed as %q, %v", again, err)
	}
	in := client.Turn{Session: id, ID: "turn/1", Query: "why?", Since: noon(), Conversation: []wire.Message{{Role: wire.RoleUser, Content: "hello"}}}
	for _, resumed := range []bool{false, true} {
		found, err := c.Start(ctx, in)
		want := client.Record{Kind: "document", Title: "Retries", Body: "Three <times>.", Source: "docs/retry.md:12"}
		if err != nil || found.Resumed != resumed || len(found.Records) != 1 || found.Records[0] != want || found.Status != "" {
			t.Errorf("%+v, %v", found, err)
		}
	}
	b.backend.fail(errBackend)
	found, err := c.Start(ctx, client.Turn{Session: id, ID: "turn/2", Query: "how?"})
	b.backend.fail(nil)
	if err != nil || len(found.Records) != 0 || !strings.Contains(found.Status, "degraded (delivery, quality)") {
		t.Errorf("degraded: %+v, %v", found, err)
	}
	done := client.Completion{Session: id, ID: "turn/1", Query: "why?", Answer: "because"}
	for range 2 {
		if sent, err := c.Complete(ctx, done); !sent || err != nil {
			t.Errorf("completed: %v, %v", sent, err)
		}
	}
	done.Answer = "because not"
	if _, err := c.Complete(ctx, done); client.CauseOf(err) != client.CauseRejected || !strings.Contains(err.Error(), "(conflict)") {
		t.Errorf("a conflict: %v", err)
	}
	if _, err := connect(token+"x").Open(ctx, client.Session{Key: "s-1"}); client.CauseOf(err) != client.CauseUnauthorised || !strings.Contains(err.Error(), "(token_wrong)") {
		t.Errorf("a wrong token: %v", err)
	}
	if len(b.backend.turns) != 1 || b.backend.turns[0].Answer != "because" || b.backend.turns[0].Namespace != "mine" {
		t.Errorf("stored %+v", b.backend.turns)
	}
}
