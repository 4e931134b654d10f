package drive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

// Recovery is what became of one drive whose supervisor is dead. Took says
// that somebody moved the tree since: it was left alone.
type Recovery struct {
	Session string   `json:"session"`
	Intent  string   `json:"intent"`
	Input   string   `json:"input,omitempty"`
	Dir     string   `json:"dir"`
	Outcome string   `json:"outcome"` // aborted, abort_failed, left_alone; would_abort and such in a dry run
	Reason  string   `json:"reason,omitempty"`
	Remains []string `json:"remains,omitempty"`
	Changed []string `json:"changed,omitempty"`
}

// The outcomes of a recovery beyond the engine's.
const (
	LeftAlone  = "left_alone"
	WouldAbort = "would_abort"
)

// Recover brings to an end what the dead left open in the repository around
// the site. It does nothing while a drive is under way there. The person is
// told of what it did by the notices.
func Recover(ctx context.Context, s Site, dry bool) ([]Recovery, error) {
	if s.State == "" {
		return nil, nil
	}
	repo := journal.Locate(s.Dir)
	if !journal.DriveOpen(s.State, repo) {
		return nil, nil
	}
	release, err := acquireFromDead(ctx, s.State, repo)
	if err != nil {
		return nil, fmt.Errorf("locking the repository: %w", err)
	}
	if release == nil {
		return nil, nil
	}
	defer release()
	out, err := recoverAll(ctx, s, repo, dry)
	if !dry && err == nil && len(openDrives(s.State, repo.Key())) == 0 {
		err = change(s.State, repo.Key(), func(*marker) {}) // one that can't be read is of no use any more
	}
	return out, err
}

// lookEvery is how often a lock is tried again, and a dying process looked at.
const lookEvery = 20 * time.Millisecond

// acquireFromDead takes the lock unless a drive is under way: nil then. When
// another process recovers, it waits for that to end.
func acquireFromDead(ctx context.Context, state string, repo journal.Repo) (release func(), err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), engine.AbortBudget)
	defer cancel()
	for {
		release, ok, err := acquire(state, repo)
		if ok || err != nil {
			return release, err
		}
		if underWay(state, repo) {
			return nil, nil
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-time.After(lookEvery):
		}
	}
}

// underWay tells a drive whose supervisor lives, or one that has not written
// who that is yet.
func underWay(state string, repo journal.Repo) bool {
	open := openDrives(state, repo.Key())
	for _, id := range open {
		r, err := Read(state, id)
		if err != nil || r.Opening() == nil || r.Closing() == nil && r.Opening().Supervisor.Alive() {
			return true
		}
	}
	return len(open) == 0
}

// dead waits a moment for a process to end that has let go of its lock.
func dead(ctx context.Context, p proc.Process) bool {
	for range int(2 * time.Second / lookEvery) {
		if !p.Alive() {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(lookEvery):
		}
	}
	return false
}

// recoverAll recovers one after the other; the caller holds the lock. One that
// can't be recovered does not keep the others from it.
func recoverAll(ctx context.Context, s Site, repo journal.Repo, dry bool) ([]Recovery, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), engine.AbortBudget)
	defer cancel()
	s.Env = host.Unled(s.Env)
	var out []Recovery
	var errs []error
	for _, id := range openDrives(s.State, repo.Key()) {
		r, err := recoverOne(ctx, s, repo, id, dry)
		if err != nil {
			errs = append(errs, fmt.Errorf("recovering the drive %s: %w", id, err))
		}
		if r != nil {
			out = append(out, *r)
		}
	}
	return out, errors.Join(errs...)
}

// openDrives are those that the repository's marker names. One that can't be
// read is no reason to forget: then every record is looked at.
func openDrives(state, key string) []string {
	m, err := tryMarker(state, key)
	if err == nil {
		return m.Drives
	}
	var out []string
	ids, _ := IDs(state)
	for _, id := range ids {
		if r, err := Read(state, id); err == nil && r.Closing() == nil && opensHere(r, key) {
			out = append(out, id)
		}
	}
	return out
}

func opensHere(r Record, key string) bool {
	o := r.Opening()
	return o != nil && o.key() == key
}

