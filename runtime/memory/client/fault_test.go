package client

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kitsoki/runtime/memory/wire"
)

// cutOff promises more than it sends.
func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"retrieval":`)
}

// hangUp closes the connection with what is written first.
func hangUp(first string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, first)
		_ = conn.Close()
	}
}

func TestCauses(t *testing.T) {
	t.Parallel()
	echo := `{"error": {"code": "` + token + `", "message": "` + token + `"}}`
	tests := []struct {
		name    string
		handler http.HandlerFunc
		cause   Cause
		text    string
	}{
		{"401", says(401, echo), CauseUnauthorised, "status 401"},
		{"403", says(403, `{"error": {"code": "wrong_namespace", "message": "`+token+`"}}`), CauseForbidden, "status 403 (wrong_namespace)"},
		{"404", says(404, `{"error": "not found"}`), CauseNotFound, "status 404"},
		{"400", says(400, `{"error": {"code": "conflict"}}`), CauseRejected, "status 400 (conflict)"},
		{"413", says(413, ``), CauseTooLarge, "status 413"},
		{"429", says(429, `{"error": {"code": 5}}`), CauseRejected, "status 429"},
		{"500", says(500, `<html>`+token), CauseServer, "status 500"},
		{"503", says(503, ``), CauseServer, "status 503"},
		{"a reply that is cut off", cutOff, CauseTruncated, "before the answer was whole"},
		{"a connection without a reply", hangUp(""), CauseTruncated, "before the answer was whole"},
		{"no web server", hangUp("SSH-2.0-" + token + "\r\n"), CauseBadReply, "as a web server does"},
		{"JSON that is cut off", says(200, `{"retrieval": {"records": [`), CauseTruncated, "ends early"},
		{"nothing", says(200, ``), CauseTruncated, "ends early"},
		{"no JSON", says(200, `<html>`+token+`</html>`), CauseBadReply, "not JSON"},
		{"no object", says(200, `[]`), CauseBadReply, "not a JSON object"},
		{"no UTF-8", says(200, "{\"a\": \"\xff\"}"), CauseBadReply, "not UTF-8"},
		{"a key twice", says(200, `{"retrieval": null, "retrieval": null}`), CauseBadReply, "twice"},
		{"retrieval of a wrong type", says(200, `{"retrieval": "`+token+`"}`), CauseBadReply, `"retrieval" must be an object`},
		{"records of a wrong type", says(200, `{"retrieval": {"records": {}}}`), CauseBadReply, `"records" must be a list of objects`},
		{"a record of a wrong type", says(200, `{"retrieval": {"records": ["x"]}}`), CauseBadReply, `"records" must be a list of objects`},
		{"a title of a wrong type", says(200, `{"retrieval": {"records": [{"title": 5}]}}`), CauseBadReply, `"title" must be a text`},
		{"a status of a wrong type", says(200, `{"retrieval": {"delivery": {"status": true}}}`), CauseBadReply, `"status" must be a text`},
		{"a quality of a wrong type", says(200, `{"retrieval": {"quality": "degraded"}}`), CauseBadReply, `"quality" must be an object`},
		{"too much", says(200, `{"x": "`+strings.Repeat("x", maxReply)+`"}`), CauseTooLarge, "4 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found, err := start(t, tt.handler)
			if CauseOf(err) != tt.cause || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("expected %s, %q; observed %v", tt.cause, tt.text, err)
			}
			if len(found.Records) != 0 || found.Status != "" {
				t.Errorf("something was used: %+v", found)
			}
			noToken(t, err)
		})
	}
}

// noToken holds that an error shows neither the token nor more than one line.
func noToken(t *testing.T, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "\n") {
			t.Errorf("the error says %q", err)
		}
	}
}

func TestOpenNeedsASessionID(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]Cause{
		`{}`: CauseBadReply, `{"session_id": null}`: CauseBadReply, `{"session_id": " "}`: CauseBadReply, `{"session_id": 7}`: CauseBadReply,
		`{"Session_ID": "x"}`: CauseBadReply, `{"session_id": "sess-9"}`: "",
	} {
		f := newFake(t, map[string]string{"/v1/sessions/open": reply}, nil)
		id, err := connect(t, config(f.URL)).Open(context.Background(), Session{Key: "k"})
		if CauseOf(err) != want || (err == nil) != (want == "") || (err == nil) != (id == "sess-9") {
			t.Errorf("%s: %q, %v", reply, id, err)
		}
	}
}

func TestNoRedirectIsFollowed(t *testing.T) {
	t.Parallel()
	other := newFake(t, nil, nil)
	for _, status := range []int{301, 302, 303, 307, 308} {
		f := newFake(t, nil, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+r.URL.Path, status) })
		_, err := connect(t, config(f.URL)).Start(context.Background(), turn())
		if CauseOf(err) != CauseRedirect || f.heard() != 1 {
			t.Errorf("%d: %v, %d requests", status, err, f.heard())
		}
	}
	if other.heard() != 0 {
		t.Errorf("the other host heard %d requests", other.heard())
	}
}

func TestServiceDown(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = connect(t, config(address)).Open(context.Background(), Session{Key: "k"})
	if CauseOf(err) != CauseDown {
		t.Errorf("%v", err)
	}
	noToken(t, err)
}

func TestServiceSlow(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]string{"no answer": "", "half an answer": `{"retrieval":`} {
		heard, over := make(chan struct{}), make(chan struct{})
		f := newFake(t, nil, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, begin)
			if begin != "" {
				_ = http.NewResponseController(w).Flush()
			}
			close(heard)
			<-over
		})
		ctx, expire := withDeadline()
		go func() { <-heard; expire() }()
		_, err := connect(t, config(f.URL)).Start(ctx, turn())
		close(over)
		if CauseOf(err) != CauseSlow || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		noToken(t, err)
	}
}

// expiring is a context whose deadline comes when the test says so.
type expiring struct {
	context.Context
}

// Value hides what the context is made of, so that Err is asked.
func (e expiring) Value(any) any { return nil }

func (e expiring) Err() error {
	if e.Context.Err() != nil {
		return context.DeadlineExceeded
	}
	return nil
}

func withDeadline() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	return expiring{ctx}, cancel
}

func TestCallerGivesUp(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	f := newFake(t, nil, func(http.ResponseWriter, *http.Request) { cancel(); <-over })
	_, err := connect(t, config(f.URL)).Start(ctx, turn())
	close(over)
	if CauseOf(err) != CauseStopped || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	heard := false
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard = true }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	_, err := connect(t, config(s.URL)).Open(context.Background(), Session{Key: "k"})
	if CauseOf(err) != CauseInsecure || heard {
		t.Errorf("%v, heard %v", err, heard)
	}
	noToken(t, err)
	plain := newFake(t, nil, nil)
	_, err = connect(t, config("https"+strings.TrimPrefix(plain.URL, "http"))).Open(context.Background(), Session{Key: "k"})
	if CauseOf(err) != CauseInsecure {
		t.Errorf("https to a plain server: %v", err)
	}
}

func TestTokenIsTakenOutOfDetails(t *testing.T) {
	t.Parallel()
	c := connect(t, config("http://127.0.0.1"))
	got := c.fault("x", CauseDown, "a\nb "+token+" c").Error()
	if got != "memory service, x: down: a b [token] c" {
		t.Errorf("%q", got)
	}
	if err := (&Error{Cause: CauseConfig, Detail: "d"}).Error(); err != "memory service: bad_config: d" {
		t.Errorf("%q", err)
	}
	if CauseOf(wire.ErrSyntax) != "" || CauseOf(nil) != "" {
		t.Error("another's error has a cause")
	}
}
