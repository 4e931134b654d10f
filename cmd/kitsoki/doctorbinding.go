package main

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/config"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

// binding looks at what is bound here, and whether it can be used.
func (e *exam) binding() {
	if e.reason != "" {
		e.ill(e.mendInert(), "%s: %s", e.reason, e.detail)
		if e.reason != match.ReasonDisabled || !e.conf.App.Set() || e.conf.Owner != config.LayerUser {
			return
		}
	}
	b := e.bound
	if err := e.openGate(b, bindFlags{}, nil); err != nil {
		e.ill(e.mendStory(err), "%v", err)
		return
	}
	if file := e.staleSource(b.file); file != "" {
		e.ill(e.compileLine(), "%s is older than its story: %s has changed", b.shown, file)
		return
	}
	if e.reason == "" {
		e.well("%s, room %s, is bound by %s: %d commands", b.shown, b.gate.Room, e.conf.App.Origin, len(b.gate.Intents()))
	}
	if e.conf.Mode.V == config.Shadow {
		e.ill("set intercept.mode to enforce in "+e.conf.Mode.Origin.File, "mode: shadow (%s) records commands and runs none", e.conf.Mode.Origin)
	}
}

// mendInert names the next step for a binding that is not in force.
func (e *exam) mendInert() string {
	own := config.UserFile(e.env)
	switch {
	case e.conf.Off:
		return "unset KITSOKI"
	case e.conf.Switched:
		return "kitsoki on"
	case e.reason == match.ReasonNotReady:
		return "correct the file there; kitsoki config show checks it"
	case e.reason == match.ReasonDisabled:
		return "take enabled: false out of " + e.conf.Enabled.Origin.File
	case e.reason == match.ReasonUntrusted:
		return "kitsoki trust shows what it could run, and how to accept it"
	}
	if _, err := os.Stat(own); err != nil && own != "" {
		return "mkdir -p '" + filepath.Dir(own) + "' && printf 'intercept: {app: \"builtin:git-ops\", room: intercept}\\n' > '" + own + "'"
	}
	return "add to " + own + ": intercept: {app: \"builtin:git-ops\", room: intercept}"
}

// mendStory names the next step for a story that cannot be opened.
func (e *exam) mendStory(err error) string {
	var load *artifact.LoadError
	var room *intercept.RoomError
	var story *storyError
	switch {
	case errors.As(err, &load):
		return e.compileLine()
	case errors.As(err, &room):
		return "name another room in " + e.conf.Room.Origin.String()
	case errors.As(err, &story):
		return "kitsoki compile " + e.conf.App.V.String()
	}
	return "correct " + e.conf.App.Origin.String() + "; kitsoki config show says what is in force"
}

// compileLine compiles the bound artifact again. Where its story lies is
// known when it lies beside it.
func (e *exam) compileLine() string {
	path := e.conf.App.V.Path
	story := "STORY"
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), "app.yaml")); err == nil {
		story = "'" + filepath.Dir(path) + "'"
	}
	return "kitsoki compile " + story + " -o '" + path + "'"
}

// staleSource is a source file of a bound artifact that has changed since, as
// far as its sources lie beside it; "" when none has.
func (e *exam) staleSource(f *artifact.File) string {
	if e.conf.App.V.Kind != config.AppArtifact {
		return ""
	}
	for _, s := range f.Sources() {
		file := filepath.Join(filepath.Dir(e.conf.App.V.Path), filepath.FromSlash(s.Path))
		if data, err := os.ReadFile(file); err == nil && sha256.Sum256(data) != s.Sum {
			return file
		}
	}
	return ""
}

// records looks at the directory that holds what is remembered.
func (e *exam) records() {
	state, err := journal.StateDir(e.env)
	if err != nil {
		e.ill("export HOME, or XDG_STATE_HOME", "nothing can be remembered: %v", err)
		return
	}
	st, err := os.Stat(state)
	switch {
	case errors.Is(err, os.ErrNotExist):
		e.well("nothing is recorded yet (%s)", state)
		return
	case err != nil || !st.IsDir():
		e.ill("make it a directory that is yours", "%s cannot be used: nothing would be remembered, so nothing runs", state)
		return
	case st.Mode().Perm()&0o077 != 0:
		e.ill("chmod 700 '"+state+"'", "%s can be read by others, and prompts are recorded in it", state)
		return
	}
	e.drives(state)
	if last := e.lastCall(); last != "" {
		e.well("an agent's last prompt came by here %s", last)
		return
	}
	e.well("no agent's prompt has been recorded here yet")
}
