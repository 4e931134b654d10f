package memory

import (
	"context"
	"errors"
	"path/filepath"

	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory/index"
	"kitsoki/runtime/memory/recall"
	"kitsoki/runtime/memory/service"
	"kitsoki/runtime/memory/turns"
)

// Backend is the memory of a repository as a service serves it. The namespace
// that everyone has without a token keeps its turns where the hook does; another
// one has a store of its own, and all see the notes.
type Backend struct{ M Memory }

// store is where a namespace's turns are.
func (b Backend) store(namespace string) turns.Store {
	s := b.M.Store
	if namespace != service.DefaultNamespace {
		s.Dir = filepath.Join(s.Dir, "namespaces", journal.Sum([]byte(namespace))[:16])
	}
	return s
}

// Retrieve gives what is known for a turn.
func (b Backend) Retrieve(ctx context.Context, q service.Query) (service.Retrieval, error) {
	own := b.M
	own.Store = b.store(q.Namespace)
	var out service.Retrieval
	if recall.Acknowledges(q.Text) {
		return out, nil
	}
	s, err := index.Open(ctx, b.M.IndexDir)
	if err != nil {
		return degraded(err)
	}
	gone, err := own.Store.Gone()
	if err != nil {
		return out, err
	}
	floor := b.M.Config.Floor
	if floor == 0 {
		floor = recall.DefaultFloor
	}
	hits, err := s.Search(ctx, index.Query{
		Prompt: q.Text, Floor: floor, TurnFloor: recall.TurnFloor(floor), Limit: recall.DefaultMaxItems, Tail: own.Turns(),
		Gone: func(id string) bool { return gone[id] || q.Namespace != service.DefaultNamespace },
	})
	if err != nil {
		return degraded(err)
	}
	for _, h := range hits {
		out.Records = append(out.Records, service.Record{ID: h.Key, Kind: string(h.Kind), Title: h.Title, Body: h.Body, Source: h.Source})
	}
	return out, nil
}

// degraded tells a client why something may be missing.
func degraded(err error) (service.Retrieval, error) {
	if known := (*index.Error)(nil); errors.As(err, &known) {
		return service.Retrieval{Degraded: "the index is " + string(known.State) + ": " + known.Cause}, nil
	}
	return service.Retrieval{}, err
}

// Store keeps a turn that is over; the same one again is kept once.
func (b Backend) Store(ctx context.Context, t service.Turn) error {
	ctx, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	return b.store(t.Namespace).Put(ctx, turns.Turn{
		Session: t.SessionKey, ID: t.ID, Query: t.Query, Answer: t.Answer, CWD: t.Workspace, Started: t.Started, Ended: t.Completed,
	})
}
