package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"kitsoki/runtime/memory/wire"
)

const (
	token      = "tok-0123456789abcdef"
	otherToken = "tok-fedcba9876543210"
)

func noon() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }

// counter is a source of chance that never repeats.
type counter struct {
	mu sync.Mutex
	n  uint32
}

func (c *counter) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	for i := range p {
		p[i] = byte(c.n >> (8 * (i % 4)))
	}
	return len(p), nil
}

// store is a backend that knows what it is told to, and writes down what it
// is asked.
type store struct {
	mu      sync.Mutex
	found   Retrieval
	fails   error // what both methods answer, nil for success
	asked   []Query
	turns   []Turn
	entered chan struct{} // told of each retrieval that begins, nil for nobody
	release chan struct{} // waited for by each retrieval, nil for nothing
	left    chan struct{} // told of each retrieval that was cut off, nil for nobody
	storing chan struct{} // told of each storing that begins, nil for nobody
	hold    chan struct{} // waited for by each storing, nil for nothing
}

func (s *store) Retrieve(ctx context.Context, q Query) (Retrieval, error) {
	s.mu.Lock()
	s.asked = append(s.asked, q)
	found, err := s.found, s.fails
	s.mu.Unlock()
	if s.entered != nil {
		s.entered <- struct{}{}
	}
	if s.release != nil {
		select {
		case <-s.release:
		case <-ctx.Done():
			if s.left != nil {
				s.left <- struct{}{}
			}
			return Retrieval{}, ctx.Err()
		}
	}
	return found, err
}

func (s *store) Store(_ context.Context, t Turn) error {
	if s.storing != nil {
		s.storing <- struct{}{}
		<-s.hold
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails == nil {
		s.turns = append(s.turns, t)
	}
	return s.fails
}

func (s *store) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails = err
}

// counts are how many retrievals and turns there were.
func (s *store) counts() (asked, stored int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked), len(s.turns)
}

// bench is a service with its backend.
type bench struct {
	*Service
	t        *testing.T
	backend  *store
	reported []string
}

func retries() Retrieval {
	return Retrieval{Records: []Record{{ID: "7", Kind: "document", Title: "Retries", Body: "Three <times>.", Source: "docs/retry.md:12"}}}
}

// newBench makes a service in a folder; options are changed by change.
func newBench(t *testing.T, dir string, change func(*Options)) *bench {
	t.Helper()
	b := &bench{t: t, backend: &store{found: retries()}}
	var mu sync.Mutex
	o := Options{Backend: b.backend, Dir: dir, Now: noon, Rand: &counter{}, Report: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		b.reported = append(b.reported, err.Error())
	}}
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	b.Service = s
	t.Cleanup(func() { _ = s.Close() })
	return b
}

// answer is what came back.
type answer struct {
	status int
	raw    string
	body   wire.Object
	header http.Header
}

// text is a text of the answer's body, "" when it is none.
func (a answer) text(key string) string {
	s, _ := a.body.Text(key)
	return s
}

// code is the code of an error, "" for success.
func (a answer) code() string {
	e, _ := a.body.Object("error")
	s, _ := e.Text("code")
	return s
}

// is tells whether a key holds a JSON literal, such as true.
func (a answer) is(key, literal string) bool { return string(a.body[key]) == literal }

// request is a request as our clients send it.
func request(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:18972"
	return r
}

func (b *bench) do(r *http.Request) answer {
	b.t.Helper()
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, r)
	return readAnswer(b.t, w.Result())
}

// readAnswer reads an answer, which is one object whatever it says.
func readAnswer(t *testing.T, resp *http.Response) answer {
	t.Helper()
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	a := answer{status: resp.StatusCode, raw: string(data), header: resp.Header}
	if err == nil {
		a.body, err = wire.Parse(bytes.TrimSpace(data))
	}
	if err != nil {
		t.Errorf("%d %q: %v", a.status, data, err)
	}
	return a
}

// post sends pairs of keys and values; a value that is no text is as it is.
func (b *bench) post(path string, pairs ...any) answer {
	b.t.Helper()
	return b.do(request(http.MethodPost, path, object(b.t, pairs...)))
}

func object(t *testing.T, pairs ...any) string {
	t.Helper()
	body := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		body[pairs[i].(string)] = pairs[i+1]
	}
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// session opens a session and gives its id.
func (b *bench) session(key string) string {
	b.t.Helper()
	a := b.post(wire.PathOpen, "source", "claude-code", "agent_id", "claude-code", "session_key", key, "workspace_path", "/work")
	if a.status != http.StatusOK || a.text("session_id") == "" {
		b.t.Fatalf("open: %d %s", a.status, a.raw)
	}
	return a.text("session_id")
}

func (b *bench) begin(session, turn, query string, more ...any) answer {
	b.t.Helper()
	return b.post(wire.PathStart, append([]any{"session_id", session, "turn_id", turn, "query", query}, more...)...)
}

func (b *bench) finish(session, turn, query, text string) answer {
	b.t.Helper()
	return b.post(wire.PathComplete(turn), "session_id", session, "query", query, "answer", text)
}

// expect checks a status and an error's code.
func (b *bench) expect(what string, a answer, status int, code string) {
	b.t.Helper()
	if a.status != status || a.code() != code {
		b.t.Errorf("%s: expected %d %q, observed %d %s", what, status, code, a.status, a.raw)
	}
}

var errBackend = errors.New("the index is broken")
