// Package client asks a memory service: what is known for a turn that begins,
// and to keep a turn that is over. It speaks the memory service's contract
// (XKB): POST with JSON, three calls.
//
// In go an address, a token, an agent's name, and turns; out come records, a
// line of status, or an Error with its Cause. A small store remembers which
// causes were told already, across processes.
//
// Invariants: the token goes to the configured address and nowhere else, and
// stands in no text that leaves this package; redirects are not followed; a
// reply is read up to a limit and is used whole or not at all; no call
// outlasts its time-out, and all of them together end before the caller's
// bound. The namespace is the token's and is never named.
//
// It refuses addresses that are not http or https. It reads neither the
// environment nor the clock by itself, goes through no proxy that it was not
// given, and never through one to this machine.
package client

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kitsoki/runtime/memory/wire"
)

// maxConversation is how many messages go along with a turn.
const maxConversation = 4

// Client makes the calls. Its calls may run at the same time.
type Client struct {
	base string // scheme, host, port and path, without a slash at its end
	cfg  Config
	http *http.Client
	ends time.Time // when Total is used up, zero for never
}

// New checks a configuration and makes its client. The clock for Total starts
// here. The error is an *Error with CauseConfig; it quotes no value.
func New(c Config) (*Client, error) {
	base, err := address(c.URL)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, err
	}
	out := &Client{base: base, cfg: c, http: transport(c.Proxy)}
	if c.Total > 0 {
		out.ends = c.Now().Add(c.Total * 9 / 10) // the rest is for the caller to answer in
	}
	return out, nil
}

// Address is where the calls go: scheme, host, port, path. It holds no secret.
func (c *Client) Address() string { return c.base }

// Close lets go of connections that are kept open for a next call.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Session says which session a turn belongs to. Workspace is a directory.
type Session struct{ Key, Workspace string }

// Open opens a session, or finds it again, and gives the service's id of it.
func (c *Client) Open(ctx context.Context, s Session) (string, error) {
	const call = "sessions/open"
	reply, err := c.call(ctx, call, wire.PathOpen, c.cfg.Timeout, openRequest{c.cfg.Agent, c.cfg.Agent, s.Key, s.Workspace})
	if err != nil {
		return "", err
	}
	id, err := openReply(reply)
	return id, c.unreadable(call, err)
}

type openRequest struct {
	Source    string `json:"source"`
	Agent     string `json:"agent_id"`
	Key       string `json:"session_key"`
	Workspace string `json:"workspace_path"`
}

// Turn is a turn that begins. Session is the service's id of it, Since the
// time of the last compaction, zero for none. Conversation is what was said
// before, oldest first, without the query and without machine text: leaving
// these out is the caller's part.
type Turn struct {
	Session, ID, Query string
	Conversation       []wire.Message
	Since              time.Time
}

// Start starts a turn and gives what the service knows for it. Of the
// conversation the last four messages that say something are sent, each up to
// 600 code points.
func (c *Client) Start(ctx context.Context, t Turn) (Recall, error) {
	const call = "turns/start"
	reply, err := c.call(ctx, call, wire.PathStart, c.cfg.RecallTimeout, startRequest{t.Session, t.ID, t.Query, recent(t.Conversation), since(t.Since)})
	if err != nil {
		return Recall{}, err
	}
	found, err := startReply(reply)
	return found, c.unreadable(call, err)
}

type startRequest struct {
	Session      string         `json:"session_id"`
	ID           string         `json:"turn_id"`
	Query        string         `json:"query"`
	Conversation []wire.Message `json:"conversation,omitempty"`
	Since        string         `json:"context_since,omitempty"`
}

func recent(all []wire.Message) []wire.Message {
	var out []wire.Message
	for _, m := range all {
		if m.Content = wire.Cut(m.Content, wire.MaxContent); m.Content != "" && m.Role.Known() {
			out = append(out, m)
		}
	}
	return out[max(0, len(out)-maxConversation):]
}

func since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// Completion is a turn that is over.
type Completion struct{ Session, ID, Query, Answer string }

// Complete hands a turn's answer to the service. An answer that says nothing
// is not sent; sent tells whether it was.
func (c *Client) Complete(ctx context.Context, t Completion) (sent bool, err error) {
	if strings.TrimSpace(t.Answer) == "" {
		return false, nil
	}
	_, err = c.call(ctx, "turns/complete", wire.PathComplete(t.ID), c.cfg.Timeout, completeRequest{t.Session, t.Query, t.Answer})
	return err == nil, err
}

type completeRequest struct {
	Session string `json:"session_id"`
	Query   string `json:"query"`
	Answer  string `json:"answer"`
}

// transport makes connections for one process: nothing is followed, unpacked
// or taken from the environment.
func transport(proxy func(*url.URL) (*url.URL, error)) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  guarded(proxy),
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeader,
			MaxIdleConns:           1,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// guarded keeps a proxy away from this machine's own addresses.
func guarded(proxy func(*url.URL) (*url.URL, error)) func(*http.Request) (*url.URL, error) {
	return func(r *http.Request) (*url.URL, error) {
		if proxy == nil || wire.Loopback(r.URL.Hostname()) {
			return nil, nil
		}
		return proxy(r.URL)
	}
}
