package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kitsoki/runtime/memory/wire"
)

// token is a secret that no text may show.
const token = "tok-0123456789abcdef"

// fake is a service that answers as it is told, and writes down what it heard.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	replies map[string]string // by path; an empty one is a session or a turn without records
	log     strings.Builder
	bodies  []string
	header  []http.Header
}

// newFake serves replies; a handler, when there is one, answers instead.
func newFake(t *testing.T, replies map[string]string, instead http.HandlerFunc) *fake {
	t.Helper()
	f := &fake{replies: replies}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.hear(r)
		if instead != nil {
			instead(w, r)
			return
		}
		f.answer(w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) hear(r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bodies, f.header = append(f.bodies, string(body)), append(f.header, r.Header)
	fmt.Fprintf(&f.log, "> %s %s\n", r.Method, r.URL.EscapedPath())
	var names []string
	for name := range r.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&f.log, "> %s: %s\n", name, strings.Join(r.Header[name], " | "))
	}
	fmt.Fprintf(&f.log, ">\n> %s\n", body)
}

func (f *fake) answer(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	reply, ok := f.replies[r.URL.Path]
	switch {
	case ok:
	case r.URL.Path == "/v1/sessions/open":
		reply = `{"session_id": "sess-1", "resumed": false}`
	default:
		reply = `{"retrieval": {"records": []}}`
	}
	fmt.Fprintf(&f.log, "< 200\n<\n< %s\n", reply)
	_, _ = io.WriteString(w, reply)
}

// heard is how many requests there were.
func (f *fake) heard() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.bodies)
}

func noon() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }

// config is a configuration for a service at a URL. Its time-outs are never
// what a test waits for.
func config(url string) Config {
	return Config{URL: url, Token: wire.NewSecret(token), Agent: "claude-code", Timeout: time.Minute, RecallTimeout: time.Minute, Now: noon}
}

func connect(t *testing.T, c Config) *Client {
	t.Helper()
	out, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(out.Close)
	return out
}

func turn() Turn {
	return Turn{Session: "sess-1", ID: "turn:e9ac85359eb09e6293d13066", Query: "What is our retry policy for deployment?"}
}

// start starts a turn at a service that answers with a handler.
func start(t *testing.T, instead http.HandlerFunc) (Recall, error) {
	t.Helper()
	return connect(t, config(newFake(t, nil, instead).URL)).Start(context.Background(), turn())
}

// says answers with a text.
func says(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}
