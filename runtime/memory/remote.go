package memory

import (
	"context"
	"strings"
	"time"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory/client"
	"kitsoki/runtime/memory/index"
	"kitsoki/runtime/memory/recall"
	"kitsoki/runtime/memory/turns"
	"kitsoki/runtime/memory/wire"
	"kitsoki/runtime/secret/mask"
	"kitsoki/runtime/transcript"
)

// Remote is a memory service that is asked in the place of the index, and that
// kept turns are handed to.
type Remote struct {
	Settings client.Settings
	Health   client.Health
}

// RemoteOf is the service that settings name, nil when they name none. State is
// where what it fails with is remembered.
func RemoteOf(s client.Settings, now func() time.Time) *Remote {
	if s.URL == "" {
		return nil
	}
	return &Remote{s, client.NewHealth(s.State, address(s), now)}
}

func address(s client.Settings) string {
	c, err := client.New(s.Config("", 0, time.Now))
	if err != nil {
		return s.URL
	}
	return c.Address()
}

// Patience is how long recalling may take at most.
func (r *Remote) Patience() time.Duration { return r.Settings.Timeout + r.Settings.RecallTimeout }

// told notes what became of an exchange, so that each cause is told once.
func (r *Remote) told(e client.Exchange, err error) { _, _ = r.Health.Note(e, err) }

// open makes a client and opens the session.
func (r *Remote) open(ctx context.Context, m Memory, key string) (*client.Client, string, error) {
	c, err := client.New(r.Settings.Config(m.Agent, r.Patience(), m.Now))
	if err != nil {
		return nil, "", err
	}
	id, err := c.Open(ctx, client.Session{Key: key, Workspace: m.Repo.Top()})
	return c, id, err
}

// exchange is what one prompt gets from a service, as recall takes it from an
// index.
type exchange struct {
	m      Memory
	event  agent.Event
	key    string
	turn   string
	since  time.Time
	status string
}

// opened is called when something is to be looked for: the service is asked
// then, and one that fails is silent, with its cause noted.
func (s *exchange) opened(context.Context) (recall.Searcher, error) { return s, nil }

func (s *exchange) Search(ctx context.Context, q index.Query) ([]index.Hit, error) {
	got, err := s.start(ctx, q.Prompt)
	s.m.Remote.told(client.ExchangeRecall, err)
	if err != nil {
		return nil, nil
	}
	s.status = got.Status
	var hits []index.Hit
	for _, r := range got.Records {
		hits = append(hits, index.Hit{
			Kind: index.Kind(r.Kind), Key: journal.Digest(r.Kind, r.Title, r.Source), Digest: journal.Digest(r.Title, r.Body),
			Title: r.Title, Body: r.Body, Source: r.Source, Relevance: 1,
		})
	}
	return hits, nil
}

func (s *exchange) start(ctx context.Context, prompt string) (client.Recall, error) {
	c, session, err := s.m.Remote.open(ctx, s.m, s.key)
	if c != nil {
		defer c.Close()
	}
	if err != nil {
		return client.Recall{}, err
	}
	return c.Start(ctx, client.Turn{
		Session: session, ID: s.turn, Query: s.m.Store.Query(prompt), Conversation: s.conversation(prompt), Since: s.since,
	})
}

// conversation is what was said before, without the prompt itself and what no
// person typed; secrets are masked before anything leaves.
func (s *exchange) conversation(prompt string) (out []wire.Message) {
	if s.event.TranscriptPath == "" {
		return nil
	}
	list, _ := transcript.Messages(s.event.TranscriptPath, 4, func(m transcript.Message) bool {
		return m.Role == transcript.User && (agent.MachineText(m.Text) || strings.TrimSpace(m.Text) == strings.TrimSpace(prompt))
	})
	for _, m := range list {
		role := wire.RoleUser
		if m.Role == transcript.Assistant {
			role = wire.RoleAssistant
		}
		out = append(out, wire.Message{Role: role, Content: mask.Text(m.Text)})
	}
	return out
}

// Stale tells of a service that was not at its best.
func (s *exchange) Stale(context.Context, string) ([]index.Changed, error) {
	if s.status == "" {
		return nil, nil
	}
	return nil, &index.Error{State: recall.StateService, Cause: s.status}
}

// complete hands a turn over that was kept.
func (r *Remote) complete(ctx context.Context, m Memory, t turns.Turn) {
	ctx, cancel := context.WithTimeout(ctx, 2*r.Settings.Timeout)
	defer cancel()
	err := func() error {
		if strings.TrimSpace(t.Answer) == "" {
			return nil
		}
		c, session, err := r.open(ctx, m, t.Session)
		if c != nil {
			defer c.Close()
		}
		if err != nil {
			return err
		}
		_, err = c.Complete(ctx, client.Completion{Session: session, ID: t.ID, Query: t.Query, Answer: t.Answer})
		return err
	}()
	r.told(client.ExchangeCapture, err)
}
