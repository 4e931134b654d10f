package service

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"kitsoki/runtime/memory/wire"
)

func TestTokenIsNeeded(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) {
		o.Tokens = []Token{{wire.NewSecret(token), "mine"}, {wire.NewSecret(otherToken), "theirs"}}
	})
	tests := []struct {
		name   string
		header []string
		status int
		code   string
	}{
		{"none", nil, 401, "token_missing"},
		{"empty", []string{""}, 401, "token_missing"},
		{"another scheme", []string{"Basic " + token}, 401, "token_missing"},
		{"no scheme", []string{token}, 401, "token_missing"},
		{"two", []string{"Bearer " + token, "Bearer " + token}, 401, "token_missing"},
		{"nothing behind the scheme", []string{"Bearer"}, 401, "token_wrong"},
		{"wrong", []string{"Bearer " + token + "x"}, 401, "token_wrong"},
		{"a part", []string{"Bearer " + token[:len(token)-1]}, 401, "token_wrong"},
		{"right", []string{"Bearer " + token}, 200, ""},
		{"right, the scheme in small letters", []string{"bearer  " + token + " "}, 200, ""},
		{"the other one", []string{"Bearer " + otherToken}, 200, ""},
	}
	for _, tt := range tests {
		r := request(http.MethodPost, wire.PathOpen, `{"source":"a","session_key":"k"}`)
		r.Header["Authorization"] = tt.header
		got := b.do(r)
		b.expect(tt.name, got, tt.status, tt.code)
		if (got.header.Get("WWW-Authenticate") == "Bearer") != (tt.status == 401) || strings.Contains(got.raw, "tok-") {
			t.Errorf("%s: %q %s", tt.name, got.header, got.raw)
		}
	}
}

func TestNamespaceIsTheTokens(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) {
		o.Tokens = []Token{{wire.NewSecret(token), "mine"}, {wire.NewSecret(otherToken), "theirs"}}
	})
	send := func(secret, path, body string) answer {
		r := request(http.MethodPost, path, body)
		r.Header.Set("Authorization", "Bearer "+secret)
		return b.do(r)
	}
	b.expect("another is asserted", send(token, wire.PathOpen, `{"source":"a","session_key":"k","namespace":"theirs"}`), 403, "wrong_namespace")
	b.expect("its own is asserted", send(token, wire.PathOpen, `{"source":"a","session_key":"k","namespace":"mine"}`), 200, "")
	id := send(token, wire.PathOpen, `{"source":"a","session_key":"k"}`).text("session_id")
	turn := object(t, "session_id", id, "turn_id", "turn:1", "query", "why?")
	b.expect("another's session", send(otherToken, wire.PathStart, turn), 403, "wrong_namespace")
	b.expect("its own session", send(token, wire.PathStart, turn), 200, "")
	done := object(t, "session_id", id, "query", "why?", "answer", "because")
	b.expect("another's turn", send(otherToken, wire.PathComplete("turn:1"), done), 403, "wrong_namespace")
	theirs := send(otherToken, wire.PathOpen, `{"source":"a","session_key":"k"}`).text("session_id")
	got := send(otherToken, wire.PathStart, object(t, "session_id", theirs, "turn_id", "turn:1", "query", "something else"))
	if got.status != 200 || !got.is("resumed", "false") || b.backend.asked[1].Namespace != "theirs" {
		t.Errorf("the same turn's id in another namespace: %d %s", got.status, got.raw)
	}
}

func TestWithoutTokensTheNamespaceIsThePrivateOne(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	if got := b.post(wire.PathOpen, "source", "a", "session_key", "k"); got.text("namespace") != "private" {
		t.Errorf("%s", got.raw)
	}
	b.expect("it is asserted", b.post(wire.PathOpen, "source", "a", "session_key", "k", "namespace", "private"), 200, "")
	b.expect("another is", b.post(wire.PathOpen, "source", "a", "session_key", "k", "namespace", "mine"), 403, "wrong_namespace")
}

func TestTokensHaveSixteenCharacters(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		tokens []Token
		want   string
	}{
		{"none", nil, ""},
		{"sixteen", []Token{{wire.NewSecret("0123456789abcdef"), "n"}}, ""},
		{"fifteen", []Token{{wire.NewSecret("0123456789abcdef"), "n"}, {wire.NewSecret("0123456789abcde"), "n"}}, "token 2 is shorter than 16 characters"},
		{"fifteen in more bytes", []Token{{wire.NewSecret("ääääääääääääääü"), "n"}}, "token 1 is shorter"},
		{"not to be sent", []Token{{wire.NewSecret("ääääääääääääääüü"), "n"}}, "token 1 has characters"},
		{"a blank", []Token{{wire.NewSecret("01234567 89abcdef"), "n"}}, "token 1 has characters"},
		{"no namespace", []Token{{wire.NewSecret("0123456789abcdef"), " "}}, "token 1 has no namespace"},
		{"twice", []Token{{wire.NewSecret("0123456789abcdef"), "n"}, {wire.NewSecret("0123456789abcdef"), "m"}}, "token 2 is there twice"},
	}
	for _, tt := range tests {
		err := CheckTokens(tt.tokens)
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "0123456789abcde")) {
			t.Errorf("%s: %v", tt.name, err)
		}
		_, errNew := New(Options{Backend: &store{}, Dir: t.TempDir(), Now: noon, Rand: &counter{}, Tokens: tt.tokens})
		if (errNew == nil) != (tt.want == "") {
			t.Errorf("%s: a service: %v", tt.name, errNew)
		}
	}
}

