package service

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"kitsoki/runtime/memory/wire"
)

func TestSimultaneousStartsRetrieveOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	b.backend.entered, b.backend.release = make(chan struct{}, 8), make(chan struct{})
	id := b.session("s-1")
	answers := make(chan answer, 8)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { answers <- b.begin(id, "turn:1", "why?") })
	}
	<-b.backend.entered
	b.expect("another query meanwhile", b.begin(id, "turn:1", "why not?"), 400, "conflict")
	close(b.backend.release)
	group.Wait()
	close(answers)
	began, seen := 0, map[string]bool{}
	for a := range answers {
		if a.status != http.StatusOK {
			t.Errorf("%d %s", a.status, a.raw)
		}
		if a.is("resumed", "false") {
			began++
		}
		seen[string(a.body["retrieval"])] = true
	}
	if asked, _ := b.backend.counts(); asked != 1 || began != 1 || len(seen) != 1 {
		t.Errorf("%d retrievals, %d began it, %d packets", asked, began, len(seen))
	}
}

func TestSecondWaitsForARetrievalWhoseClientHasGone(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	b.backend.entered, b.backend.release = make(chan struct{}, 1), make(chan struct{})
	body := object(t, "session_id", b.session("s-1"), "turn_id", "turn:1", "query", "why?")
	gone, leave := context.WithCancel(context.Background())
	first := make(chan answer, 1)
	go func() { first <- b.do(request(http.MethodPost, wire.PathStart, body).WithContext(gone)) }()
	<-b.backend.entered
	leave()
	b.expect("one that doesn't wait", b.do(request(http.MethodPost, wire.PathStart, body).WithContext(gone)), 503, "not_waited_for")
	close(b.backend.release)
	<-first
	second := b.do(request(http.MethodPost, wire.PathStart, body))
	if asked, _ := b.backend.counts(); asked != 1 || second.status != 200 || !strings.Contains(second.raw, "Three <times>.") {
		t.Errorf("%d retrievals, %d %s", asked, second.status, second.raw)
	}
}

func TestSimultaneousCompletionsStoreOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	b.begin(id, "turn:1", "why?")
	answers := make(chan answer, 16)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() { answers <- b.finish(id, "turn:1", "why?", []string{"because", "because not"}[i%2]) })
	}
	group.Wait()
	close(answers)
	count := map[string]int{}
	for a := range answers {
		switch {
		case a.status == 400:
			count[a.code()]++
		case a.is("deduplicated", "true"):
			count["deduplicated"]++
		case a.is("stored", "true"):
			count["stored"]++
		}
	}
	if _, stored := b.backend.counts(); stored != 1 || count["stored"] != 1 || count["deduplicated"] != 7 || count["conflict"] != 8 {
		t.Errorf("%d stored; %v", stored, count)
	}
}

func TestSimultaneousOpensAreOneSession(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	ids := make(chan string, 8)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { ids <- b.session("s-1") })
	}
	group.Wait()
	first := <-ids
	for range 7 {
		if id := <-ids; id != first {
			t.Errorf("%s and %s", first, id)
		}
	}
}

func TestRetrievalHasATimeout(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) { o.Retrieval = 1 })
	b.backend.release = make(chan struct{}) // never
	got := b.begin(b.session("s-1"), "turn:1", "why?")
	if got.status != 200 || !strings.Contains(got.raw, `"delivery":{"status":"degraded"`) || len(b.reported) != 1 {
		t.Errorf("%d %s, reported %q", got.status, got.raw, b.reported)
	}
}

func TestPanickingBackendLeavesNoTurnBehind(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	id := b.session("s-1")
	b.opts.Backend = &panicking{}
	func() {
		defer func() { _ = recover() }()
		b.begin(id, "turn:1", "why?")
	}()
	b.opts.Backend = b.backend
	if got := b.begin(id, "turn:1", "why?"); got.status != 200 || !got.is("resumed", "false") {
		t.Errorf("%d %s", got.status, got.raw)
	}
}

type panicking struct{ store }

func (*panicking) Retrieve(context.Context, Query) (Retrieval, error) { panic("the index") }

// served starts a service on loopback; stop ends it and gives what Serve said.
func (b *bench) served() (address string, stop func() error) {
	b.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Serve(ctx, listener) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	b.t.Cleanup(func() { _ = stop() })
	return listener.Addr().String(), stop
}

