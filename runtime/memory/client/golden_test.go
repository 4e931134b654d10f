package client

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/memory/wire"
)

var update = flag.Bool("update", false, "write the golden files")

// exchange makes the three calls of a turn and describes what came of them.
func exchange(t *testing.T, c *Client, in Turn) string {
	t.Helper()
	ctx := context.Background()
	id, err := c.Open(ctx, Session{Key: "s-1", Workspace: "/work/<repo> & more"})
	out := fmt.Sprintf("= session %q, error %v\n", id, err)
	in.Session = id
	found, err := c.Start(ctx, in)
	out += fmt.Sprintf("= status %q, resumed %v, error %v\n", found.Status, found.Resumed, err)
	for _, r := range found.Records {
		out += fmt.Sprintf("= record %q\n", []string{r.Kind, r.Title, r.Body, r.Source})
	}
	sent, err := c.Complete(ctx, Completion{Session: id, ID: in.ID, Query: in.Query, Answer: "Three times,\nthen give up."})
	return out + fmt.Sprintf("= sent %v, error %v\n", sent, err)
}

// TestWire holds what is sent and what is made of the answers, byte for byte.
func TestWire(t *testing.T) {
	t.Parallel()
	long := turn()
	long.Since = time.Date(2026, 11, 30, 13, 30, 0, 5e8, time.FixedZone("", 3600))
	long.Conversation = []wire.Message{
		{Role: "user", Content: "the first, which is left out"},
		{Role: "assistant", Content: "  the last but three "},
		{Role: "system", Content: "no role of the contract"},
		{Role: "user", Content: "über <den> & \"Plan\""},
		{Role: "assistant", Content: " \n "},
		{Role: "assistant", Content: "yes"},
		{Role: "user", Content: "go on"},
	}
	tests := []struct {
		name, start string
		turn        Turn
		noToken     bool
	}{
		{"with-delivery", `{"turn_id":"x","resumed":true,"retrieval":{"records":[{"title":"a candidate","body":"not to be shown"}],` +
			`"delivery":{"status":"ready","records":[{"id":"7","kind":"document","title":"Retries","body":"Three times.","source":"docs/retry.md:12","judge":0.91}]},"quality":{"status":"complete"}}}`, long, false},
		{"without-delivery", `{"retrieval":{"records":[{"record_type":"wiki_topic","title":"Retries","body":"Three times.","source":"docs/retry.md"},` +
			`{"record_type":"conversation_trace","query":"how often?","answer":"three times","source":null}]}}`, turn(), true},
		{"degraded", `{"retrieval":{"records":[{"title":"a candidate"}],"delivery":{"status":"degraded","records":[]},"quality":{"status":"degraded"}}}`, turn(), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, map[string]string{"/v1/turns/start": tt.start}, nil)
			cfg := config(f.URL)
			if tt.noToken {
				cfg.Token = wire.Secret{}
			}
			got := exchange(t, connect(t, cfg), tt.turn)
			golden(t, tt.name, strings.ReplaceAll(f.log.String()+got, token, "<the token>"))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s\nexpected\n%s\nobserved\n%s", path, want, got)
	}
}
