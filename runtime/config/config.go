// Package config reads what a person and a repository say about kitsoki:
// the user's own config.yaml, a repository's .kitsoki.yaml, and the
// .kitsoki.local.yaml beside it.
//
// In go a directory and the environment; out comes a Resolved, in which each
// value knows the file and line it came from, and the problems found on the
// way. The later file wins key by key, but nothing in a repository crosses
// the user's policy, and a repository's binding, a file that runs commands on
// a prompt, is inert until whoever holds it against what was accepted says
// Trusted.
//
// It refuses, with file:line:col, unknown and duplicate keys inside our
// blocks, values of a wrong type or out of range, and aliases. It starts no
// program and reads neither the clock nor the process's environment.
package config

import (
	"encoding/json"
	"fmt"
	"time"

	"kitsoki/runtime/journal"
)

// Layer is a source of values, in rising order of precedence.
type Layer string

// The layers. A value without a layer is absent.
const (
	LayerDefault    Layer = "default"
	LayerUser       Layer = "user"       // the user's own config.yaml
	LayerRepository Layer = "repository" // .kitsoki.yaml
	LayerLocal      Layer = "local"      // .kitsoki.local.yaml
)

// Origin is where a value was written. Line and Col count from 1; File is
// absolute and empty for a default.
type Origin struct {
	Layer Layer  `json:"layer"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Col   int    `json:"col,omitempty"`
}

// String is file:line, or "default".
func (o Origin) String() string {
	if o.File == "" {
		return string(LayerDefault)
	}
	return fmt.Sprintf("%s:%d", o.File, o.Line)
}

// Value is a value and where it came from. The zero Value is absent.
type Value[T any] struct {
	V      T
	Origin Origin
}

// Set says whether the value is present, be it as a default.
func (v Value[T]) Set() bool { return v.Origin.Layer != "" }

// Mode says what a match leads to.
type Mode string

// The modes: enforce executes, shadow only records what it would have done.
const (
	Enforce Mode = "enforce"
	Shadow  Mode = "shadow"
)

// The bars and limits. A hedged match (0.85) lies under every legal bar.
const (
	DefaultBar     = 0.90
	LowestBar      = 0.86
	HighestBar     = 1.00
	LongestTimeout = 15 * time.Minute
)

// AppKind tells the ways to name a story apart.
type AppKind string

// The kinds of an app: a story that ships with kitsoki, a compiled artifact,
// or a story's manifest.
const (
	AppBuiltin  AppKind = "builtin"
	AppArtifact AppKind = "artifact"
	AppStory    AppKind = "story"
)

// App names a story. Name is set for a builtin, else Path, which is absolute.
type App struct {
	Kind AppKind
	Name string
	Path string
}

// String is the app as --app takes it.
func (a App) String() string {
	if a.Kind == AppBuiltin {
		return builtinPrefix + a.Name
	}
	return a.Path
}

// Trace says where decisions are recorded: nowhere when Off, else in the file
// Path, which is absolute, or in the state directory when Path is empty.
type Trace struct {
	Off  bool
	Path string
}

// World is one key of the binding's world; JSON is its value, not yet checked
// against the story.
type World struct {
	Name   string
	JSON   json.RawMessage
	Origin Origin
}

// Policy is the user's own limits, which no repository can cross. An absent
// value is no limit.
type Policy struct {
	MinBar       Value[float64]
	MaxTimeout   Value[time.Duration]
	MaxEffect    Value[string] // read, write, network or destructive
	EscapePrefix Value[string]
}

// Resolved is the configuration in force for a directory.
type Resolved struct {
	Repo         journal.Repo
	Files        []File // every file looked at, in rising precedence
	Enabled      Value[bool]
	App          Value[App]
	Room         Value[string] // absent: the story's root
	Bar          Value[float64]
	EscapePrefix Value[string]
	Mode         Value[Mode]
	Trace        Value[Trace]
	World        []World // sorted by name
	Policy       Policy
	Memory       Memory
	Guard        Guard
	Owner        Layer // whose binding this is: LayerUser or LayerRepository
	Off          bool  // KITSOKI=off
	Switched     bool  // the person has said kitsoki off
	Broken       string
	Trusted      bool   // a repository's files were accepted as they are; set by the caller
	Doubt        string // why it is not; set by the caller
}

// File is one configuration file and what became of it.
type File struct {
	Path  string
	Layer Layer
	State FileState
	Sum   string // SHA-256 in hex of the bytes that were read, "" for none
}

// FileState says what became of a configuration file.
type FileState string

// The states of a file. A tracked local file is not read: it is meant to be
// one person's, and git would carry it to others.
const (
	FileRead    FileState = "read"
	FileAbsent  FileState = "absent"
	FileTracked FileState = "ignored: git tracks it"
	FileBroken  FileState = "has errors"
)

// Sources is where configuration is looked for.
type Sources struct {
	Dir     string                 // absolute: where the prompt was typed
	Env     func(string) string    // the environment
	Tracked func(path string) bool // whether git tracks a file; nil: it tracks none
}

// Resolve finds and merges the configuration for a directory. It always gives
// a usable Resolved; with an error among the problems its Reason is
// not_ready, and Broken is the first error.
func Resolve(src Sources) (Resolved, []Problem) {
	r := Resolved{Repo: journal.Locate(src.Dir)}
	rd := &reader{}
	var found layers
	for _, f := range find(r.Repo, src) {
		found = append(found, rd.load(&f))
		r.Files = append(r.Files, f)
	}
	r.merge(found)
	r.limit(rd)
	r.check(rd)
	r.Off = src.Env("KITSOKI") == "off"
	if state, err := journal.StateDir(src.Env); err == nil {
		r.Switched = journal.Off(state)
	}
	r.Broken = firstError(rd.problems)
	return r, rd.problems
}
