package engine

import (
	"fmt"
	"slices"
	"strings"
)

// DriveReport is what a report of a drive tells besides: the task agents that
// worked, and what a person has to do when giving it up failed.
type DriveReport struct {
	Session string
	Tasks   []TaskReport
	Moved   bool     // somebody else moved the working tree on, and it stays so
	Changed []string // paths that are not as they were, and not by the drive's doing
	Remains []string // commands
}

// TaskReport is one run of a task agent. Cost is in US dollars and Tokens a
// number, both 0 when the agent does not report them.
type TaskReport struct {
	Agent    string
	Attempts int
	Cost     float64
	Tokens   int
	Files    []string
	PutBack  []string // what it changed though it is not the task's
	// Meanwhile is what changed elsewhere while it worked and was left.
	Meanwhile []string
	SetAside  string // the directory that keeps what stood in the place of what was put back
	Summary   string
	OK        bool
}

// handler names who did the work: kitsoki alone, or a task agent too.
func (in ReportInput) handler() string {
	if in.Drive == nil || len(in.Drive.Tasks) == 0 {
		return "kitsoki handled this (no LLM)"
	}
	var names []string
	cost := 0.0
	for _, t := range in.Drive.Tasks {
		cost += t.Cost
		if len(names) == 0 || names[len(names)-1] != t.Agent {
			names = append(names, t.Agent)
		}
	}
	line := fmt.Sprintf("kitsoki drove this with %s, %s", strings.Join(names, ", "), plural(len(in.Drive.Tasks), "round"))
	if cost > 0 {
		line += fmt.Sprintf(", $%.2f", cost)
	}
	return line
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// taskLines tell what each task agent did.
func (in ReportInput) taskLines() []string {
	if in.Drive == nil {
		return nil
	}
	var out []string
	for _, t := range in.Drive.Tasks {
		line := "  ◦ " + t.Agent + ": "
		switch {
		case !t.OK:
			line += "did not do it"
		case len(t.Files) == 0:
			line += "changed no file"
		default:
			line += "changed " + onOneLine(t.Files)
		}
		if len(t.PutBack) > 0 {
			line += ", put back " + onOneLine(t.PutBack)
		}
		if t.Attempts > 1 {
			line += fmt.Sprintf(" · %d attempts", t.Attempts)
		}
		if t.Tokens > 0 {
			line += fmt.Sprintf(" · %d tokens", t.Tokens)
		}
		if t.Summary != "" {
			line += " — " + oneLine(t.Summary)
		}
		out = append(out, clip(line, maxLine))
		out = append(out, in.besideLines(t)...)
	}
	return out
}

// onOneLine puts paths on one line, whatever they hold.
func onOneLine(paths []string) string {
	return strings.ReplaceAll(plainText(strings.Join(paths, ", ")), "\n", `\n`)
}

// besideLines tell what a task agent's work came upon beside its task. What the
// drive itself has found changed in the working tree is told once.
func (in ReportInput) besideLines(t TaskReport) (out []string) {
	if t.SetAside != "" {
		out = append(out, "    What stood in the place of what was put back: "+t.SetAside)
	}
	var left []string
	for _, name := range t.Meanwhile {
		told := func(c string) bool { return strings.HasSuffix(c, " "+name) } // with git status's letters before it
		if !slices.ContainsFunc(in.Drive.Changed, told) {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		out = append(out, clip("    Changed elsewhere while it worked, and left: "+onOneLine(left), maxLine))
	}
	return out
}

// remainLines tell a person how to get back.
func (in ReportInput) remainLines() []string {
	if in.Drive == nil {
		return nil
	}
	var out []string
	if len(in.Drive.Changed) > 0 {
		what := "But for these paths: "
		if in.Outcome.Kind.Done() {
			what = "Changed in the working tree meanwhile, and not by this: "
		}
		out = append(out, clip(what+onOneLine(in.Drive.Changed), maxLine))
	}
	if len(in.Drive.Remains) > 0 {
		out = append(out, "To get back to where it began:")
	}
	for _, c := range in.Drive.Remains {
		out = append(out, "  "+c)
	}
	return out
}

// recorded names where to read more.
func (in ReportInput) recorded() string {
	switch {
	case in.Drive != nil && in.Drive.Session != "":
		return "⟲ recorded: kitsoki drives show " + in.Drive.Session
	case in.TraceID != "":
		return "⟲ recorded: kitsoki trace show " + in.TraceID
	}
	return ""
}
