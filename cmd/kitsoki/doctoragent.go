package main

import (
	"errors"
	"path/filepath"
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

// settingsOf is a settings file that an agent reads here.
type settingsOf struct{ file, flags, shown string }

func (e *exam) settings(row setup.Row) []settingsOf {
	top := e.conf.Repo.Top()
	out := []settingsOf{
		{row.File(setup.User, e.env, top), "--agent " + row.Name, "your settings"},
		{row.File(setup.Project, e.env, top), "--agent " + row.Name + " --scope project", "this repository's settings"},
	}
	for _, name := range row.Beside {
		file := filepath.Join(top, filepath.FromSlash(name))
		out = append(out, settingsOf{file, "--agent " + row.Name + " --settings '" + file + "'", "your own settings for this repository"})
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
	ours := e.found[before:]
	for _, s := range ours {
		e.entry(s)
	}
	for _, s := range ours[min(1, len(ours)):] {
		if s.flags != ours[0].flags {
			e.ill("kitsoki hook uninstall "+s.flags+" --all --write", "%s starts kitsoki from two places, %s and %s", row.Title, ours[0].entry.File, s.entry.File)
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
	if len(list) > 1 {
		e.ill("kitsoki hook uninstall "+s.flags+" --all --write && kitsoki hook install "+s.flags+" --write",
			"%s:%d: the entry of kitsoki stands %d times", s.file, list[1].Line, len(list))
	}
	for _, entry := range list {
		e.found = append(e.found, start{row, entry, s.flags, s.shown})
	}
}

// entry looks at what an entry starts, and for how long.
func (e *exam) entry(s start) {
	mend := "kitsoki hook install " + s.flags + " --write"
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
