package hook

import (
	"path/filepath"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/binding"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
	"kitsoki/runtime/secret"
)

// front is one prompt before kitsoki itself is started for it.
type front struct {
	turn
	program Program
	file    *artifact.File
	prompts bool // a prompt that passes is given what is known, or kept
}

// handsOver decides by the binding's record, and tells whether the child is
// to answer: for every prompt that may be a command, and whenever the record
// cannot be used. What it does not hand over passes, and is recorded.
func (f *front) handsOver() bool {
	if !f.asked() {
		return false
	}
	defer f.close()
	if f.event.Kind == agent.Stop {
		return f.stops()
	}
	if !f.bind() {
		return true
	}
	if f.State != "" && journal.Off(f.State) {
		return f.passes(match.ReasonDisabled, "switched off: kitsoki on switches it on")
	}
	if reason, detail := f.whose(); reason != "" {
		return f.passes(reason, detail)
	}
	if f.prompts {
		return true
	}
	if f.bound.Reason != "" {
		return f.passes(f.bound.Reason, f.bound.Detail)
	}
	f.program.plant("decide")
	f.verdict = f.bound.Decide(f.event.Prompt)
	if v := f.verdict; v.Intercept || unsure(v) || journal.Untold(f.State, f.Agent.Name, f.event.SessionID) {
		return true
	}
	return f.passes(f.verdict.Reason, f.verdict.Detail)
}

// passes lets the prompt pass, unless it may hold a secret and is to be
// recorded: that is for the child, which can mask it.
func (f *front) passes(reason match.Reason, detail string) (handsOver bool) {
	if f.bound.Trace != nil && secret.May(f.event.Prompt) {
		return true
	}
	f.pass(reason, detail)
	return false
}

// unsure tells a verdict that may change: a slot may hang on a fact of the
// repository, and damage may be mended by compiling anew.
func unsure(v Verdict) bool {
	return v.Reason == match.ReasonMissingSlot || v.Reason == match.ReasonNotReady
}

// stops tells whether the child is to answer the end of a turn.
func (f *front) stops() bool {
	if reason, _ := f.whose(); reason != "" || f.State != "" && journal.Off(f.State) {
		return false
	}
	repo := journal.Locate(f.event.CWD)
	place := binding.PlaceOf(repo, f.Env.Get)
	if unbound(place) {
		return false
	}
	r, ok := binding.Read(binding.PathOf(place, repo, f.Env.Get), repo)
	return !ok || r.Stops
}

// bind finds the record of what is bound where the prompt was typed; false
// says that kitsoki must find out.
func (f *front) bind() bool {
	f.program.plant("bind")
	repo := journal.Locate(f.event.CWD)
	place := binding.PlaceOf(repo, f.Env.Get)
	f.bound = Binding{Repo: repo.Top()}
	if unbound(place) {
		f.bound.Reason = match.ReasonNotBound
		return true
	}
	// A hash in the environment counts as trust, which the record knows
	// nothing of; an open drive may have to be brought to an end.
	if f.Env.Get(TrustVariable) != "" || journal.DriveOpen(f.State, repo) {
		return false
	}
	r, ok := binding.Read(binding.PathOf(place, repo, f.Env.Get), repo)
	if !ok {
		return false
	}
	f.bound.Trace = f.trace(r, repo)
	f.bound.Reason, f.bound.Detail, f.prompts = r.Reason, r.Detail, r.Prompts
	return r.Reason != "" || f.open(r)
}

// unbound: there is no configuration file at all.
func unbound(p binding.Place) bool {
	for _, path := range p.Files() {
		if binding.Exists(path) {
			return false
		}
	}
	return true
}

func (f *front) trace(r *binding.Record, repo journal.Repo) *journal.Journal {
	path := r.TracePath
	if path == "" && f.State != "" {
		path = journal.TracePath(f.State, repo)
	}
	if r.TraceOff || path == "" {
		return nil
	}
	return &journal.Journal{Path: path, Now: f.Now, Rand: f.program.Rand}
}

// open opens the artifact that the record names, when it is that one.
func (f *front) open(r *binding.Record) bool {
	file, err := artifact.Open(filepath.Clean(r.Artifact))
	if err != nil {
		return false
	}
	f.file = file
	room, ok := file.Room(r.Room)
	if !ok || file.Tool() != r.Tool || binding.SourcesOf(file) != r.Sources {
		return false
	}
	f.bound.Decide = func(prompt string) Verdict {
		var s match.Scratch
		q := match.Query{Prompt: prompt, Escape: r.Escape, Automaton: room.Automaton, Intents: r.Intents}
		return Verdict{Decision: match.Decide(match.Classify(file, q, &s), match.Policy{Bar: r.Bar}, match.Facts{})}
	}
	return true
}

func (f *front) close() {
	if f.file != nil {
		_ = f.file.Close()
	}
}
