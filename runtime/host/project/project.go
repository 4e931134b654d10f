// Package project finds a repository's own command for a job: to test, lint,
// format, build or run it, or to install what it depends on. In: a directory.
// Out: the command, or why there is none or more than one. It only reads
// files, and starts nothing.
//
// A command that a project declares under the job's name (a target of its
// Makefile, a script of its package.json) counts before the convention of its
// language (go test, cargo build). Two of the same rank are not chosen
// between.
package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Found is what was found. Argv is empty when there is no one command; Reason
// then says why. Dir is the directory to run it in, absolute. Tool is the
// program that the project uses.
type Found struct {
	Argv   []string
	Dir    string
	Tool   string
	Reason string
}

// Command is the command as a person would type it.
func (f Found) Command() string { return strings.Join(f.Argv, " ") }

// option is one command that a tool offers for a job. Declared says that the
// project names it so.
type option struct {
	tool, file string
	argv       []string
	declared   bool
}

// offer is what one tool has for a job: an option, or why it has none although
// the project uses it, or nothing at all.
type offer struct {
	option *option
	reason string
}

// tool looks for one kind of project in a directory. Used is false when the
// directory is no project of that kind.
type tool struct {
	name string
	look func(dir, job string) (o offer, used bool)
}

func tools() []tool {
	return []tool{
		{"make", lookMake},
		{"node", lookNode},
		{"go", lookGo},
		{"cargo", lookCargo},
		{"python", lookPython},
	}
}

// Find looks for a job's command from dir upwards, and stops at the first
// directory that is a project, or at the root of the repository. Root is the
// repository's root, "" outside of one: then only dir itself is looked at.
func Find(dir, root, job string) Found {
	for at := dir; ; at = filepath.Dir(at) {
		if f, is := in(at, job); is {
			return f
		}
		if root == "" || at == root || at == filepath.Dir(at) {
			break
		}
	}
	return Found{Reason: "there is no Makefile, package.json, go.mod, Cargo.toml or pyproject.toml here"}
}

// in looks in one directory. Is is false when it is no project.
func in(dir, job string) (found Found, is bool) {
	var options []option
	var reasons []string
	for _, t := range tools() {
		o, used := t.look(dir, job)
		is = is || used
		if o.option != nil {
			options = append(options, *o.option)
		}
		if o.reason != "" {
			reasons = append(reasons, o.reason)
		}
	}
	if !is {
		return Found{}, false
	}
	return choose(dir, job, options, reasons), true
}

// choose takes the only option of the best rank.
func choose(dir, job string, options []option, reasons []string) Found {
	best := declared(options)
	if len(best) == 0 {
		best = options
	}
	switch len(best) {
	case 1:
		return Found{Argv: best[0].argv, Dir: dir, Tool: best[0].tool}
	case 0:
		if len(reasons) == 0 {
			reasons = []string{fmt.Sprintf("no %s command is declared in %s", job, filepath.Base(dir))}
		}
		return Found{Reason: strings.Join(reasons, "; ")}
	}
	var names []string
	for _, o := range best {
		names = append(names, strings.Join(o.argv, " ")+" ("+o.file+")")
	}
	return Found{Reason: fmt.Sprintf("there are several %s commands: %s", job, strings.Join(names, ", "))}
}

func declared(options []option) []option {
	var out []option
	for _, o := range options {
		if o.declared {
			out = append(out, o)
		}
	}
	return out
}

// maxFile is how much of a project file is read, in bytes: more is no file
// that people write.
const maxFile = 1 << 20

// read gives a project file's text. ok is false when there is none.
func read(dir, name string) (text string, ok bool) {
	path := filepath.Join(dir, name)
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxFile {
		return "", false
	}
	data, err := os.ReadFile(path)
	return string(data), err == nil
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}
