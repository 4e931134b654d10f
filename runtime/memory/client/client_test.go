package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/memory/wire"
)

func TestBearerOnlyWhenATokenIsConfigured(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"", token} {
		f := newFake(t, nil, nil)
		cfg := config(f.URL)
		cfg.Token = wire.NewSecret(secret)
		if _, err := connect(t, cfg).Open(context.Background(), Session{Key: "k"}); err != nil {
			t.Fatal(err)
		}
		got, has := f.header[0]["Authorization"]
		if has != (secret != "") || has && (len(got) != 1 || got[0] != "Bearer "+token) {
			t.Errorf("with token %q: %q", secret, got)
		}
	}
}

func TestSourceIsAgentIDAndNamespaceIsNeverAsserted(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil, nil)
	exchange(t, connect(t, config(f.URL)), turn())
	if f.heard() != 3 {
		t.Fatalf("%d requests", f.heard())
	}
	for i, body := range f.bodies {
		var keys map[string]json.RawMessage
		if err := json.Unmarshal([]byte(body), &keys); err != nil {
			t.Fatal(err)
		}
		if _, has := keys["namespace"]; has {
			t.Errorf("request %d asserts a namespace: %s", i, body)
		}
		if i == 0 && (string(keys["source"]) != `"claude-code"` || string(keys["agent_id"]) != `"claude-code"`) {
			t.Errorf("who asks: %s", body)
		}
	}
}

func TestConversationIsTheLastFour(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil, nil)
	in := turn()
	for _, text := range []string{"1", "2", "3", strings.Repeat("ä", 700), "5"} {
		in.Conversation = append(in.Conversation, wire.Message{Role: wire.RoleUser, Content: text})
	}
	if _, err := connect(t, config(f.URL)).Start(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	var sent struct{ Conversation []wire.Message }
	if err := json.Unmarshal([]byte(f.bodies[0]), &sent); err != nil {
		t.Fatal(err)
	}
	want := []string{"2", "3", strings.Repeat("ä", 600), "5"}
	if len(sent.Conversation) != len(want) {
		t.Fatalf("sent %d messages", len(sent.Conversation))
	}
	for i, m := range sent.Conversation {
		if m.Content != want[i] || m.Role != wire.RoleUser {
			t.Errorf("message %d: %+v", i, m)
		}
	}
}

func TestDeliveryRecordsElseRetrievalRecords(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, reply, want string }{
		{"delivery is an object", `{"retrieval":{"records":[{"body":"r"}],"delivery":{"records":[{"body":"d"}]}}}`, "d"},
		{"delivery has nothing", `{"retrieval":{"records":[{"body":"r"}],"delivery":{"records":[]}}}`, ""},
		{"delivery has no records", `{"retrieval":{"records":[{"body":"r"}],"delivery":{}}}`, ""},
		{"no delivery", `{"retrieval":{"records":[{"body":"r"}]}}`, "r"},
		{"delivery is null", `{"retrieval":{"records":[{"body":"r"}],"delivery":null}}`, "r"},
		{"delivery is a text", `{"retrieval":{"records":[{"body":"r"}],"delivery":"none"}}`, "r"},
		{"delivery is a list", `{"retrieval":{"records":[{"body":"r"}],"delivery":[{"body":"d"}]}}`, "r"},
		{"no records", `{"retrieval":{"records":null}}`, ""},
		{"no retrieval", `{"retrieval":null}`, ""},
		{"nothing", `{}`, ""},
		{"a record that says nothing", `{"retrieval":{"records":[{"kind":"x","source":"y"},{"body":"r"}]}}`, "r"},
	}
	for _, tt := range tests {
		found, err := start(t, says(200, tt.reply))
		var got []string
		for _, r := range found.Records {
			got = append(got, r.Body)
		}
		if err != nil || strings.Join(got, " ") != tt.want || found.Status != "" {
			t.Errorf("%s: %q, %+v, %v", tt.name, got, found, err)
		}
	}
}

func TestDegradedIsOneStatusLine(t *testing.T) {
	t.Parallel()
	const tail = ": what it knows may be missing here."
	for reply, want := range map[string]string{
		`{"retrieval":{"delivery":{"status":"degraded"}}}`:                                     "kitsoki: the memory service is degraded (delivery)" + tail,
		`{"retrieval":{"quality":{"status":"degraded"}}}`:                                      "kitsoki: the memory service is degraded (quality)" + tail,
		`{"retrieval":{"quality":{"status":"degraded"},"delivery":{"status":"degraded"}}}`:     "kitsoki: the memory service is degraded (delivery, quality)" + tail,
		`{"retrieval":{"quality":{"status":"complete"},"delivery":{"status":"ready"}}}`:        "",
		`{"retrieval":{"quality":{"status":"something new"},"delivery":{"status":"unheard"}}}`: "",
	} {
		if found, err := start(t, says(200, reply)); err != nil || found.Status != want {
			t.Errorf("%s: %q, %v", reply, found.Status, err)
		}
	}
}

