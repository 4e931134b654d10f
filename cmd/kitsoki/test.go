package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"

	"github.com/spf13/cobra"

	"kitsoki/compiler"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/storytest"
	"kitsoki/compiler/storytest/flow"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/host"
	"kitsoki/runtime/taskagent"
)

type testFlags struct {
	format, run string
	record      bool
}

func (a *app) testVerb() *cobra.Command {
	var f testFlags
	c := &cobra.Command{
		Use:   "test STORY",
		Short: "Run a story's own tests (phrases.yaml, flows/*.yaml), the frames and the insertions, against its artifact",
		Args:  cobra.ExactArgs(1),
		RunE:  func(c *cobra.Command, args []string) error { return a.test(c.Context(), args[0], f) },
	}
	c.Flags().StringVar(&f.run, "run", "", "run only the tests whose file and prompt (phrases.yaml: push it), or flow file, matches this regular expression")
	c.Flags().BoolVar(&f.record, "record", false, "make the host calls that a flow's cassette lacks, really and in this directory, and add them to it")
	formatFlag(c, &f.format, "text", "json", "junit")
	return c
}

// storyTests is a story with its tests, read and checked.
type storyTests struct {
	src    storySource
	only   *regexp.Regexp // of --run; the empty one matches all
	file   *artifact.File
	prog   *artifact.Program
	locale string
	cases  []storytest.Case
	flows  []*flow.Flow
}

func (a *app) test(ctx context.Context, ref string, f testFlags) error {
	src, err := a.story(ref)
	if err != nil {
		return err
	}
	if f.record && src.dir == "" {
		return fmt.Errorf("--record: %s can't be written to", src.shown)
	}
	only, err := regexp.Compile(f.run)
	if err != nil {
		return fmt.Errorf("--run: %w", err)
	}
	t := &storyTests{src: src, only: only}
	if err := a.readTests(t, f.record); err != nil {
		return err
	}
	r, recorded, err := a.runTests(ctx, t, f.record)
	if err != nil {
		return err
	}
	printed := a.printTests(r, f.format)
	if err := a.writeRecordings(src, recorded); err != nil {
		return err
	}
	return printed
}

// readTests compiles the story, and reads its tests with all their mistakes.
func (a *app) readTests(t *storyTests, recording bool) error {
	data, err := fs.ReadFile(t.src.fsys, storytest.PhrasesFile)
	names := flow.Files(t.src.fsys)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(names) == 0:
		return &exitError{exitFindings, fmt.Errorf("%s has no %s; write what must match and what must pass", t.src.shown, storytest.PhrasesFile)}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	out, ds := t.src.compile()
	if err == nil {
		cases, more := storytest.ReadPhrases(storytest.PhrasesFile, data)
		t.cases, ds = cases, append(ds, more...)
	}
	if out.Image != nil {
		flows, more := flow.Load(flow.Story{FS: t.src.fsys, Manifest: path.Base(t.src.manifest), Program: out.Program, Recording: recording}, names)
		t.flows, ds = flows, append(ds, more...)
	}
	if ds.HasErrors() {
		if err := a.diagnose(ds, t.src.shown, "text"); err != nil {
			return err
		}
		return exit(exitFindings)
	}
	return t.open(out)
}

// open opens the bytes of the artifact: they are what is tested.
func (t *storyTests) open(out *compiler.Output) error {
	raw, err := artifact.Encode(out.Image)
	if err != nil {
		return err
	}
	if t.file, err = artifact.Decode(t.src.shown, raw); err != nil {
		return err
	}
	t.prog, err = t.file.Program()
	t.locale = out.Image.Locale
	return err
}

// runTests runs all that --run names, and gives what is to be recorded;
// nothing at all to run is a mistake.
func (a *app) runTests(ctx context.Context, t *storyTests, record bool) (*testReport, []*flow.Recording, error) {
	r := &testReport{Failures: []testFailure{}, shown: t.src.shown}
	if err := t.routing(r); err != nil {
		return nil, nil, err
	}
	runner, err := a.flowRunner(t, record)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range t.flows {
		if t.only.MatchString(f.File) {
			r.addFlow(runner.Run(ctx, f))
		}
	}
	if r.Passed+r.Failed == 0 {
		return nil, nil, &exitError{exitFindings, fmt.Errorf("no test of %s matches %s", t.src.shown, t.only)}
	}
	return r, runner.Recordings(), nil
}

// flowRunner runs flow tests; what it records is called in the working
// directory.
func (a *app) flowRunner(t *storyTests, record bool) (*flow.Runner, error) {
	r := &flow.Runner{FS: t.src.fsys, File: t.file, Program: t.prog, Env: a.environ}
	if record {
		exe, err := a.exe()
		if err != nil {
			return nil, fmt.Errorf("finding our own program: %w", err)
		}
		r.Real = host.Local{Tasks: taskagent.Runner{Program: t.prog, Kitsoki: exe}}
	}
	var err error
	r.Dir, err = a.dir()
	return r, err
}

// named tells whether --run wants a test.
func (t *storyTests) named(c storytest.Case) bool {
	return t.only.MatchString(c.Pos.File + ": " + c.Input)
}

// routing runs the routing tests, every example in the language's frames,
// and the property that forbidden words make a prompt pass.
func (t *storyTests) routing(r *testReport) error {
	var cases []storytest.Case
	for _, c := range t.cases {
		if t.named(c) {
			cases = append(cases, c)
		}
	}
	outcomes, err := storytest.Run(t.file, cases)
	if err != nil {
		return &exitError{exitFindings, err}
	}
	r.add("phrases", outcomes, 0)
	pack, err := packs.Load(t.locale)
	if err != nil {
		return err
	}
	var framed []storytest.Outcome
	for _, room := range t.file.Rooms() {
		for _, o := range storytest.Frames(t.file, room, pack) {
			if t.named(o.Case) {
				framed = append(framed, o)
			}
		}
	}
	r.add("frames", framed, 0)
	failed, tried := storytest.Insertions(t.file, cases, pack)
	r.add("insertions", failed, tried-len(failed))
	return nil
}
