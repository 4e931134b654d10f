// Package drive runs commands that may need more than one go, such as a rebase
// with conflicts, so that no working tree is left in the middle of one.
//
// In goes a Command: a program, the intent, where it runs. Out comes a Result:
// the command came to rest and what must hold afterwards was seen to hold; or
// it was given up, and all is as it was; or that could not be had, and the
// Result names the commands that a person needs.
//
// A drive is recorded as it goes: who drives, the way back and where the tree
// stood are on the disk before the first effect, each process that may change
// something before it works. So another process can give it up when this one
// has died: Recover. Invariants: one drive at a time in a repository; exactly
// one closing record; nothing is claimed that was not looked at; a tree that a
// person has moved on by hand is not touched.
//
// It refuses to run what it can't record.
package drive

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

// Command is one drive to run.
type Command struct {
	Program    *artifact.Program
	Room       string
	Intent     string
	Slots      map[string]any
	World      map[string]any // the binding's values over the defaults
	MaxTimeout time.Duration  // the user's limit, 0 for none

	Session string // the drive's id
	Input   string // the prompt, for the records
	Agent   string // the coding agent it was typed to, "" for none
	Site    Site
}

// Site is where drives run and are recorded.
type Site struct {
	Host  host.Caller
	Dir   string   // absolute
	Env   []string // KEY=VALUE
	State string   // the state directory
	Now   func() time.Time
	// After is told of each record when it is written; nil but in tests.
	After func(seq int, kind Kind)
}

// Result is how a drive ended. Opened says that there are records of it: then
// something may have had an effect. Remains are the commands with which a
// person gets back, when the outcome is abort_failed.
type Result struct {
	Outcome engine.Outcome `json:"outcome"`
	Opened  bool           `json:"opened"`
	Busy    bool           `json:"busy,omitempty"` // another drive runs; nothing was done
	Session string         `json:"session"`
	Tasks   []Task         `json:"tasks,omitempty"`
	Remains []string       `json:"remains,omitempty"`
	Start   Tree           `json:"start"`
	End     Tree           `json:"end"`
	// Moved says that somebody else moved the working tree on while the drive
	// ran, and that it was left as they left it.
	Moved bool `json:"moved,omitempty"`
	// Changed are the paths whose state in git status is not what it was: a
	// person's work in the meantime, what a task agent did beside its tree, or
	// what was left.
	Changed []string `json:"changed,omitempty"`
}

// Task is one run of a task agent.
type Task struct {
	Agent    string   `json:"agent"`
	Attempts int      `json:"attempts"`
	Cost     float64  `json:"cost_usd"`
	Tokens   int      `json:"tokens"`
	Files    []string `json:"files_changed,omitempty"`
	PutBack  []string `json:"put_back,omitempty"` // what it changed though it is not the task's
	// Meanwhile is what changed elsewhere while it worked and was left: it may
	// be the person's.
	Meanwhile []string `json:"changed_meanwhile,omitempty"`
	SetAside  string   `json:"set_aside,omitempty"` // the directory that keeps what stood in the place of what was put back
	OK        bool     `json:"ok"`
	Summary   string   `json:"summary,omitempty"`
}

// ErrGone is the cause with which the context of a drive ends when nobody
// waits for it any more.
var ErrGone = errors.New("nobody waits for the command any more")

// drive is one on its way. What it knows of the run it gathers from the
// engine's events, so that it also knows it after a panic.
type drive struct {
	Command
	repo   journal.Repo
	log    *log
	broken error // a record could not be written: nothing may run any more
	world  map[string]any
	state  string
	passed []string
	start  Tree
	at     Tree // where the tree was when it was last looked at
	own    Tree // where the drive's own calls have left it, before somebody else moved it
	inCall bool // a call was made and has no end
	moved  bool // somebody else has moved the tree on
	status []string
	began  time.Time // before the first effect
	n      int
	tasks  []Task
	giving bool // the way back is being run
}

