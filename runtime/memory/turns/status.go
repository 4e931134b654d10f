package turns

import (
	"context"
	"os"
	"time"
)

// Status is what a store holds.
type Status struct {
	Turns    int       `json:"turns"`
	Open     int       `json:"open"`
	Sessions int       `json:"sessions"`
	Bytes    int64     `json:"bytes"` // of the log
	Last     time.Time `json:"last,omitzero"`
}

// Status counts what is kept.
func (s Store) Status(ctx context.Context) (st Status, err error) {
	list, err := s.Turns()
	if err != nil {
		return st, err
	}
	st.Turns = len(list)
	for _, t := range list {
		if t.Ended.After(st.Last) {
			st.Last = t.Ended
		}
	}
	if info, err := os.Stat(s.log()); err == nil {
		st.Bytes = info.Size()
	}
	keys, err := s.keys()
	for _, key := range keys {
		ss, err := s.session(ctx, key)
		if err != nil {
			return st, err
		}
		st.Open += len(ss.Open)
		ss.release()
	}
	st.Sessions = len(keys)
	return st, err
}
