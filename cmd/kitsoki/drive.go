package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/drive"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/hook"
	"kitsoki/runtime/host"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
	"kitsoki/runtime/proc"
	"kitsoki/runtime/taskagent"
)

// order is what a supervisor is asked to do: the prompt is bound and decided
// again, and run when it comes to the same intent.
type order struct {
	Session string  `json:"session"`
	Dir     string  `json:"dir"`
	Prompt  string  `json:"prompt"`
	Intent  string  `json:"intent"`
	Agent   string  `json:"agent,omitempty"`
	App     string  `json:"app,omitempty"`
	Room    string  `json:"room,omitempty"`
	World   string  `json:"world,omitempty"`
	Config  string  `json:"config,omitempty"`
	Bar     float64 `json:"bar,omitempty"`
}

func (o order) flags() bindFlags {
	return bindFlags{app: o.App, room: o.Room, world: o.World, config: o.Config, bar: o.Bar}
}

// driven is a supervisor's answer.
type driven struct {
	drive.Result
	Report string `json:"report"`
	Facts  string `json:"facts"`
}

// noDrive says why nothing can be driven here.
func (a *app) noDrive() string {
	if runtime.GOOS == "windows" {
		return "what takes several goes is not run on Windows, where it could not be ended as a whole"
	}
	if _, err := journal.StateDir(a.env); err != nil {
		return "it could not be recorded: " + err.Error()
	}
	if name := host.LedElsewhere(a.environ); name != "" {
		return name + " leads git to another place than this directory"
	}
	return ""
}

// busy says whether a drive is under way around a directory.
func (a *app) busy(dir string) bool {
	state, err := journal.StateDir(a.env)
	return err == nil && drive.Held(state, journal.Locate(dir))
}

// site is where drives run.
func (a *app) site(dir string) drive.Site {
	state, err := journal.StateDir(a.env)
	if err != nil {
		state = ""
	}
	return drive.Site{
		Host: a.surroundings(dir).Host, Dir: dir, Env: a.environ, State: state, Now: a.now,
		After: func(seq int, _ drive.Kind) { a.plant(fmt.Sprint("record ", seq)) },
	}
}

// supervise has a supervisor run a command and waits for its answer. A
// supervisor that dies is no answer: then the command is given up from here.
func (a *app) supervise(ctx context.Context, o order, patience time.Duration) (driven, error) {
	exe, err := a.exe()
	if err != nil {
		return driven{}, fmt.Errorf("finding this program: %w", err)
	}
	if o.Session, err = journal.NewID(a.now(), a.rand); err != nil {
		return driven{}, err
	}
	request, err := json.Marshal(o)
	if err != nil {
		return driven{}, err
	}
	a.plant("entrust")
	answer, err := proc.Entrust(ctx, proc.Cmd{Argv: []string{exe, "supervise"}, Dir: o.Dir, Env: a.environ}, request, patience)
	if err != nil {
		return driven{}, err
	}
	var d driven
	if json.Unmarshal(bytes.TrimSpace(answer), &d) == nil && d.Session == o.Session {
		return d, nil
	}
	return a.afterDeath(ctx, o)
}

// afterDeath gives up what a dead supervisor left, and says how that went.
func (a *app) afterDeath(ctx context.Context, o order) (driven, error) {
	d := driven{}
	d.Session = o.Session
	list, err := drive.Recover(ctx, a.site(o.Dir), false)
	if err != nil {
		return d, err
	}
	for _, r := range list {
		if r.Session != o.Session {
			continue
		}
		a.told(o.Dir, r.Notice())
		d.Opened, d.Remains, d.Report = true, r.Remains, plain(r.Notice())
		d.Outcome = engine.Outcome{Kind: engine.AbortFailed, Detail: r.Reason}
		if r.Outcome == string(engine.Aborted) {
			d.Outcome.Kind = engine.Aborted
		}
		return d, nil
	}
	return d, errors.New("the process that was to run it died")
}

// told takes a notice away that the person is being told of now.
func (a *app) told(dir, notice string) {
	if state, err := journal.StateDir(a.env); err == nil {
		drive.DropNotice(state, journal.Locate(dir), notice)
	}
}

// driveHere runs a command of the hook's binding as a drive.
func (a *app) driveHere(ctx context.Context, o order) hook.Execution {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go proc.WhenOrphaned(ctx, cancel)
	d, err := a.supervise(ctx, o, 0)
	switch {
	case d.Busy:
		return hook.Execution{Pass: match.ReasonBusy, Hint: d.Outcome.Detail}
	case err != nil:
		return hook.Execution{Outcome: hook.Failure, Hint: err.Error()}
	}
	return hook.Execution{
		Outcome: hook.Outcome(d.Outcome.Kind), Hint: firstText(d.Outcome.Hint, d.Outcome.Detail), Facts: d.Facts,
		Report: func(string) string { return d.Report }, Drive: d.id(),
	}
}

// id is the drive's when there are records of it.
func (d driven) id() string {
	if d.Opened {
		return d.Session
	}
	return ""
}