// recoverOne looks at one drive; nil when there is nothing to tell. What its
// records hold that nobody thought of is no reason to fail each time.
func recoverOne(ctx context.Context, s Site, repo journal.Repo, id string, dry bool) (out *Recovery, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = leave(s, repo, id, Recovery{
				Session: id, Dir: s.Dir, Outcome: string(engine.AbortFailed), Reason: fmt.Sprint("internal error: ", p),
			}, dry)
		}
	}()
	rec, err := Read(s.State, id)
	switch {
	case errors.Is(err, fs.ErrNotExist): // it died before anything was written
		return nil, forget(s.State, repo, id, dry)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, errNoFile):
		why := "its records can't be read: " + unreadable(logPath(s.State, id), err)
		return leave(s, repo, id, Recovery{Session: id, Outcome: LeftAlone, Reason: why}, dry)
	case err != nil:
		return nil, err
	}
	o := rec.Opening()
	switch {
	case o == nil && !rec.Damaged && len(rec.Events) == 0, rec.Closing() != nil:
		// Nothing has begun: the first effect comes after the first record. Or
		// all had ended.
		return nil, forget(s.State, repo, id, dry)
	case o != nil && !dead(ctx, o.Supervisor):
		return nil, nil // the lock's file was taken away; the drive goes on
	case o == nil, rec.Damaged:
		return leaveDamaged(ctx, s, repo, id, rec, dry)
	}
	r := Recovery{Session: id, Intent: o.Intent, Input: o.Input, Dir: o.Dir}
	p := past(rec)
	if dry {
		r.Outcome, r.Reason = WouldAbort, p.standing(ctx, s, o)
		if r.Reason != "" {
			r.Outcome = LeftAlone
		}
		return &r, nil
	}
	return finish(ctx, s, repo, rec, p, r)
}

// leaveDamaged leaves a drive alone of which not all is known, but for the
// processes of its that are.
func leaveDamaged(ctx context.Context, s Site, repo journal.Repo, id string, rec Record, dry bool) (*Recovery, error) {
	r := Recovery{Session: id, Outcome: LeftAlone, Reason: "its records are damaged: " + rec.Unread(s.State, id)}
	o := rec.Opening()
	if o == nil {
		return leave(s, repo, id, r, dry)
	}
	r.Intent, r.Input, r.Dir = o.Intent, o.Input, o.Dir
	if !dry {
		p := past(rec)
		p.endProcesses(ctx)
	}
	r.Remains = remains(ctx, s, o)
	return leave(s, repo, id, r, dry)
}

// remains are the commands by which a person gets back from where the tree is.
func remains(ctx context.Context, s Site, o *Opening) []string {
	if now, err := treeOf(ctx, o.Dir, s.Env); err == nil && now.Git {
		return now.wayBack(o.Dir, o.Start)
	}
	return nil
}

func forget(state string, repo journal.Repo, id string, dry bool) error {
	if dry {
		return nil
	}
	return endDrive(state, repo, id, "")
}

func leave(s Site, repo journal.Repo, id string, r Recovery, dry bool) (*Recovery, error) {
	if dry {
		return &r, nil
	}
	return &r, endDrive(s.State, repo, id, r.Notice())
}

// history is what a dead drive's records come to.
type history struct {
	world     map[string]any
	passed    []string
	processes []proc.Process
	last      Tree      // where the tree stood after the last call that ended
	own       Tree      // where its own calls have left it, before somebody else moved it
	open      *Call     // a call that has no end
	moved     bool      // somebody else had moved the tree on before
	began     time.Time // when the drive was opened
	state     string
	n, rounds int
}

// past replays the records.
func past(rec Record) history {
	o := rec.Opening()
	began, _ := time.Parse(time.RFC3339Nano, rec.Events[0].Time)
	h := history{began: began, world: map[string]any{}, passed: slices.Clone(o.Passed), last: o.Start, state: o.Room}
	if v, err := host.Decode(o.World); err == nil {
		if m, ok := v.(map[string]any); ok {
			h.world = m
		}
	}
	for i := range rec.Events {
		h.take(&rec.Events[i], o.Plan)
	}
	return h
}

func (h *history) take(e *Event, plan *artifact.Program) {
	if e.State != "" {
		h.state = e.State
	}
	switch e.Kind {
	case WorldSet:
		if v, err := host.Decode(e.Value); err == nil {
			h.world[e.Key] = v
		}
	case StateEntered:
		i := slices.IndexFunc(plan.States, func(s artifact.State) bool { return s.Path == e.State })
		if i >= 0 && plan.States[i].Drive && !slices.Contains(h.passed, e.State) {
			h.passed = append(h.passed, e.State)
		}
	case HostProcess:
		h.processes = append(h.processes, *e.Process)
	case HostStarted, AgentStarted:
		if e.Call.N > 0 {
			h.n, h.open = e.Call.N, e.Call
		}
		if e.Kind == AgentStarted {
			h.rounds++
		}
	case HostFinished, AgentFinished:
		if e.Call.N > 0 && e.Tree != nil {
			h.open, h.last, h.moved = nil, *e.Tree, h.moved || e.Moved
			if !h.moved {
				h.own = *e.Tree
			}
		}
	}
}

// endProcesses ends what the dead left running.
func (h *history) endProcesses(ctx context.Context) {
	for _, p := range h.processes {
		proc.EndGroup(ctx, p)
	}
}

