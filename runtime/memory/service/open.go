package service

import (
	"time"

	"kitsoki/runtime/journal"
)

// seldom is how often it is written down that a session is still in use.
const seldom = 24 * time.Hour

type openReply struct {
	Session   string `json:"session_id"`
	Resumed   bool   `json:"resumed"`
	Source    string `json:"source"`
	Namespace string `json:"namespace"`
}

// open opens the session of (namespace, source, key), or finds it again.
func (s *Service) open(c call) (any, error) {
	texts, err := needed(c.body, "source", "session_key")
	if err != nil {
		return nil, err
	}
	want := session{Namespace: c.namespace, Source: texts[0], Key: texts[1], At: s.opts.Now().UTC()}
	if want.Agent, err = c.body.Text("agent_id"); err != nil {
		return nil, invalid(err.Error())
	}
	if want.Workspace, err = c.body.Text("workspace_path"); err != nil {
		return nil, invalid(err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, resumed, err := s.openLocked(want)
	if err != nil {
		return nil, err
	}
	return openReply{id, resumed, want.Source, want.Namespace}, nil
}

// openLocked finds or makes a session, and writes down what is new about it.
func (s *Service) openLocked(want session) (id string, resumed bool, err error) {
	if old := s.state.keys[want.name()]; old != nil {
		want.ID = old.ID
		if old.Agent == want.Agent && old.Workspace == want.Workspace && want.At.Sub(old.At) < seldom {
			return old.ID, true, nil
		}
		return old.ID, true, s.state.add(line{Session: &want})
	}
	chance, err := journal.NewID(want.At, s.opts.Rand)
	if err != nil {
		return "", false, err
	}
	want.ID = "sess:" + chance
	return want.ID, false, s.state.add(line{Session: &want})
}
