package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory/wire"
)

type startReply struct {
	Turn      string          `json:"turn_id"`
	Session   string          `json:"session_id"`
	Resumed   bool            `json:"resumed"`
	Retrieval json.RawMessage `json:"retrieval"`
}

// started is a request to start a turn.
type started struct {
	session, turn, query string
	conversation         []wire.Message
	told                 bool // the request has a conversation, though it may be empty
	since                time.Time
}

// start starts a turn, or gives what it was started with.
func (s *Service) start(c call) (any, error) {
	in, err := readStart(c.body)
	if err != nil {
		return nil, err
	}
	t, sess, isNew, err := s.reserve(c.namespace, in)
	if err != nil {
		return nil, err
	}
	if isNew {
		s.retrieve(t, Query{c.namespace, sess.Source, sess.Workspace, in.query, in.conversation, in.since})
	}
	if err := t.wait(c.r.Context()); err != nil {
		return nil, err
	}
	return startReply{t.ID, t.Session, !isNew, t.Retrieval}, nil
}

func readStart(body wire.Object) (started, error) {
	texts, err := needed(body, "session_id", "turn_id", "query")
	if err != nil {
		return started{}, err
	}
	in := started{session: texts[0], turn: texts[1], query: texts[2]}
	if in.conversation, in.told, err = conversation(body); err != nil {
		return started{}, err
	}
	in.since, err = moment(body)
	return in, err
}

// conversation reads at most eight messages: each is cut, and machine text, as
// what says nothing, is dropped.
func conversation(body wire.Object) (said []wire.Message, told bool, err error) {
	list, err := body.Objects("conversation")
	if err != nil {
		return nil, false, invalid(err.Error())
	}
	if len(list) > wire.MaxMessages {
		return nil, false, invalid(fmt.Sprintf("a conversation has at most %d messages", wire.MaxMessages))
	}
	for _, o := range list {
		m, err := message(o)
		if err != nil {
			return nil, false, err
		}
		if m.Content != "" && !agent.MachineText(m.Content) {
			said = append(said, m)
		}
	}
	return said, list != nil, nil
}

func message(o wire.Object) (wire.Message, error) {
	role, err := o.Text("role")
	if err != nil {
		return wire.Message{}, invalid(err.Error())
	}
	if !wire.Role(role).Known() {
		return wire.Message{}, invalid(`"role" must be user or assistant`)
	}
	if _, has := o["content"]; !has {
		return wire.Message{}, invalid(`"content" is needed`)
	}
	content, err := o.Text("content")
	if err != nil {
		return wire.Message{}, invalid(err.Error())
	}
	return wire.Message{Role: wire.Role(role), Content: wire.Cut(content, wire.MaxContent)}, nil
}

// moment reads when the conversation was compacted last.
func moment(body wire.Object) (time.Time, error) {
	text, err := body.Text("context_since")
	if err != nil {
		return time.Time{}, invalid(err.Error())
	}
	if text = strings.TrimSpace(text); text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, invalid(`"context_since" must be a time, as in 2026-11-30T12:00:00Z`)
	}
	return at, nil
}

// reserve finds the turn, or makes it; isNew tells the one who has to retrieve
// for it.
func (s *Service) reserve(namespace string, in started) (t *turn, sess session, isNew bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, err := s.state.session(namespace, in.session)
	if err != nil {
		return nil, session{}, false, err
	}
	talk, err := journal.PlainJSON(in.conversation)
	if err != nil {
		return nil, session{}, false, err
	}
	want := &turn{
		Namespace: namespace, ID: in.turn, Session: in.session, Query: digest(in.query), Conversation: digest(string(talk)), At: s.opts.Now().UTC(),
		ready: make(chan struct{}),
	}
	if old := s.state.turns[want.name()]; old != nil {
		return old, *found, false, old.same(want, in.told)
	}
	s.state.turns[want.name()] = want
	return want, *found, true, nil
}

// same tells whether a turn is started again as it was. A request that says
// nothing of a conversation contradicts none.
func (t *turn) same(again *turn, told bool) error {
	switch {
	case t.Session != again.Session:
		return conflict("the turn was started in another session")
	case t.Query != again.Query:
		return conflict("the turn was started with another query")
	case told && t.Conversation != again.Conversation:
		return conflict("the turn was started with another conversation")
	}
	return nil
}

// retrieve asks the backend, once a turn, and writes down what it says: for
// the one who asked first even when that one has gone, since a second may wait.
func (s *Service) retrieve(t *turn, q Query) {
	defer close(t.ready)
	t.fault = errors.New("the retrieval came to no end") // in case of a panic
	defer func() {
		if t.fault != nil {
			s.mu.Lock()
			delete(s.state.turns, t.name())
			s.mu.Unlock()
		}
	}()
	packet, err := s.ask(q)
	if err != nil {
		t.fault = err
		return
	}
	s.mu.Lock()
	t.Retrieval = packet
	t.fault = s.state.add(line{Turn: t})
	s.mu.Unlock()
}

// ask gives the packet for a client. A backend that fails is told to the
// client as degraded, so that the turn can go on and be completed.
func (s *Service) ask(q Query) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(s.life, s.opts.Retrieval)
	defer cancel()
	found, err := s.opts.Backend.Retrieve(ctx, q)
	if s.life.Err() != nil {
		return nil, refuse(http.StatusServiceUnavailable, "closing", "the service is closing")
	}
	if err != nil {
		s.opts.Report(fmt.Errorf("retrieving: %w", err))
		found = Retrieval{Degraded: "the store could not be asked"}
	}
	return journal.PlainJSON(newPacket(found, len(q.Conversation)))
}

// wait waits until it is known what a turn was started with.
func (t *turn) wait(ctx context.Context) error {
	select {
	case <-t.ready:
		return t.fault
	case <-ctx.Done():
		return refuse(http.StatusServiceUnavailable, "not_waited_for", "the client has gone")
	}
}
