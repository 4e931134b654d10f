package flow

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/match"
)

// Runner runs flow tests against a story's artifact.
type Runner struct {
	FS      fs.FS          // the story's files
	File    *artifact.File // the artifact, open
	Program *artifact.Program
	// Real makes the calls that a cassette lacks, to be recorded; nil: such
	// a call fails its turn. Dir and Env are where it makes them.
	Real host.Caller
	Dir  string
	Env  []string

	recordings []*Recording
}

// session is a flow on its way.
type session struct {
	runner *Runner
	flow   *Flow
	stage  *stage
	state  string
	world  map[string]any
	last   seen
	faults []string // turns that ended in an error
}

// Run runs one flow to its end: a turn that fails does not stop it.
func (r *Runner) Run(ctx context.Context, f *Flow) Result {
	res := Result{File: f.File, OK: true}
	s := &session{runner: r, flow: f, state: f.state, stage: &stage{flow: f, real: r.Real, played: map[*episode]bool{}, asking: true}}
	var err error
	if s.world, err = engine.World(r.Program, f.world); err != nil {
		at := f.turns[0].pos
		return Result{File: f.File, Steps: []Step{{Name: "start", Pos: at, Failures: []Failure{turnFailure(at, "a world", err.Error())}}}}
	}
	for i := range f.turns {
		res.Steps = append(res.Steps, s.step(ctx, i))
	}
	if end, judged := s.end(); judged {
		res.Steps = append(res.Steps, end)
	}
	for _, step := range res.Steps {
		res.OK = res.OK && step.OK
	}
	res.Unplayed = s.stage.unplayed()
	r.keep(f.cassette, s.stage.made)
	return res
}

// keep adds what was recorded to what the cassette's file will get.
func (r *Runner) keep(c *cassette, made []recording) {
	if len(made) == 0 {
		return
	}
	for _, rec := range r.recordings {
		if rec.File == c.file {
			rec.calls = append(rec.calls, made...)
			return
		}
	}
	r.recordings = append(r.recordings, &Recording{File: c.file, data: c.data, known: c.episodes, calls: made})
}

// Recordings gives what the runs so far have to add to cassettes.
func (r *Runner) Recordings() []*Recording { return r.recordings }

func (s *Step) fail(f ...Failure) {
	s.Failures = append(s.Failures, f...)
	s.OK = len(s.Failures) == 0
}

// step takes one turn.
func (s *session) step(ctx context.Context, i int) Step {
	t := &s.flow.turns[i]
	step := Step{Turn: i + 1, Name: t.name(), Pos: t.pos, OK: true, State: s.state}
	if isTerminal(s.runner.Program, s.state) {
		step.fail(turnFailure(t.pos, "a session that goes on", "it has ended in "+s.state))
		return step
	}
	s.stage.unstubbed = ""
	intent, slots, f := s.meant(ctx, t, &step)
	if f != nil {
		step.fail(*f)
		return step
	}
	s.dispatch(ctx, intent, slots, &step)
	s.judge(t, &step)
	return step
}

func isTerminal(p *artifact.Program, room string) bool {
	for i := range p.States {
		if p.States[i].Path == room {
			return p.States[i].Terminal
		}
	}
	return false
}

// meant is the intent of a turn: as written, or decided about by the gate.
func (s *session) meant(ctx context.Context, t *turn, step *Step) (string, map[string]any, *Failure) {
	if t.intent != "" {
		return t.intent, t.slots, nil
	}
	gate, err := intercept.Open(s.runner.File, intercept.Binding{Room: s.state, World: s.world})
	if err != nil {
		f := turnFailure(t.pos, "an intent", err.Error())
		return "", nil, &f
	}
	s.stage.asked = func(line string) { step.Trace = append(step.Trace, line) }
	d := gate.Decide(t.input, s.facts(ctx))
	if d.Intercept {
		s.stage.unstubbed = "" // what git does not know, the gate can do without
		slots := map[string]any{}
		for _, slot := range d.Hit.Slots {
			slots[slot.Name] = slot.Value
		}
		return d.Hit.Intent, slots, nil
	}
	f := turnFailure(t.pos, "an intent", fmt.Sprintf("the prompt passes (%s: %s)", d.Reason, d.Detail))
	if s.stage.unstubbed != "" {
		f = s.noAnswer(t)
	}
	return "", nil, &f
}

