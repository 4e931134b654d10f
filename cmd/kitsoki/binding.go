package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/config"
	"kitsoki/runtime/host"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
	"kitsoki/runtime/secret/mask"
)

// bindFlags name a binding on the command line; flags win over configuration.
type bindFlags struct {
	app, room, world, config string
	bar                      float64
	cover                    bool // decisions account for every token
}

func (f *bindFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.app, "app", "", "story, artifact or builtin:NAME (default: the configuration's)")
	c.Flags().StringVar(&f.room, "room", "", "the room (default: the configuration's, else the story's root)")
	c.Flags().StringVar(&f.world, "world", "", "values of the world as a JSON object, or @FILE")
	c.Flags().Float64Var(&f.bar, "bar", 0, "the confidence a match must reach, 0.86 to 1 (default: the configuration's, else 0.90)")
	c.Flags().StringVar(&f.config, "config", "", "take the configuration that is in force in this directory")
}

// bound is a binding found: the gate, or the reason why there is none.
type bound struct {
	gate   *intercept.Gate
	file   *artifact.File
	conf   config.Resolved
	reason match.Reason
	detail string
	shown  string // the story, for people
	dir    string
	own    bool      // named on the command line: the person's own act
	trust  *standing // of a repository's binding
}

func (b *bound) close() {
	if b.file != nil {
		_ = b.file.Close()
	}
}

// resolve reads the configuration in force in the working directory.
func (a *app) resolve(ctx context.Context) (config.Resolved, []config.Problem, error) {
	dir, err := a.dir()
	if err != nil {
		return config.Resolved{}, nil, err
	}
	r, problems := a.configAt(ctx, dir)
	return r, problems, nil
}

func (a *app) configAt(ctx context.Context, dir string) (config.Resolved, []config.Problem) {
	return config.Resolve(config.Sources{Dir: dir, Env: a.env, Tracked: func(path string) bool {
		return host.Tracked(ctx, path, a.environ)
	}})
}

// bind finds the binding of a verb. The error is a usage error; a binding
// that is not in force is a reason.
func (a *app) bind(ctx context.Context, f bindFlags) (*bound, error) {
	dir, err := a.dir()
	if err != nil {
		return nil, err
	}
	confDir := dir
	if f.config != "" {
		if confDir, err = a.abs(f.config); err != nil {
			return nil, err
		}
	}
	world, err := readWorld(f.world)
	if err != nil {
		return nil, err
	}
	conf, _ := a.configAt(ctx, confDir)
	b := &bound{conf: conf, dir: dir, own: f.app != ""}
	if f.app == "" {
		if b.reason, b.detail = a.settle(b); b.reason != "" {
			return b, nil
		}
	}
	return b, a.openGate(b, f, world)
}

// openGate opens the story and the room.
func (a *app) openGate(b *bound, f bindFlags, world map[string]any) error {
	set, err := b.settings(f, world)
	if err != nil {
		return err
	}
	if err := a.openStory(b, f.app); err != nil {
		return err
	}
	if set.Room == "" {
		p, err := b.file.Program()
		if err != nil {
			return err
		}
		set.Room = p.Root
	}
	b.gate, err = intercept.Open(b.file, set)
	return err
}

// openStory opens the story that --app or the configuration names, once.
func (a *app) openStory(b *bound, app string) (err error) {
	if b.file != nil {
		return nil
	}
	b.shown = app
	if b.shown == "" {
		b.shown = b.conf.App.V.String()
	}
	b.file, err = a.openApp(b.shown)
	return err
}

// settings merges flags over configuration. With --app the configuration's
// room, world and escape prefix do not apply: they speak of another story.
func (b *bound) settings(f bindFlags, world map[string]any) (intercept.Binding, error) {
	if f.bar != 0 && (f.bar < match.MinBar || f.bar > 1) {
		return intercept.Binding{}, fmt.Errorf("--bar %v: expected a number from %.2f to 1", f.bar, match.MinBar)
	}
	set := intercept.Binding{Room: f.room, World: world, Bar: f.bar, Cover: f.cover}
	pol := b.conf.Policy
	set.MaxTimeout, set.MaxEffect = pol.MaxTimeout.V, spec.Effect(pol.MaxEffect.V)
	if f.app != "" {
		return set, nil
	}
	if set.Room == "" {
		set.Room = b.conf.Room.V
	}
	if set.Bar == 0 {
		set.Bar = b.conf.Bar.V
	}
	set.Escape = b.conf.EscapePrefix.V
	for _, w := range b.conf.World {
		var v any
		if err := json.Unmarshal(w.JSON, &v); err != nil {
			return set, fmt.Errorf("%s: intercept.world.%s: %w", w.Origin, w.Name, err)
		}
		if _, ok := set.World[w.Name]; !ok {
			if set.World == nil {
				set.World = map[string]any{}
			}
			set.World[w.Name] = v
		}
	}
	return set, nil
}

// readWorld reads --world: a JSON object, or @FILE that holds one.
func readWorld(arg string) (map[string]any, error) {
	if arg == "" {
		return nil, nil
	}
	data := []byte(arg)
	if name, ok := strings.CutPrefix(arg, "@"); ok {
		var err error
		if data, err = readRegular(name); err != nil {
			return nil, fmt.Errorf("--world: %w", err)
		}
	}
	v, err := host.Decode(data)
	world, ok := v.(map[string]any)
	if err != nil || !ok {
		return nil, fmt.Errorf("--world: expected a JSON object like '{\"key\": \"value\"}': %w", firstError(err, errors.New("it is something else")))
	}
	return world, nil
}

func firstError(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// surroundings are where commands run.
func (a *app) surroundings(dir string) intercept.Surroundings {
	return intercept.Surroundings{Host: a.local(), Dir: dir, Env: a.environ, Session: "intercept", Clock: a.now}
}

// local makes host calls on this machine.
func (a *app) local() host.Local {
	state, err := journal.StateDir(a.env)
	if err != nil {
		return host.Local{}
	}
	return host.Local{Logs: filepath.Join(state, "logs")}
}

// journalOf is where decisions about a directory are recorded, nil for
// nowhere. A path of its own wins over the configuration's.
func (a *app) journalOf(conf config.Resolved, path string) *journal.Journal {
	if path == "" {
		if conf.Trace.V.Off {
			return nil
		}
		path = conf.Trace.V.Path
	}
	if path == "" {
		state, err := journal.StateDir(a.env)
		if err != nil {
			return nil
		}
		path = journal.TracePath(state, conf.Repo)
	}
	return &journal.Journal{Path: path, Now: a.now, Rand: a.rand, Mask: mask.Text}
}
