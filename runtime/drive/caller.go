package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
	"kitsoki/runtime/secret/mask"
)

// caller makes a drive's host calls, each recorded before and after.
type caller struct{ d *drive }

// Call makes one call. One that may change something is on the disk first;
// when that fails, it is not made.
func (c caller) Call(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	d := c.d
	if env.ReadOnly {
		return d.Site.Host.Call(ctx, name, args, env)
	}
	if err := d.open(); err != nil && !d.giving {
		d.broken = err
		return nil, fmt.Errorf("recording the drive: %w", err)
	}
	d.lookBefore(ctx)
	d.n++
	rec := Call{N: d.n, Name: name, Args: shown(args)}
	started, finished := HostStarted, HostFinished
	if row, _ := spec.Lookup(name); row.Drives {
		started, finished = AgentStarted, AgentFinished
		rec.Agent, _ = args["agent"].(string)
	}
	began := d.Site.Now()
	if err := d.write(Event{Kind: started, State: d.state, Call: &rec}, true); err != nil && !d.giving {
		return nil, err
	}
	d.inCall = true
	res, err := d.Site.Host.Call(ctx, name, args, env)
	rec.Args, rec.OK, rec.DurationMS = nil, err == nil && res["ok"] != false, int(d.Site.Now().Sub(began).Milliseconds())
	if err != nil {
		rec.Error = masker().Text(err.Error())
	}
	if started == AgentStarted {
		said := res
		if he := (*host.Error)(nil); errors.As(err, &he) {
			said = he.Result
		}
		d.tasks = append(d.tasks, rec.fill(said))
	}
	d.lookAfter(ctx, name, args)
	if err := d.write(Event{Kind: finished, State: d.state, Call: &rec, Tree: &d.at, Moved: d.moved}, false); err != nil && !d.giving {
		return nil, err
	}
	return res, err
}

// lookBefore notes whether somebody has moved the tree on since the last call.
func (d *drive) lookBefore(ctx context.Context) {
	now, err := treeOf(context.WithoutCancel(ctx), d.Site.Dir, d.Site.Env)
	if err == nil && now != d.at {
		d.at, d.moved = now, true
	}
}

// lookAfter notes where a call has left the tree. What changed beside a call
// that moves none was somebody else.
func (d *drive) lookAfter(ctx context.Context, name string, args map[string]any) {
	now, err := treeOf(context.WithoutCancel(ctx), d.Site.Dir, d.Site.Env)
	if err == nil {
		d.moved = d.moved || now != d.at && !d.moves(name, args)
		d.at = now
		if !d.moved {
			d.own = now
		}
	}
	d.inCall = false
}

// moves tells a call that may move the tree: a program that runs in it, and
// those ops of host.git that are meant to.
func (d *drive) moves(name string, args map[string]any) bool {
	switch op, _ := args["op"].(string); {
	case name == "host.run":
		cwd, _ := args["cwd"].(string)
		inside, err := filepath.Rel(d.repo.Top(), cwd)
		return !filepath.IsAbs(cwd) || err == nil && filepath.IsLocal(inside)
	case name == "host.git":
		return op == "publish" || op == "unpublish" || op == "abort"
	}
	return false
}

// fill takes over what a task agent reports.
func (c *Call) fill(res map[string]any) Task {
	c.Attempts, _ = res["attempts"].(int)
	c.Cost, _ = res["cost_usd"].(float64)
	c.Tokens, _ = res["tokens"].(int)
	if name, ok := res["agent"].(string); ok && name != "" {
		c.Agent = name
	}
	c.Files, c.PutBack = paths(res["files_changed"]), paths(res["put_back"])
	c.Meanwhile = paths(res["changed_meanwhile"])
	c.SetAside, _ = res["set_aside"].(string)
	t := Task{
		Agent: c.Agent, Attempts: c.Attempts, Cost: c.Cost, Tokens: c.Tokens, Files: c.Files, PutBack: c.PutBack,
		Meanwhile: c.Meanwhile, SetAside: c.SetAside, OK: c.OK,
	}
	if said, ok := res["submitted"].(map[string]any); ok {
		t.Summary, _ = said["summary"].(string)
	}
	return t
}

func paths(v any) (out []string) {
	list, _ := v.([]any)
	for _, p := range list {
		out = append(out, fmt.Sprint(p))
	}
	return out
}

// masker makes texts fit for a record.
func masker() journal.Masker { return mask.Text }

// shown is a call's arguments as a record holds them.
func shown(args map[string]any) json.RawMessage {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil
	}
	return masker().JSON(raw)
}

// started records a process that exists and does not work yet. The record need
// not outlast a power cut, which ends the process too; the start of the call it
// works for does.
func (d *drive) started(p proc.Process) error {
	err := d.write(Event{Kind: HostProcess, State: d.state, Call: &Call{N: d.n, Name: "process"}, Process: &p}, false)
	if d.giving {
		return nil // the way back is run, recorded or not
	}
	return err
}

// observe follows the run.
func (d *drive) observe(e engine.Event) {
	d.state = e.State
	switch e.Kind {
	case engine.IntentTaken:
		_ = d.write(Event{Kind: IntentTaken, State: e.State, Intent: e.Intent}, false)
	case engine.StateEntered:
		d.enter(e.State)
		_ = d.write(Event{Kind: StateEntered, State: e.State}, false)
	case engine.WorldSet:
		d.keep(e)
	case engine.HostStarted, engine.HostFinished:
		d.looked(e)
	}
}

// enter notes a state whose way back may have to be run.
func (d *drive) enter(state string) {
	i := slices.IndexFunc(d.Program.States, func(s artifact.State) bool { return s.Path == state })
	if i >= 0 && d.Program.States[i].Drive && !slices.Contains(d.passed, state) {
		d.passed = append(d.passed, state)
	}
}

func (d *drive) keep(e engine.Event) {
	d.world[e.Key] = e.Value
	raw, err := json.Marshal(e.Value)
	if err != nil {
		return
	}
	_ = d.write(Event{Kind: WorldSet, State: e.State, Key: e.Key, Value: raw}, false)
}

// looked records a call that only reads; the others record themselves.
func (d *drive) looked(e engine.Event) {
	if e.Call.Effect.Above(spec.Read) {
		return
	}
	kind := HostStarted
	rec := Call{Name: e.Call.Call, Effect: string(e.Call.Effect), Args: shown(e.Call.Args)}
	if e.Kind == engine.HostFinished {
		kind, rec.Args = HostFinished, nil
		rec.OK, rec.DurationMS, rec.Error = e.Call.OK, e.Call.DurationMS, masker().Text(strings.TrimSpace(e.Call.Error))
	}
	_ = d.write(Event{Kind: kind, State: e.State, Call: &rec}, false)
}
