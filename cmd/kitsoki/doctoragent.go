package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"

	"kitsoki/runtime/proc"
	"kitsoki/runtime/setup"
)

// agents looks at the settings of every agent that kitsoki answers.
func (e *exam) agents() {
	for _, row := range setup.Rows() {
		if e.only == "" || e.only == row.Name {
			e.agent(row)
		}
	}
	if len(e.found) == 0 {
		name := e.only
		if name == "" {
			name = "claude"
		}
		e.ill("kitsoki hook install --agent "+name+" --write", "no settings of an agent start kitsoki here")
	}
}

// settingsOf is a settings file that an agent reads here, or a plugin.
type settingsOf struct {
	file, flags, shown string
	scope              string // as the agent calls it
	plugin             *pluginOf
}

// install is the command that puts the entry right.
func (s settingsOf) install() string {
	if s.plugin != nil {
		return s.plugin.install()
	}
	return "kitsoki hook install " + s.flags + " --write"
}

// remove is the command that takes the entry out.
func (s settingsOf) remove() string {
	if s.plugin != nil {
		return s.plugin.disable()
	}
	return "kitsoki hook uninstall " + s.flags + " --all --write"
}

// once is the command after which the entry stands once.
func (s settingsOf) once() string {
	if s.plugin != nil {
		return s.install()
	}
	return s.remove() + " && " + s.install()
}

// wide orders what is read here: what counts in most places comes first.
func (s settingsOf) wide() int {
	if s.plugin != nil {
		return slices.Index(scopes(), s.plugin.widest) * 2
	}
	return slices.Index(scopes(), s.scope)*2 + 1
}

// scopes are the settings that an agent reads, from the widest on.
func scopes() []string { return []string{"managed", "user", "project", "local"} }

func (e *exam) settings(row setup.Row) []settingsOf {
	top := e.conf.Repo.Top()
	out := []settingsOf{
		{row.File(setup.User, e.env, top), "--agent " + row.Name, "your settings", "user", nil},
		{row.File(setup.Project, e.env, top), "--agent " + row.Name + " --scope project", "this repository's settings", "project", nil},
	}
	for _, name := range row.Beside {
		file := filepath.Join(top, filepath.FromSlash(name))
		out = append(out, settingsOf{file, "--agent " + row.Name + " --settings '" + file + "'", "your own settings for this repository", "local", nil})
	}
	return out
}

func (e *exam) agent(row setup.Row) {
	seen := map[string]bool{}
	before := len(e.found)
	for _, s := range e.settings(row) {
		if s.file == "" || seen[s.file] {
			continue
		}
		seen[s.file] = true
		e.file(row, s)
	}
	for _, file := range row.Managed {
		e.switches(row, file)
	}
	e.plugins(row)
	ours := e.found[before:]
	slices.SortStableFunc(ours, func(a, b start) int { return a.wide() - b.wide() })
	for _, s := range ours {
		e.entry(s)
	}
	for _, s := range ours[min(1, len(ours)):] {
		if s.remove() != ours[0].remove() {
			e.ill(s.remove(), "%s starts kitsoki from two places, %s and %s", row.Title, ours[0].entry.File, s.entry.File)
		}
	}
}

func (e *exam) switches(row setup.Row, file string) {
	s, err := setup.Read(file)
	if err != nil || !s.Exists {
		return
	}
	for _, p := range setup.Switches(s, row) {
		e.ill(p.Hint+", in "+file, "%s", p.Finding())
	}
}

// problem says what is wrong with a settings file.
func (e *exam) problem(err error) {
	if p := new(setup.Problem); errors.As(err, &p) {
		e.ill(p.Hint, "%s", p.Finding())
		return
	}
	e.ill("", "%v", err)
}

// file looks for our entry in one settings file.
func (e *exam) file(row setup.Row, s settingsOf) {
	settings, err := setup.Read(s.file)
	if err == nil && !settings.Exists {
		return
	}
	var list []setup.Entry
	if err == nil {
		list, err = setup.Inspect(settings, row)
	}
	if err != nil {
		e.problem(err)
		return
	}
	e.switches(row, s.file)
	e.starts(row, s, list)
}

// starts takes down our entries in one file.
func (e *exam) starts(row setup.Row, s settingsOf, list []setup.Entry) {
	if len(list) > 1 {
		e.ill(s.once(), "%s:%d: the entry of kitsoki stands %d times", s.file, list[1].Line, len(list))
	}
	for _, entry := range list {
		e.found = append(e.found, start{row, entry, s})
	}
}

// entry looks at what an entry starts, and for how long.
func (e *exam) entry(s start) {
	mend := s.install()
	at := s.entry.File + ":" + strconv.Itoa(s.entry.Line)
	path, err := proc.Look(proc.Cmd{Argv: []string{s.entry.Program.Path}, Env: e.environ, Dir: e.dir})
	if err != nil {
		e.ill(mend, "%s: it starts %s, which is not there", at, s.entry.Program.Path)
		return
	}
	if why := badTimeout(s); why != "" {
		e.ill(mend, "%s: %s", at, why)
		return
	}
	if err := s.row.Reviewed(s.entry, e.env); err != nil {
		e.problem(err)
		return
	}
	e.well("%s starts %s, by %s (%s)", s.row.Title, path, s.shown, at)
}

// badTimeout says what is wrong with an entry's time-out, "" when it is long
// enough and not a thousand times too long.
func badTimeout(s start) string {
	want, got := float64(s.row.Units()), s.entry.Timeout
	unit := "seconds"
	if s.row.TimeoutUnit.Milliseconds() == 1 {
		unit = "milliseconds"
	}
	key := "\"" + s.row.TimeoutKey + "\""
	switch {
	case got == 0:
		return key + " is missing; the agent's own default ends longer commands half-way"
	case got >= want*100, got <= want/100:
		return key + " counts in " + unit + ", and its value looks like another unit; expected " + strconv.Itoa(int(want))
	case got < want:
		return key + " is too short: longer commands would be ended half-way; expected " + strconv.Itoa(int(want)) + " " + unit
	}
	return ""
}