// driveGate is driveHere for kitsoki intercept. An interrupt gives the command
// up, and waits for that.
func (a *app) driveGate(ctx context.Context, f interceptFlags, b *bound, prompt string, d match.Decision) (driven, error) {
	o := order{
		Dir: b.dir, Prompt: prompt, Intent: d.Hit.Intent, App: f.app, Room: f.room, World: f.world, Config: f.config, Bar: f.bar,
	}
	stop := a.elapsed()
	defer stop()
	return a.supervise(ctx, o, interruptPatience)
}

func (a *app) superviseVerb() *cobra.Command {
	return &cobra.Command{
		Use: "supervise", Hidden: true, Args: cobra.NoArgs,
		Short: "Run a command that may take several goes, for the hook that started this",
		RunE:  func(c *cobra.Command, _ []string) error { return a.superviseOne(c.Context()) },
	}
}

// superviseOne runs one command to rest, or gives it up. Nothing that happens
// to the terminal, the agent or the hook ends it but by way of giving up.
func (a *app) superviseOne(ctx context.Context) error {
	lifeline, answer, err := proc.Entrusted()
	if err != nil {
		return err
	}
	// Notified, not ignored: what is started from here would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGPIPE)
	in := bufio.NewReader(lifeline)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading the order: %w", err)
	}
	var o order
	if err := json.Unmarshal(line, &o); err != nil {
		return fmt.Errorf("reading the order: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		_, _ = io.Copy(io.Discard, in) // ends when nobody holds the other end
		cancel(drive.ErrGone)
	}()
	a.plant("supervise")
	d := a.obey(ctx, o)
	raw, err := json.Marshal(d)
	if err == nil {
		_, err = answer.Write(append(raw, '\n'))
	}
	if (err != nil || ctx.Err() != nil) && d.Opened {
		a.tellLater(o, d)
	}
	return err
}

// tellLater keeps a report that nobody hears for the next prompt.
func (a *app) tellLater(o order, d driven) {
	state, err := journal.StateDir(a.env)
	if err != nil {
		return
	}
	repo := journal.Locate(o.Dir)
	_ = journal.SaveLast(state, repo, d.Report)
	drive.AddNotice(state, repo, d.Report)
}

// obey binds and decides again, and drives.
func (a *app) obey(ctx context.Context, o order) driven {
	a.getwd = func() (string, error) { return o.Dir, nil }
	d := driven{}
	d.Session = o.Session
	fail := func(why string) driven {
		d.Outcome = engine.Outcome{Kind: engine.Errored, Detail: why}
		return d
	}
	b, err := a.bind(ctx, o.flags())
	if err != nil {
		return fail(err.Error())
	}
	defer b.close()
	if b.gate == nil {
		return fail(b.detail)
	}
	s := a.surroundings(o.Dir)
	decided := b.gate.Decide(o.Prompt, intercept.Facts(ctx, s))
	if !decided.Intercept || decided.Hit.Intent != o.Intent {
		return fail("the story has changed in the meantime")
	}
	if err := b.unchanged(); err != nil {
		return fail(err.Error())
	}
	site := a.site(o.Dir)
	site.Host = a.taskHost(b)
	d.Result = drive.Run(ctx, drive.Command{
		Program: b.gate.Program(), Room: b.gate.Room, Intent: o.Intent, Slots: intercept.Slots(decided.Hit), World: b.gate.World,
		MaxTimeout: b.gate.MaxTimeout, Session: o.Session, Input: o.Prompt, Agent: o.Agent, Site: site,
	})
	d.Report = engine.Report(reportOf(b, o, d.Result))
	d.Facts = engine.Facts(o.Intent, d.Outcome)
	return d
}

// taskHost makes the calls of a drive, those of task agents too. Without our
// own path these do without the tool submit.
func (a *app) taskHost(b *bound) host.Caller {
	exe, err := a.exe()
	if err != nil {
		exe = ""
	}
	state, err := journal.StateDir(a.env)
	if err != nil {
		state = ""
	}
	local := a.local()
	local.Tasks = taskagent.Runner{Program: b.gate.Program(), Kitsoki: exe, Records: state}
	return local
}

func reportOf(b *bound, o order, r drive.Result) engine.ReportInput {
	in := engine.ReportInput{
		Program: b.gate.Program(), Intent: o.Intent, Outcome: r.Outcome, Escape: b.conf.EscapePrefix.V,
		Drive: &engine.DriveReport{Remains: r.Remains, Changed: r.Changed, Moved: r.Moved},
	}
	if r.Opened {
		in.Drive.Session = r.Session
	}
	for _, t := range r.Tasks {
		if t.Attempts == 0 {
			continue // it could not be started
		}
		in.Drive.Tasks = append(in.Drive.Tasks, engine.TaskReport{
			Agent: cmp.Or(t.Agent, "an agent"), Attempts: t.Attempts, Cost: t.Cost, Tokens: t.Tokens, Files: t.Files, PutBack: t.PutBack, Meanwhile: t.Meanwhile, SetAside: t.SetAside,
			Summary: t.Summary, OK: t.OK,
		})
	}
	return in
}

// interruptPatience is how long kitsoki intercept waits for a command to be
// given up that was interrupted.
const interruptPatience = engine.AbortBudget + 5*time.Second