// Run runs a drive. The lock is held until it ends.
func Run(ctx context.Context, c Command) Result {
	c.Site.Env = host.Unled(c.Site.Env)
	repo := journal.Locate(c.Site.Dir)
	release, ok, err := acquireSoon(ctx, c.Site.State, repo)
	switch {
	case err != nil:
		return notRun(c, "the repository can't be locked: "+err.Error())
	case !ok:
		r := notRun(c, "another command is under way in this repository")
		r.Busy = true
		return r
	}
	defer release()
	if _, err := recoverAll(ctx, c.Site, repo, false); err != nil {
		return notRun(c, err.Error())
	}
	d := &drive{Command: c, repo: repo}
	if d.world, err = engine.World(c.Program, c.World); err != nil {
		return notRun(c, err.Error())
	}
	if d.start, err = treeOf(ctx, c.Site.Dir, c.Site.Env); err != nil {
		return notRun(c, err.Error())
	}
	d.at = d.start
	return d.run(ctx)
}

func notRun(c Command, why string) Result {
	return Result{Session: c.Session, Outcome: engine.Outcome{Kind: engine.Errored, State: c.Room, Detail: why}}
}

func acquire(state string, repo journal.Repo) (release func(), ok bool, err error) {
	path := lockPath(state, repo)
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return nil, false, err
	}
	return journal.TryLock(path)
}

// acquireSoon tries a few times: who only asks whether the lock is held, holds
// it for a moment.
func acquireSoon(ctx context.Context, state string, repo journal.Repo) (release func(), ok bool, err error) {
	for range 5 {
		if release, ok, err = acquire(state, repo); ok || err != nil {
			return release, ok, err
		}
		select {
		case <-ctx.Done():
			return nil, false, nil
		case <-time.After(lookEvery):
		}
	}
	return nil, false, nil
}

func (d *drive) run(ctx context.Context) Result {
	o := d.forward(ctx)
	if d.log == nil {
		return Result{Outcome: o, Session: d.Session, Tasks: d.tasks, Start: d.start, End: d.start}
	}
	defer d.log.close()
	// Time may be over, or nobody may wait: what follows has time of its own.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), engine.AbortBudget)
	defer cancel()
	r := Result{Outcome: o, Opened: true, Session: d.Session, Start: d.start}
	if o.Kind.Done() {
		if why := d.unmet(ctx); why != "" {
			r.Outcome.Kind, r.Outcome.Detail, r.Outcome.Hint = engine.Failed, why, ""
		}
	}
	if r.Outcome.Kind.Done() {
		r.Changed = changed(d.status, statusOf(ctx, d.Site))
	} else {
		d.giveUp(ctx, &r)
	}
	r.Tasks = d.tasks
	r.End, _ = treeOf(ctx, d.Site.Dir, d.Site.Env)
	if r.Outcome.Kind == engine.AbortFailed && d.away() {
		r.Outcome.Detail = "the repository is not there now; once it is, the next kitsoki in it gives this up: " + r.Outcome.Detail
		return r
	}
	d.closeWith(r, BySupervisor)
	return r
}

// away tells that the repository is not where it was: renamed, or on a disk
// that was taken out. Then the drive stays open, for whoever finds it back.
func (d *drive) away() bool {
	return d.start.Git && journal.Locate(d.Site.Dir).Git == ""
}

// forward runs the command. A panic on the way is a fault like another.
func (d *drive) forward(ctx context.Context) (o engine.Outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = engine.Outcome{Kind: engine.Failed, State: d.state, Detail: fmt.Sprint("internal error: ", p)}
		}
	}()
	driven := engine.Drive(ctx, d.request())
	d.world, d.passed = driven.World, driven.Passed
	if cause := context.Cause(ctx); errors.Is(cause, ErrGone) && !driven.Outcome.Kind.Done() {
		driven.Outcome.Detail = cause.Error()
	}
	if d.broken != nil && !driven.Outcome.Kind.Done() {
		driven.Outcome.Detail = d.broken.Error()
	}
	return driven.Outcome
}

