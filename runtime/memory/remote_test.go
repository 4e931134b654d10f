package memory

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kitsoki/runtime/memory/client"
	"kitsoki/runtime/memory/service"
	"kitsoki/runtime/memory/turns"
	"kitsoki/runtime/memory/wire"
)

const token = "0123456789abcdef"

// served is a repository whose memory is served, and another one's hook that
// asks it.
func served(t *testing.T) (theirs, ours *desk) {
	t.Helper()
	theirs, ours = newDesk(t), newDesk(t)
	s, err := service.New(service.Options{
		Backend: Backend{theirs.Memory}, Dir: t.TempDir(), Now: time.Now, Rand: rand.Reader,
		Tokens: []service.Token{{Secret: wire.NewSecret(token), Namespace: service.DefaultNamespace}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	ours.remote(server.URL, nil)
	return theirs, ours
}

// remote has the desk ask a service.
func (d *desk) remote(url string, env map[string]string) {
	d.t.Helper()
	s := client.Read(func(name string) string { return env[name] }, client.File{URL: url, Token: wire.NewSecret(token)}, d.t.TempDir())
	d.Agent, d.Remote = "claude-code", RemoteOf(s, time.Now)
}

// TestAServiceIsAsked in the place of the index, and handed what is kept.
func TestAServiceIsAsked(t *testing.T) {
	t.Parallel()
	theirs, ours := served(t)
	theirs.write("only.md", "# The lighthouse lamp\n\nThe lighthouse lamp is lit at dusk by the keeper.\n")
	theirs.build()
	const prompt = "who lights the lighthouse lamp"
	if got := ours.ask("s", "p1", prompt); !strings.Contains(got, "lit at dusk") || !strings.Contains(got, "<kitsoki-recalled-notes>") || !strings.Contains(got, "only.md:1") {
		t.Errorf("observed %q", got)
	}
	if got := ours.ask("s", "p2", prompt); got != "" {
		t.Errorf("given twice: %q", got)
	}
	if o := ours.stop("s", "p2", "the keeper"); o != turns.Stored {
		t.Errorf("the end: %s", o)
	}
	if got := theirs.kept(); !slices.Equal(got, []string{prompt + " → the keeper "}) {
		t.Errorf("the service keeps %q", got)
	}
	if o := ours.stop("s", "p2", "another"); o != turns.Replayed || len(theirs.kept()) != 1 {
		t.Errorf("the end again: %s, %q", o, theirs.kept())
	}
	ours.ask("s", "p3", "and now?")
	ours.stop("s", "p3", " ")
	if got := ours.kept(); len(got) != 3 || len(theirs.kept()) != 1 {
		t.Errorf("an empty answer: ours %q, theirs %q", got, theirs.kept())
	}
	if st, err := ours.Remote.Health.Status(); err != nil || len(st.Faults) > 0 {
		t.Errorf("its health: %+v, %v", st, err)
	}
}

// TestSecretsDoNotLeave: what a service gets is masked.
func TestSecretsDoNotLeave(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var bodies strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		data := make([]byte, 1<<16)
		n, _ := r.Body.Read(data)
		bodies.Write(data[:n])
		_, _ = w.Write([]byte(`{"session_id":"x","retrieval":{"records":[]}}`))
	}))
	defer server.Close()
	d := newDesk(t)
	d.remote(server.URL, nil)
	d.write("s.jsonl", `{"type":"user","message":{"content":"password=hunter2hunter2"}}`+"\n"+`{"type":"user","message":{"content":"<task-notification>x"}}`+"\n")
	d.ask("s", "p", "why is token=hunter2hunter2 refused")
	d.stop("s", "p", "since secret=hunter2hunter2 is old")
	mu.Lock()
	defer mu.Unlock()
	if got := bodies.String(); strings.Contains(got, "hunter2") || strings.Contains(got, "task-notification") || strings.Count(got, "[masked]") < 3 {
		t.Errorf("sent: %s", got)
	}
}

// TestAFailingServiceIsSilent: the prompt goes on, the turn is kept here, and the
// cause is noted.
func TestAFailingServiceIsSilent(t *testing.T) {
	t.Parallel()
	answers := map[string]http.HandlerFunc{
		"server_error": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		},
		"bad_reply":    func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) },
		"truncated":    func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"session_id":"`)) },
		"unauthorised": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"forbidden":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"not_found":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
	}
	for cause, handler := range answers {
		t.Run(cause, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(handler)
			defer server.Close()
			d := newDesk(t)
			d.remote(server.URL, nil)
			if got := d.ask("s", "p", "how many deployment retries are there?"); got != "" {
				t.Errorf("observed %q", got)
			}
			if o := d.stop("s", "p", "four"); o != turns.Stored || len(d.kept()) != 1 {
				t.Errorf("the end: %s", o)
			}
			st, err := d.Remote.Health.Status()
			if err != nil || len(st.Faults) == 0 || string(st.Faults[0].Cause) != cause || strings.Contains(st.Faults[0].Detail, token) {
				t.Errorf("its health: %+v, %v", st, err)
			}
		})
	}
	d := newDesk(t)
	d.remote("http://127.0.0.1:1", nil)
	if got := d.ask("s", "p", "how many deployment retries are there?"); got != "" {
		t.Errorf("nobody there: %q", got)
	}
	if st, err := d.Remote.Health.Status(); err != nil || len(st.Faults) != 1 || st.Faults[0].Cause != client.CauseDown {
		t.Errorf("nobody there: %+v, %v", st, err)
	}
}

// TestADegradedServiceIsSaidOnce, beside what it gives.
func TestADegradedServiceIsSaidOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"session_id":"x","turn_id":"t","retrieval":{"delivery":{"status":"degraded","records":[{"kind":"document","title":"T","body":"what is known","source":"a.md:1"}]}}}`))
	}))
	defer server.Close()
	d := newDesk(t)
	d.remote(server.URL, nil)
	got := d.ask("s", "p1", "how many deployment retries are there?")
	if !strings.Contains(got, "what is known") || !strings.Contains(got, "degraded (service)") {
		t.Errorf("observed %q", got)
	}
	if again := d.ask("s", "p2", "how many deployment retries are there now?"); again != "" {
		t.Errorf("said twice: %q", again)
	}
}

// TestPatience: a service is given the time of its settings, the index its own.
func TestPatience(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if got := d.Patience(); got != RecallLimit {
		t.Errorf("the index: %v", got)
	}
	d.remote("http://127.0.0.1:1", map[string]string{client.EnvTimeout: "2"})
	if got := d.Patience(); got != 4*time.Second {
		t.Errorf("a service: %v", got)
	}
}