// facts answers what a slot's must asks: git through the test's own answers,
// files beside the flow test.
func (s *session) facts(ctx context.Context) match.Facts {
	s.stage.turn = turnClock{left: engine.MaxBudget, over: func(error) {}}
	facts := intercept.Facts(ctx, intercept.Surroundings{Host: s.stage, Dir: s.runner.Dir, Env: s.runner.Env})
	facts.Path = func(name string) (exists, known bool) {
		at := path.Join(path.Dir(s.flow.File), name)
		if !fs.ValidPath(at) {
			return false, false
		}
		_, err := fs.Stat(s.runner.FS, at)
		return err == nil, true
	}
	return facts
}

// dispatch runs the intent as the next turn of the session.
func (s *session) dispatch(ctx context.Context, intent string, slots map[string]any, step *Step) {
	ctx, over := context.WithCancelCause(ctx)
	defer over(nil)
	s.stage.turn = turnClock{left: engine.Budget(s.runner.Program, intent), over: over}
	s.stage.asked = func(line string) { step.Trace = append(step.Trace, line) }
	s.last = seen{program: s.runner.Program, from: s.state, before: s.world}
	s.last.outcome = engine.Run(ctx, engine.Request{
		Program: s.runner.Program, Room: s.state, Intent: intent, Slots: slots, World: s.world,
		Host: s.stage, Dir: s.runner.Dir, Env: s.runner.Env, Clock: s.stage.now,
		Observe: func(e engine.Event) { s.observe(e, step) },
	})
	s.world = after(s.world, s.last.outcome.WorldChanges)
	s.state = s.last.outcome.State
	s.last.world = s.world
	step.State = s.state
	step.Trace = append(step.Trace, "rests   "+s.state+": "+ending(s.last.outcome))
}

// after is a world with a turn's changes.
func after(world map[string]any, changes []engine.Change) map[string]any {
	out := make(map[string]any, len(world))
	for k, v := range world {
		out[k] = v
	}
	for _, c := range changes {
		out[c.Key] = c.New
	}
	return out
}

// observe notes an event of the turn.
func (s *session) observe(e engine.Event, step *Step) {
	switch e.Kind {
	case engine.HostStarted:
		s.stage.asking = false
		return
	case engine.IntentTaken:
		if s.last.slots == nil {
			s.last.slots = e.Slots
		}
	}
	step.Trace = append(step.Trace, traced(e))
}

// judge holds a turn against what every turn must do, and what is expected.
func (s *session) judge(t *turn, step *Step) {
	o := s.last.outcome
	if isError(o.Kind) {
		s.faults = append(s.faults, fmt.Sprintf("turn %d: %s", step.Turn, ending(o)))
	}
	if s.stage.unstubbed != "" {
		step.fail(s.noAnswer(t))
	}
	lenient := t.errors || s.flow.noErrors != nil && !s.flow.noErrors.holds
	if isError(o.Kind) && !lenient && s.stage.unstubbed == "" {
		step.fail(turnFailure(t.pos, "no error", ending(o)))
	}
	step.fail(failures(t.expect, &s.last)...)
}

func (s *session) noAnswer(t *turn) Failure {
	return turnFailure(t.pos, "an answer in host_handlers or the cassette for each call", "none for "+s.stage.unstubbed)
}

// isError: it did not end as the story means it to. To wait for a choice is
// no error in a session, which goes on.
func isError(k engine.Kind) bool { return !k.Done() && k != engine.Incomplete }

// end judges the file's own expectations; judged is false when it has none.
func (s *session) end() (step Step, judged bool) {
	strict := s.flow.noErrors != nil && s.flow.noErrors.holds
	if len(s.flow.end) == 0 && !strict {
		return Step{}, false
	}
	last := s.flow.turns[len(s.flow.turns)-1]
	step = Step{Name: "end", Pos: last.pos, OK: true, State: s.state}
	if s.last.program == nil {
		s.last = seen{program: s.runner.Program, outcome: engine.Outcome{State: s.state}, world: s.world}
	}
	if strict && len(s.faults) > 0 {
		step.fail(Failure{Pos: s.flow.noErrors.pos, Expect: "expect_no_errors", Expected: "no error", Got: strings.Join(s.faults, "; ")})
	}
	step.fail(failures(s.flow.end, &s.last)...)
	return step, true
}

func (t *turn) name() string {
	switch {
	case t.intent == "":
		return show(t.input)
	case len(t.slots) == 0:
		return t.intent
	}
	return t.intent + " " + show(t.slots)
}