func TestShutdownFinishesWhatHasBegun(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	b.backend.entered, b.backend.release = make(chan struct{}, 1), make(chan struct{})
	id := b.session("s-1")
	address, stop := b.served()
	got := make(chan answer, 1)
	go func() {
		resp, err := http.Post("http://"+address+wire.PathStart, "application/json", strings.NewReader(object(t, "session_id", id, "turn_id", "turn:1", "query", "why?")))
		if err != nil {
			t.Error(err)
			got <- answer{}
			return
		}
		got <- readAnswer(t, resp)
	}()
	<-b.backend.entered
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	close(b.backend.release)
	if a := <-got; a.status != 200 || !strings.Contains(a.raw, "Three <times>.") {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if conn, err := net.Dial("tcp", address); err == nil {
		_ = conn.Close()
		t.Error("it still listens")
	}
}

func TestShutdownEndsWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) { o.Retrieval = time.Hour })
	b.limits.grace = 1
	b.backend.entered, b.backend.release, b.backend.left = make(chan struct{}, 1), make(chan struct{}), make(chan struct{}, 1) // never released
	id := b.session("s-1")
	address, stop := b.served()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		resp, err := http.Post("http://"+address+wire.PathStart, "application/json", strings.NewReader(object(t, "session_id", id, "turn_id", "turn:1", "query", "why?")))
		if err == nil {
			_ = resp.Body.Close()
		}
	}()
	<-b.backend.entered
	if err := stop(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	<-ended
	<-b.backend.left // the retrieval does not go on for nobody
}

func TestCloseEndsRetrievals(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) { o.Retrieval = time.Hour })
	b.backend.entered, b.backend.release = make(chan struct{}, 1), make(chan struct{}) // never released
	id := b.session("s-1")
	first := make(chan answer, 1)
	go func() { first <- b.begin(id, "turn:1", "why?") }()
	<-b.backend.entered
	b = b.again(nil)
	b.expect("the one that was asked for", <-first, 503, "closing")
	if got := b.begin(id, "turn:1", "why?"); !got.is("resumed", "false") {
		t.Errorf("a turn without a retrieval is kept: %s", got.raw)
	}
}

func TestCompletionWaitsForTheRetrieval(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	b.backend.entered, b.backend.release = make(chan struct{}, 1), make(chan struct{})
	id := b.session("s-1")
	first := make(chan answer, 1)
	go func() { first <- b.begin(id, "turn:1", "why?") }()
	<-b.backend.entered
	gone, leave := context.WithCancel(context.Background())
	leave()
	body := object(t, "session_id", id, "query", "why?", "answer", "because")
	b.expect("one that doesn't wait", b.do(request(http.MethodPost, wire.PathComplete("turn:1"), body).WithContext(gone)), 503, "not_waited_for")
	close(b.backend.release)
	<-first
	if got := b.finish(id, "turn:1", "why?", "because"); !got.is("stored", "true") {
		t.Errorf("%d %s", got.status, got.raw)
	}
}

// TestSecondCompletionWaitsForTheFirst begins the second while the first is
// being stored: the clock is read just before.
func TestSecondCompletionWaitsForTheFirst(t *testing.T) {
	t.Parallel()
	clock := make(chan struct{}, 16)
	b := newBench(t, t.TempDir(), func(o *Options) { o.Now = func() time.Time { clock <- struct{}{}; return noon() } })
	id := b.session("s-1")
	b.begin(id, "turn:1", "why?")
	b.backend.storing, b.backend.hold = make(chan struct{}, 2), make(chan struct{})
	answers := make(chan answer, 2)
	finish := func() { answers <- b.finish(id, "turn:1", "why?", "because") }
	go finish()
	<-b.backend.storing
	for len(clock) > 0 {
		<-clock
	}
	go finish()
	<-clock
	close(b.backend.hold)
	one, two := <-answers, <-answers
	if _, stored := b.backend.counts(); stored != 1 || one.is("stored", "true") == two.is("stored", "true") {
		t.Errorf("%d stored: %s %s", stored, one.raw, two.raw)
	}
}

// TestSlowClientsAreCutOff sends less than a request, and reads until the
// service has had enough.
func TestSlowClientsAreCutOff(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]string{
		"in the header": "POST /v1/sessions/open HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
		"in the body":   "POST /v1/sessions/open HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
	} {
		b := newBench(t, t.TempDir(), nil)
		b.limits.header, b.limits.request = 20*time.Millisecond, 40*time.Millisecond
		address, _ := b.served()
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, begin); err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(conn) // ends when the service closes
		if err != nil || strings.Contains(string(said), "200 OK") {
			t.Errorf("%s: %q, %v", name, said, err)
		}
		_ = conn.Close()
	}
}

func TestConnectionsHaveTimeouts(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	s := b.server()
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout < s.ReadHeaderTimeout || s.WriteTimeout <= s.ReadTimeout+b.opts.Retrieval || s.IdleTimeout <= 0 || s.MaxHeaderBytes <= 0 {
		t.Errorf("%+v", s)
	}
	if b.opts.Retrieval >= 40*time.Second {
		t.Error("a client would not wait for the longest retrieval")
	}
}

func TestOversizedBodyIsAnsweredOnAConnection(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	s := httptest.NewServer(b.Handler())
	defer s.Close()
	resp, err := http.Post(s.URL+wire.PathOpen, "application/json", strings.NewReader(strings.Repeat("x", 3_000_000)))
	if err != nil {
		t.Fatal(err)
	}
	b.expect("three million bytes", readAnswer(t, resp), 400, "too_large")
}
