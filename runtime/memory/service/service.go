// Package service is the other side of the memory service's contract (XKB): an
// HTTP service over a store that it is given. A client opens a session, starts
// a turn and gets what is known for it, and completes the turn.
//
// In go requests; out come JSON objects, an error as
// {"error":{"code":…,"message":…}} with a stable code. Sessions and started
// turns are kept in a folder, as lines of JSON that are on the disk before a
// request is answered.
//
// Invariants: a turn is retrieved for once, however often and whenever it is
// started; its first completion wins; a namespace comes from the token and
// sees nothing of another; a prompt or an answer is not kept here, only a
// digest of it; no token stands in a reply, an error or a file.
//
// It refuses to listen anywhere but on this machine without a token, and it
// answers no web page.
package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"kitsoki/runtime/memory/wire"
)

// DefaultNamespace is whose turns are when no token says so.
const DefaultNamespace = "private"

const (
	// defaultRetrieval ends before a client's 40 seconds do.
	defaultRetrieval = 30 * time.Second
	// defaultKeep is how long a started turn is remembered: none is completed
	// or started again so long after.
	defaultKeep = 7 * 24 * time.Hour
)

// Query asks for what is known for a turn.
type Query struct {
	Namespace    string
	Source       string // the agent
	Workspace    string // its directory, "" when it did not say
	Text         string // the prompt
	Conversation []wire.Message
	Since        time.Time // of the last compaction, zero for none
}

// Record is one piece of what is known. Source is shown to people.
type Record struct{ ID, Kind, Title, Body, Source string }

// Retrieval is what was found. Degraded is why something may be missing, ""
// when nothing is; it goes to the client, so it holds no secret.
type Retrieval struct {
	Records  []Record
	Degraded string
}

// Turn is a turn that is over.
type Turn struct {
	Namespace, Source, SessionKey, Workspace string
	ID, Query, Answer                        string
	Started, Completed                       time.Time
}

// Backend is the store. Its methods may be called at the same time. Store is
// called again with the same turn after a failure, and must then not keep it
// twice: namespace and id name it.
type Backend interface {
	Retrieve(context.Context, Query) (Retrieval, error)
	Store(context.Context, Turn) error
}

// Options are what a service is made of. Backend, Dir, Now and Rand are
// required.
type Options struct {
	Backend   Backend
	Dir       string        // where sessions and turns are kept; it is made
	Tokens    []Token       // who may ask; none means everyone who reaches it
	Namespace string        // of everyone, without tokens; DefaultNamespace when empty
	Hosts     []string      // names that it is asked by, besides this machine's own
	Retrieval time.Duration // the longest that a retrieval may take, 30 s when 0
	Keep      time.Duration // how long turns are remembered, 7 days when 0
	Now       func() time.Time
	Rand      io.Reader
	Report    func(error) // told what went wrong inside, never a prompt or a token; nil for nobody
}

// Service answers the contract's calls. Close it.
type Service struct {
	opts   Options
	life   context.Context // ends with the service, and the retrievals with it
	end    context.CancelFunc
	mu     sync.Mutex // guards state
	state  *state
	limits limits
}

// New opens the state and makes its service. It fails when another process has
// the same folder.
func New(o Options) (*Service, error) {
	if err := CheckTokens(o.Tokens); err != nil {
		return nil, err
	}
	if o.Backend == nil || o.Dir == "" || o.Now == nil || o.Rand == nil {
		return nil, errors.New("memory service: a backend, a folder, a clock and a source of chance are needed")
	}
	o.fill()
	st, err := openState(o.Dir, func() time.Time { return o.Now().Add(-o.Keep) }, o.Report)
	if err != nil {
		return nil, fmt.Errorf("memory service: %w", err)
	}
	s := &Service{opts: o, state: st, limits: defaultLimits(o.Retrieval)}
	s.life, s.end = context.WithCancel(context.Background())
	return s, nil
}

func (o *Options) fill() {
	if strings.TrimSpace(o.Namespace) == "" {
		o.Namespace = DefaultNamespace
	}
	if o.Retrieval <= 0 {
		o.Retrieval = defaultRetrieval
	}
	if o.Keep <= 0 {
		o.Keep = defaultKeep
	}
	if o.Report == nil {
		o.Report = func(error) {}
	}
}

// Close ends retrievals that still run and lets go of the folder.
func (s *Service) Close() error {
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.close()
}

// Handler is the service as a handler.
func (s *Service) Handler() http.Handler { return http.HandlerFunc(s.handle) }
