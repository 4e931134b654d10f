package drive

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"kitsoki/runtime/journal"
)

// RecoverEverywhere is Recover for all repositories. What was left open where
// there is none any more can't be given up, and counts as open no longer; the
// person is told of that by what is returned alone.
func RecoverEverywhere(ctx context.Context, s Site, dry bool) ([]Recovery, error) {
	var out []Recovery
	var errs []error
	for _, key := range markerKeys(s.State) {
		list, err := []Recovery(nil), error(nil)
		if s.Dir = dirOf(s.State, key); s.Dir != "" {
			list, err = Recover(ctx, s, dry)
		} else {
			list, err = abandon(ctx, s, key, dry)
		}
		out, errs = append(out, list...), append(errs, err)
	}
	return out, errors.Join(errs...)
}

// dirOf is a directory in a repository, "" when none is known that is there.
func dirOf(state, key string) string {
	for _, id := range openDrives(state, key) {
		r, err := Read(state, id)
		if o := r.Opening(); err == nil && o != nil && journal.Locate(o.Dir).Key() == key {
			return o.Dir
		}
	}
	return ""
}

// justBegun is for how long a drive may be under way of which nothing can be
// read.
const justBegun = time.Minute

// abandon takes the drives off a marker whose repository nobody finds.
func abandon(ctx context.Context, s Site, key string, dry bool) ([]Recovery, error) {
	st, err := os.Stat(markerPath(s.State, key))
	if err != nil {
		return nil, err
	}
	young := s.Now().Sub(st.ModTime()) < justBegun
	var out []Recovery
	var over []string
	for _, id := range openDrives(s.State, key) {
		rec, err := Read(s.State, id)
		o := rec.Opening()
		switch {
		case rec.Closing() != nil:
		case o == nil && young, o != nil && o.Supervisor.Alive():
			continue
		case !errors.Is(err, os.ErrNotExist):
			out = append(out, abandoned(s.State, id, rec, err))
		}
		if o != nil && !dry {
			p := past(rec)
			p.endProcesses(ctx)
		}
		over = append(over, id)
	}
	if dry {
		return out, nil
	}
	return out, change(s.State, key, func(m *marker) {
		m.Drives = slices.DeleteFunc(m.Drives, func(id string) bool { return slices.Contains(over, id) })
	})
}

// abandoned tells what can be told of such a drive.
func abandoned(state, id string, rec Record, err error) Recovery {
	r := Recovery{Session: id, Outcome: LeftAlone}
	switch o := rec.Opening(); {
	case err != nil:
		r.Reason = "its records can't be read: " + unreadable(logPath(state, id), err)
	case o == nil:
		r.Reason = "its records are damaged: " + rec.Unread(state, id)
	default:
		r.Intent, r.Input, r.Dir, r.Reason = o.Intent, o.Input, o.Dir, "its repository is not there any more"
	}
	return r
}
