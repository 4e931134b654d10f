package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kitsoki/compiler"
	"kitsoki/compiler/diag"
	"kitsoki/compiler/lint"
	"kitsoki/compiler/source"
	"kitsoki/compiler/storytest"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/journal"
	"kitsoki/stories"
)

type lintFlags struct {
	format, explain string
	fix             bool
}

func (a *app) lintVerb() *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint STORY | lint --explain CODE",
		Short: "Advise on a story: errors, warnings and hints of the compiler and of the rules KIT5xx",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case f.explain != "" && len(args) > 0:
				return errors.New("lint --explain takes no story")
			case f.explain == "" && len(args) != 1:
				return errors.New("lint takes one story: its directory, its app.yaml, or builtin:NAME")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if f.explain != "" {
				return a.explainCode(f.explain)
			}
			return a.lint(args[0], f)
		},
	}
	c.Flags().BoolVar(&f.fix, "fix", false, "first mend what is mechanical: quotation marks, phrases listed twice, the order of top-level keys")
	c.Flags().StringVar(&f.explain, "explain", "", "explain a code such as KIT503, with a bad and a good story; all lists the codes")
	formatFlag(c, &f.format, diagFormats()...)
	return c
}

// diagFormats are the forms that diagnostics are printed in.
func diagFormats() []string { return []string{"text", "json", "sarif", "github"} }

func (a *app) explainCode(code string) error {
	if code != "all" {
		page, err := lint.Explain(strings.ToUpper(code))
		if err != nil {
			return err
		}
		a.printf("%s", page)
		return nil
	}
	for _, e := range diag.Codes() {
		a.printf("%s  %-7s  %s\n", e.Code, e.Severity, e.Title)
	}
	return nil
}

func (a *app) lint(ref string, f lintFlags) error {
	src, err := a.story(ref)
	if err != nil {
		return err
	}
	if f.fix {
		if err := a.fix(ref, src); err != nil {
			return err
		}
	}
	_, ds, err := advice(src)
	if err != nil {
		return err
	}
	if err := a.diagnose(ds, src.shown, f.format); err != nil {
		return err
	}
	if f.format == "text" {
		fmt.Fprintln(a.err, ds.Summary())
	}
	if ds.Count(diag.Error)+ds.Count(diag.Warning) > 0 {
		return exit(exitFindings)
	}
	return nil
}

// advice compiles a story and gives all there is to say about it.
func advice(src storySource) (*compiler.Output, diag.List, error) {
	out, ds := src.compile()
	in := lint.Input{Story: out.Story, Program: out.Program, Image: out.Image, Found: ds}
	data, err := fs.ReadFile(src.fsys, storytest.PhrasesFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("reading the routing tests: %w", err)
	}
	if err == nil {
		cases, more := storytest.ReadPhrases(storytest.PhrasesFile, data)
		in.Cases, in.Tested, in.Found = cases, true, append(ds, more...)
	}
	if out.Image != nil {
		raw, err := artifact.Encode(out.Image)
		if err != nil {
			return nil, nil, err
		}
		if in.File, err = artifact.Decode(src.shown, raw); err != nil {
			return nil, nil, err
		}
	}
	return out, lint.Run(in), nil
}

// fixRounds is how often fixes are applied: one may uncover another.
const fixRounds = 5

// fix mends what is mechanical in the story's own files. A file is written
// whole or not at all, and only when the story still has as few errors.
func (a *app) fix(ref string, src storySource) error {
	if src.dir == "" {
		return fmt.Errorf("%s ships with kitsoki and can't be mended in place", ref)
	}
	for range fixRounds {
		out, ds, err := advice(src)
		if err != nil || out.Story == nil {
			return err
		}
		changed := lint.Apply(out.Story.Files, lint.Fixes(out.Story, ds))
		if len(changed) == 0 {
			return nil
		}
		if _, after, err := advice(src.with(changed)); err != nil || after.Count(diag.Error) > ds.Count(diag.Error) {
			return fmt.Errorf("mending %s would break it; nothing was written", ref)
		}
		for _, f := range changed {
			if err := artifact.WriteFile(filepath.Join(src.dir, filepath.FromSlash(f.Path)), f.Data); err != nil {
				return err
			}
			fmt.Fprintf(a.err, "mended %s\n", filepath.Join(src.shown, f.Path))
		}
	}
	return nil
}

// with is the story with some of its files changed.
func (s storySource) with(changed []source.File) storySource {
	inRoot := overlay{FS: s.root}
	for _, f := range changed {
		inRoot.changed = append(inRoot.changed, source.File{Path: path.Join(path.Dir(s.manifest), f.Path), Data: f.Data})
	}
	s.fsys, s.root = overlay{s.fsys, changed}, inRoot
	return s
}

// overlay is a file system with some files changed.
type overlay struct {
	fs.FS
	changed []source.File
}

// Open gives a changed file's new bytes, else the file below.
func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	if err != nil {
		return nil, err
	}
	for _, c := range o.changed {
		if c.Path == name {
			return changedFile{f, bytes.NewReader(c.Data)}, nil
		}
	}
	return f, nil
}

type changedFile struct {
	fs.File
	data *bytes.Reader
}

func (c changedFile) Read(p []byte) (int, error) { return c.data.Read(p) }

// rooted is what stands before a story's files, seen from the root of the
// repository they lie in: what GitHub and other readers of reports expect.
func (a *app) rooted(shown string) string {
	if strings.HasPrefix(shown, stories.Prefix) {
		return shown
	}
	path, err := a.abs(filepath.FromSlash(shown))
	if err != nil {
		return shown
	}
	repo := journal.Locate(path)
	if repo.Root == "" {
		return shown
	}
	rel, err := filepath.Rel(repo.Root, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return shown
	}
	return filepath.ToSlash(rel)
}