func TestAnotherAddressIsRefusedWithoutAToken(t *testing.T) {
	t.Parallel()
	tests := []struct {
		address        string
		without, withA bool
	}{
		{DefaultAddr, true, true},
		{"localhost:0", true, true},
		{"[::1]:18972", true, true},
		{":18972", false, true},
		{"0.0.0.0:18972", false, true},
		{"[::]:18972", false, true},
		{"192.168.1.2:18972", false, true},
		{"memory.example:18972", false, true},
		{"127.0.0.1", false, false},
		{"127.0.0.1:http", false, false},
		{"127.0.0.1:65536", false, false},
	}
	for _, tt := range tests {
		if err := CheckListen(tt.address, nil); (err == nil) != tt.without {
			t.Errorf("%s without a token: %v", tt.address, err)
		}
		if err := CheckListen(tt.address, []Token{{wire.NewSecret(token), "n"}}); (err == nil) != tt.withA {
			t.Errorf("%s with a token: %v", tt.address, err)
		}
	}
	if CheckListen(DefaultAddr, []Token{{wire.NewSecret("short"), "n"}}) == nil {
		t.Error("a short token is taken")
	}
}

// farListener says that it listens where others can reach it.
type farListener struct{ net.Listener }

func (farListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 168, 1, 2), Port: 18972} }

func TestServeRefusesAnotherAddressWithoutAToken(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Serve(context.Background(), farListener{listener}); err == nil || !strings.Contains(err.Error(), "needs a token") {
		t.Errorf("%v", err)
	}
	if err := listener.Close(); err == nil {
		t.Error("the listener was left open")
	}
}

func TestWebPagesAreNotAnswered(t *testing.T) {
	t.Parallel()
	near := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 18972}
	far := &net.TCPAddr{IP: net.IPv4(192, 168, 1, 2), Port: 18972}
	tests := []struct {
		name, host, origin string
		at                 net.Addr
		tokens             bool
		status             int
		code               string
	}{
		{"this machine", "127.0.0.1:18972", "", near, false, 200, ""},
		{"by name", "localhost:18972", "", near, false, 200, ""},
		{"by its other name", "[::1]", "", near, false, 200, ""},
		{"a name that leads here", "evil.example:18972", "", near, false, 403, "wrong_host"},
		{"no name", "", "", near, false, 403, "wrong_host"},
		{"with a token all the same", "evil.example", "", near, true, 403, "wrong_host"},
		{"a name that was given", "Memory.Example:443", "", near, true, 200, ""},
		{"another address, with a token", "evil.example", "", far, true, 200, ""},
		{"where it came in is not known", "evil.example", "", nil, true, 403, "wrong_host"},
		{"a page", "127.0.0.1:18972", "https://evil.example", near, false, 403, "web_page"},
		{"a page of this machine", "127.0.0.1:18972", "http://127.0.0.1:18972", near, false, 403, "web_page"},
		{"a page without a name", "127.0.0.1:18972", "null", near, false, 403, "web_page"},
	}
	open, closed := newBench(t, t.TempDir(), nil), newBench(t, t.TempDir(), func(o *Options) {
		o.Tokens, o.Hosts = []Token{{wire.NewSecret(token), "mine"}}, []string{"memory.example"}
	})
	for _, tt := range tests {
		r := request(http.MethodPost, wire.PathOpen, `{"source":"a","session_key":"k"}`)
		r.Host = tt.host
		b := open
		if tt.tokens {
			b = closed
			r.Header.Set("Authorization", "Bearer "+token)
		}
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		if tt.at != nil {
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, tt.at))
		}
		got := b.do(r)
		if got.status != tt.status || got.code() != tt.code || got.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: expected %d %q, observed %d %s", tt.name, tt.status, tt.code, got.status, got.raw)
		}
	}
}

func TestServiceIsPrintedWithoutItsTokens(t *testing.T) {
	t.Parallel()
	b := newBench(t, t.TempDir(), func(o *Options) { o.Tokens = []Token{{wire.NewSecret(token), "mine"}} })
	for _, v := range []any{b.opts, b.opts.Tokens} {
		if text := fmt.Sprintf("%v %+v %#v", v, v, v); strings.Contains(text, token) {
			t.Errorf("%T shows the token", v)
		}
	}
}
