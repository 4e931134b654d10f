package intercept

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/match"
)

// Surroundings are where a command runs.
type Surroundings struct {
	Host    host.Caller
	Dir     string   // absolute
	Env     []string // KEY=VALUE
	Session string   // told to children as KITSOKI_ACTIVE
	Clock   func() time.Time
}

// Run executes what was decided, as a one-shot.
func (g *Gate) Run(ctx context.Context, d match.Decision, s Surroundings) engine.Outcome {
	return engine.Run(ctx, engine.Request{
		Program: g.program, Room: g.Room, Intent: d.Hit.Intent, Slots: Slots(d.Hit), World: g.World,
		Host: s.Host, Dir: s.Dir, Env: s.Env, Session: s.Session, MaxTimeout: g.MaxTimeout, Clock: s.Clock,
	})
}

// Slots gives the matched values by name, nil when there are none.
func Slots(h *match.Hit) map[string]any {
	if h == nil || len(h.Slots) == 0 {
		return nil
	}
	out := make(map[string]any, len(h.Slots))
	for _, s := range h.Slots {
		out[s.Name] = s.Value
	}
	return out
}

// Facts gives the facts that Decide may ask for, from the surroundings. git
// is asked at most once, and only when a match hangs on it.
func Facts(ctx context.Context, s Surroundings) match.Facts {
	var names map[string]bool
	return match.Facts{
		Branch: func(name string) (exists, known bool) {
			if names == nil {
				names = branches(ctx, s)
			}
			return names[name], len(names) > 0
		},
		Path: func(name string) (exists, known bool) { return pathExists(s.Dir, name) },
	}
}

// pathExists looks for a file inside a directory. What a symbolic link leads
// to outside of it is not known, so that nothing is decided by it.
func pathExists(dir, name string) (exists, known bool) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, false
	}
	defer root.Close()
	_, err = root.Stat(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err == nil, true
	}
	return false, false
}

func branches(ctx context.Context, s Surroundings) map[string]bool {
	out := map[string]bool{}
	res, err := s.Host.Call(ctx, "host.git", map[string]any{"op": "branches"},
		host.Env{Dir: s.Dir, Vars: s.Env, Session: s.Session, ReadOnly: true})
	if err != nil {
		return out
	}
	list, _ := res["local"].([]any)
	for _, b := range list {
		if name, ok := b.(string); ok {
			out[name] = true
		}
	}
	return out
}