func TestEmptyAnswerIsNotSent(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil, nil)
	c := connect(t, config(f.URL))
	for _, answer := range []string{"", " \n\t"} {
		if sent, err := c.Complete(context.Background(), Completion{Session: "s", ID: "t", Query: "q", Answer: answer}); sent || err != nil {
			t.Errorf("%q: %v, %v", answer, sent, err)
		}
	}
	if f.heard() != 0 {
		t.Errorf("%d requests", f.heard())
	}
	if sent, err := c.Complete(context.Background(), Completion{Session: "s", ID: "t", Query: "q", Answer: "a"}); !sent || err != nil {
		t.Errorf("an answer: %v, %v", sent, err)
	}
}

func TestTotalStaysBelowTheBound(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil, nil)
	now := noon()
	cfg := config(f.URL)
	cfg.Total, cfg.Now = 10*time.Second, func() time.Time { return now }
	c := connect(t, cfg)
	for _, tt := range []struct {
		after, want time.Duration
	}{{0, 9 * time.Second}, {8 * time.Second, time.Second}, {9 * time.Second, 0}, {time.Minute, -51 * time.Second}} {
		now = noon().Add(tt.after)
		if got := c.within(time.Minute); got != tt.want {
			t.Errorf("after %v: expected %v, observed %v", tt.after, tt.want, got)
		}
	}
	if _, err := c.Start(context.Background(), turn()); CauseOf(err) != CauseSlow || f.heard() != 0 {
		t.Errorf("after the bound: %v, %d requests", err, f.heard())
	}
	now = noon()
	if _, err := c.Start(context.Background(), turn()); err != nil {
		t.Errorf("within the bound: %v", err)
	}
	if got := c.within(time.Second); got != time.Second {
		t.Errorf("a call's own time-out: %v", got)
	}
}

// TestEachCallHasItsTimeout gives one kind of call no time at all: the others
// are not touched by it.
func TestEachCallHasItsTimeout(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	cfg := config(newFake(t, nil, nil).URL)
	cfg.Timeout = 1
	quick := connect(t, cfg)
	if _, err := quick.Start(ctx, turn()); err != nil {
		t.Errorf("start has the time-out of others: %v", err)
	}
	_, open := quick.Open(ctx, Session{Key: "k"})
	_, complete := quick.Complete(ctx, Completion{ID: "t", Answer: "a"})
	cfg.Timeout, cfg.RecallTimeout = time.Minute, 1
	quick = connect(t, cfg)
	_, begin := quick.Start(ctx, turn())
	for _, err := range []error{open, complete, begin} {
		if CauseOf(err) != CauseSlow {
			t.Errorf("without time: %v", err)
		}
	}
	if _, err := quick.Open(ctx, Session{Key: "k"}); err != nil {
		t.Errorf("open has the time-out of start: %v", err)
	}
}

func TestLoopbackIsNeverProxied(t *testing.T) {
	t.Parallel()
	proxy := newFake(t, nil, nil)
	at, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	f := newFake(t, nil, nil)
	cfg := config(f.URL)
	cfg.Proxy = func(*url.URL) (*url.URL, error) { return at, nil }
	if _, err := connect(t, cfg).Open(context.Background(), Session{Key: "k"}); err != nil || f.heard() != 1 || proxy.heard() != 0 {
		t.Errorf("%v; the service heard %d, the proxy %d", err, f.heard(), proxy.heard())
	}
	cfg.URL = "http://memory.invalid:1"
	if _, err := connect(t, cfg).Open(context.Background(), Session{Key: "k"}); err != nil || proxy.heard() != 1 {
		t.Errorf("%v; the proxy heard %d", err, proxy.heard())
	}
}

func TestOversizedRequestIsNotSent(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil, nil)
	in := turn()
	in.Query = strings.Repeat("x", wire.MaxBody)
	if _, err := connect(t, config(f.URL)).Start(context.Background(), in); CauseOf(err) != CauseTooLarge || f.heard() != 0 {
		t.Errorf("%v, %d requests", err, f.heard())
	}
}

func TestPathIsKept(t *testing.T) {
	t.Parallel()
	var path string
	f := newFake(t, nil, func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.EscapedPath()
		_, _ = io.WriteString(w, "{}")
	})
	cfg := config(f.URL + "/memory/")
	if _, err := connect(t, cfg).Complete(context.Background(), Completion{ID: "a/b", Answer: "x"}); err != nil || path != "/memory/v1/turns/a%2Fb/complete" {
		t.Errorf("%q, %v", path, err)
	}
}
