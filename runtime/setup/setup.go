// Package setup puts the one entry that starts kitsoki into a coding agent's
// settings file, and takes it out again.
//
// In go the bytes of a settings file (JSON; comments, trailing commas and a
// byte order mark are welcome), a Row that says what the agent's entries look
// like, and the program to start; out comes an Edit, which can be shown as a
// unified diff or applied. Invariants: the file is parsed on a copy, for
// offsets, and one text is spliced in at one offset, so that every other byte
// stays; the same call twice changes nothing; what was spliced in is
// recorded, and taking it out gives the original bytes back.
//
// It refuses to guess: a file that does not parse, a key that stands twice or
// is misspelt, a value of another type than the agent expects, and an entry
// that somebody has changed are a Problem with its place, and the file stays
// untouched. It starts no program and reads neither the clock nor the
// process's environment.
package setup

import (
	"path/filepath"
	"slices"
	"time"
)

// Timeout is the time-out that an entry asks for: longer than the longest
// command with its way back and its report.
const Timeout = 1200 * time.Second

// Scope says whose settings file is meant.
type Scope string

// The scopes: the person's own settings, or those of a repository.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// Row is one coding agent's settings.
type Row struct {
	Name  string // as in --agent
	Title string // as people write it
	// Program is the agent's own program, "" when it has none on the PATH.
	Program string
	// Dir is the directory of the person's settings, relative to the home
	// directory, and DirVar the variable that moves it, "" for none.
	Dir, DirVar string
	// Own is the settings file in Dir, and Shared the one of a repository,
	// relative to its root; "" where the agent reads none. Beside are further
	// files of a repository that the agent reads.
	Own, Shared string
	Beside      []string
	// Managed are settings files of whoever manages the machine, absolute.
	Managed []string
	// Plugins is the directory, beside Own, of what the agent knows of plugins,
	// and PluginsVar the variable that moves it; "" when it has none.
	Plugins, PluginsVar string
	// Off are keys at the top of a settings file that, when true, keep the
	// agent from starting hooks of a person.
	Off []string
	// Event is the key of the event that a prompt raises, and Stop of the one
	// that the end of a turn raises, "" where that has no entry.
	Event, Stop string
	// Versioned files say "version": 1 at the top.
	Versioned bool
	// Grouped entries stand in groups, {"hooks": [entry]}.
	Grouped bool
	// Exec is set when a program and its arguments can stand apart; else the
	// entry is a line for a shell.
	Exec bool
	// Typed entries say "type": "command".
	Typed bool
	// TimeoutKey names the time-out, which counts in TimeoutUnit.
	TimeoutKey  string
	TimeoutUnit time.Duration
	// Status is a key for what the agent shows while the hook runs, "" for
	// none.
	Status string
	// Review is the file, beside Own, in which the agent keeps whether a person
	// has reviewed an entry, "" when it asks for no review.
	Review string
	// Next is what a person must do in the agent after the installation, ""
	// for nothing.
	Next string
	// Probe makes the payload of a prompt and the environment that the agent
	// would set.
	Probe func(p Prompt) (payload []byte, env []string)
}

// Lookup finds an agent's row by its name.
func Lookup(name string) (Row, bool) {
	i := slices.IndexFunc(Rows(), func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, false
	}
	return Rows()[i], true
}

// AtStop is the row of the entry for the end of a turn; ok is false where the
// agent has none.
func (r Row) AtStop() (stop Row, ok bool) {
	if r.Stop == "" {
		return r, false
	}
	r.Event = r.Stop
	return r, true
}

// entry names which of our entries the row stands for: the agent, and its event
// unless a prompt raises it.
func (r Row) entry() string {
	if r.Event == r.Stop {
		return r.Name + " " + r.Event
	}
	return r.Name
}

// File is the settings file of a scope, "" when the agent reads none there or
// the environment names no home. Root is the repository's root.
func (r Row) File(s Scope, env func(string) string, root string) string {
	if s == Project {
		return under(root, r.Shared)
	}
	dir := ""
	if r.DirVar != "" {
		dir = env(r.DirVar)
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir == "" && filepath.IsAbs(env(name)) {
			dir = filepath.Join(env(name), filepath.FromSlash(r.Dir))
		}
	}
	return under(dir, r.Own)
}

func under(dir, name string) string {
	if !filepath.IsAbs(dir) || name == "" {
		return ""
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}
