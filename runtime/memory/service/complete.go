package service

import (
	"context"
	"fmt"
)

type completeReply struct {
	Turn         string `json:"turn_id"`
	Session      string `json:"session_id"`
	Status       string `json:"status"`
	Stored       bool   `json:"stored"`
	Deduplicated bool   `json:"deduplicated"`
}

// complete hands a turn to the backend. The first payload wins, also over a
// crash and over a backend that failed: only the same one may come again.
func (s *Service) complete(c call) (any, error) {
	texts, err := needed(c.body, "session_id", "query", "answer")
	if err != nil {
		return nil, err
	}
	t, sess, err := s.begun(c.namespace, texts[0], c.turn)
	if err != nil {
		return nil, err
	}
	if err := t.wait(c.r.Context()); err != nil {
		return nil, err
	}
	if t.Query != digest(texts[1]) {
		return nil, conflict("the turn was started with another query")
	}
	stored, err := s.completeOnce(t, digest(texts...), Turn{
		Namespace: c.namespace, Source: sess.Source, SessionKey: sess.Key, Workspace: sess.Workspace,
		ID: t.ID, Query: texts[1], Answer: texts[2], Started: t.At, Completed: s.opts.Now().UTC(),
	})
	if err != nil {
		return nil, err
	}
	return completeReply{t.ID, t.Session, "succeeded", stored, !stored}, nil
}

// begun finds a turn that was started in a session.
func (s *Service) begun(namespace, id, turnID string) (*turn, session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sess, err := s.state.session(namespace, id)
	if err != nil {
		return nil, session{}, err
	}
	t := s.state.turns[turnName(namespace, turnID)]
	switch {
	case t == nil:
		return nil, session{}, invalid("the turn was not started")
	case t.Session != id:
		return nil, session{}, conflict("the turn was started in another session")
	}
	return t, *sess, nil
}

// completeOnce stores a turn, and tells whether it did: a payload that is
// stored is not stored again. What the payload is, is on the disk before the
// backend has it.
func (s *Service) completeOnce(t *turn, payload string, in Turn) (stored bool, err error) {
	t.completing.Lock()
	defer t.completing.Unlock()
	switch {
	case t.payload != "" && t.payload != payload:
		return false, conflict("the turn was completed otherwise")
	case t.stored:
		return false, nil
	case t.payload == "":
		if err := s.note(line{Claimed: &mark{t.Namespace, t.ID, payload}}); err != nil {
			return false, err
		}
	}
	ctx, cancel := context.WithTimeout(s.life, s.opts.Retrieval)
	defer cancel()
	if err := s.opts.Backend.Store(ctx, in); err != nil {
		return false, fmt.Errorf("storing a turn: %w", err)
	}
	return true, s.note(line{Stored: &mark{t.Namespace, t.ID, payload}})
}

func (s *Service) note(l line) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.add(l)
}