// standing says why the tree is not to be touched, "" when it stands where the
// drive left it. A call of the drive that has no end may have moved it, but
// only within the operation that the drive began.
func (h *history) standing(ctx context.Context, s Site, o *Opening) string {
	if _, err := os.Stat(o.Dir); errors.Is(err, fs.ErrNotExist) {
		return "it is not there any more"
	}
	if o.key() != journal.Locate(o.Dir).Key() {
		return "another repository is there now"
	}
	now, err := treeOf(ctx, o.Dir, s.Env)
	switch {
	case err != nil:
		return err.Error()
	case now == o.Start, now == h.last && !h.moved:
		return ""
	case h.moved, h.open == nil || strings.HasPrefix(h.open.Name, "host.agent."):
		return "the working tree was moved on since"
	case now.Operation == "" && now.Head != h.last.Head:
		return "it is at " + short(now.Head) + " now: the last step ended after its process had died, or somebody else has moved it"
	case h.last.Operation != "" && now.Operation != "" && !now.sameOperation(h.last):
		return "another " + now.Operation + " was begun since"
	}
	return ""
}

func short(commit string) string { return commit[:min(len(commit), 10)] }

// finish ends what the dead left running, and gives the drive up when the tree
// stands where it left it.
func finish(ctx context.Context, s Site, repo journal.Repo, rec Record, h history, r Recovery) (*Recovery, error) {
	o := rec.Opening()
	h.endProcesses(ctx)
	l, err := continueLog(s.State, r.Session, len(rec.Events), rec.Torn, s.Now)
	if err == nil {
		defer l.close()
		l.after = s.After
	} // else: the way back is run, recorded or not
	s.Dir = o.Dir
	at := journal.Locate(o.Dir)
	if at.Key() != repo.Key() {
		at = repo
	}
	d := &drive{
		repo: at, log: l, world: h.world, state: h.state, passed: h.passed, start: o.Start, at: h.last, own: h.own, inCall: h.open != nil, status: o.Status, began: h.began, n: h.n,
		tasks: make([]Task, h.rounds),
		Command: Command{
			Program: o.Plan, Room: o.Room, Intent: o.Intent, Session: r.Session, Site: s,
		},
	}
	res := Result{Session: r.Session, Opened: true, Outcome: engine.Outcome{Kind: engine.Failed, State: h.state, Detail: "the process that ran it died"}}
	why := h.standing(ctx, s, o)
	if why != "" {
		// What the drive made apart is taken away all the same.
		d.Site.Host = apart{s.Host}
		r.Outcome, r.Reason = LeftAlone, why
		if failed := d.backward(ctx); failed != "" {
			r.Reason = why + "; and what was made apart from it could not be taken away: " + failed
		}
		res.Outcome.Kind, res.Outcome.Detail = LeftAlone, why
	} else {
		d.giveUp(ctx, &res)
		r.Outcome, r.Reason, r.Remains = string(res.Outcome.Kind), res.Outcome.Detail, res.Remains
		r.Changed = res.Changed
	}
	res.End, _ = treeOf(ctx, o.Dir, s.Env)
	if why != "" && o.Start.Operation == "" && res.End.Operation != "" && res.End.sameOperation(h.own) {
		r.Remains = res.End.wayBack(o.Dir, o.Start)
	}
	d.closeWith(res, ByRecovery)
	return &r, endDrive(s.State, repo, r.Session, r.Notice())
}

// apart makes only calls that touch nothing but what the drive itself made
// beside the working tree.
type apart struct{ host.Caller }

func (a apart) Call(ctx context.Context, name string, args map[string]any, env host.Env) (map[string]any, error) {
	if !env.ReadOnly && !(name == "host.git" && args["op"] == "discard") {
		return map[string]any{}, nil
	}
	return a.Caller.Call(ctx, name, args, env)
}

// Notice is what the person is told about a recovery.
func (r Recovery) Notice() string {
	name := "a command"
	if r.Intent != "" {
		name = artifact.ShownIntent(r.Intent)
	}
	if r.Input != "" {
		name = fmt.Sprintf("%s (%q)", name, r.Input)
	}
	var b strings.Builder
	switch r.Outcome {
	case string(engine.Aborted):
		fmt.Fprintf(&b, "⌁ kitsoki: %s was cut off before its end. It was given up: %s is as it was before.", name, r.Dir)
	case WouldAbort:
		fmt.Fprintf(&b, "⌁ kitsoki: %s was cut off before its end. It would be given up in %s.", name, r.Dir)
	case LeftAlone:
		if r.Dir == "" {
			fmt.Fprintf(&b, "⌁ kitsoki: %s was cut off before its end. Nothing was touched: %s.", name, r.Reason)
			break
		}
		fmt.Fprintf(&b, "⌁ kitsoki: %s was cut off before its end. Nothing was touched in %s: %s.", name, r.Dir, r.Reason)
	default:
		fmt.Fprintf(&b, "⌁ kitsoki: %s was cut off before its end, and giving it up failed in %s: %s.", name, r.Dir, r.Reason)
	}
	if len(r.Changed) > 0 {
		b.WriteString("\n  But for these paths: " + strings.Join(r.Changed, ", "))
	}
	if len(r.Remains) > 0 {
		b.WriteString("\n  To get back to where it began:\n    " + strings.Join(r.Remains, "\n    "))
	}
	fmt.Fprintf(&b, "\n  ⟲ kitsoki drives show %s", r.Session)
	return b.String()
}