func (d *drive) request() engine.Request {
	return engine.Request{
		Program: d.Program, Room: d.Room, Intent: d.Intent, Slots: d.Slots, World: d.World,
		Host: caller{d}, Dir: d.Site.Dir, Env: d.Site.Env, Session: d.Session, MaxTimeout: d.MaxTimeout,
		Clock: d.Site.Now, Drive: true, Started: d.started, Observe: d.observe,
	}
}

// unmet says what must hold after the drive and does not, "" for nothing.
func (d *drive) unmet(ctx context.Context) string {
	declared := false
	for _, state := range d.passed {
		why, has := engine.Holds(ctx, d.request(), d.world, state)
		if why != "" {
			return why
		}
		declared = declared || has
	}
	if declared {
		return ""
	}
	return d.midOperation(ctx)
}

// midOperation is the postcondition of a story that declares none: no
// operation waits, and no path is unmerged.
func (d *drive) midOperation(ctx context.Context) string {
	tree, err := treeOf(ctx, d.Site.Dir, d.Site.Env)
	switch {
	case err != nil:
		return err.Error()
	case !tree.Git:
		return ""
	case tree.Operation != "":
		return "a " + tree.Operation + " is in progress"
	}
	res, err := d.Site.Host.Call(ctx, "host.git", map[string]any{"op": "unmerged"}, host.Env{
		Dir: d.Site.Dir, Vars: d.Site.Env, Session: d.Session, ReadOnly: true,
	})
	if err != nil {
		return err.Error()
	}
	if paths, _ := res["unmerged"].([]any); len(paths) > 0 {
		return fmt.Sprintf("%d paths are unmerged", len(paths))
	}
	return ""
}

// open writes down all that giving up from another process needs, before the
// first effect.
func (d *drive) open() error {
	if d.log != nil {
		return nil
	}
	self, err := proc.Self()
	if err != nil {
		return err
	}
	world, err := json.Marshal(d.world)
	if err != nil {
		return err
	}
	if err := addDrive(d.Site.State, d.repo, d.Session); err != nil {
		return err
	}
	l, err := createLog(d.Site.State, d.Session, d.Site.Now)
	if err != nil {
		return err
	}
	l.after = d.Site.After
	plan := *d.Program
	plan.Agents, plan.Assets = nil, nil
	d.log, d.began = l, d.Site.Now()
	d.status = statusOf(context.Background(), d.Site)
	err = d.write(Event{Kind: Escalated, State: d.state, Opening: &Opening{
		Supervisor: self, Dir: d.Site.Dir, Room: d.Room, Intent: d.Intent, Input: masker().Text(d.Input), Agent: d.Agent,
		Start: d.start, Status: d.status, World: world, Passed: d.passed, Plan: &plan,
	}}, true)
	if err == nil && d.state != d.Room {
		err = d.write(Event{Kind: StateEntered, State: d.state}, false)
	}
	return err
}

// closeWith writes the closing record and takes the drive off the list of
// those that may be open.
func (d *drive) closeWith(r Result, by string) {
	kind := Resolved
	if !r.Outcome.Kind.Done() {
		kind = Aborted
	}
	err := d.write(Event{Kind: kind, State: d.state, Tree: &r.End, Closing: &Closing{
		Outcome: string(r.Outcome.Kind), Reason: masker().Text(cmp.Or(r.Outcome.Hint, r.Outcome.Detail)),
		Verified: r.Outcome.Kind.Done() || r.Outcome.Kind == engine.Aborted, Rounds: len(d.tasks), By: by,
	}}, true)
	if err == nil {
		_ = endDrive(d.Site.State, d.repo, d.Session, "")
	}
}

// write appends a record; the first that fails ends the drive.
func (d *drive) write(e Event, lasting bool) error {
	if d.log == nil {
		return nil
	}
	if d.broken != nil && !d.giving {
		return d.broken
	}
	if err := d.log.append(e, lasting); err != nil {
		d.broken = cmp.Or(d.broken, err)
		return err
	}
	return nil
}
