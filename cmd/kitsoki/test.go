package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"kitsoki/compiler"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/storytest"
	"kitsoki/runtime/artifact"
)

func (a *app) testVerb() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "test STORY",
		Short: "Run a story's own tests (phrases.yaml), the frames and the insertions, against its artifact",
		Args:  cobra.ExactArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return a.test(args[0], format) },
	}
	formatFlag(c, &format, "text", "json")
	return c
}

// testReport is what kitsoki test prints as JSON.
type testReport struct {
	Passed   int           `json:"passed"`
	Failed   int           `json:"failed"`
	Failures []testFailure `json:"failures"`
}

type testFailure struct {
	Place    string `json:"place"`
	Input    string `json:"input"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

func (a *app) test(ref, format string) error {
	src, err := a.story(ref)
	if err != nil {
		return err
	}
	data, err := fs.ReadFile(src.fsys, storytest.PhrasesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &exitError{exitFindings, fmt.Errorf("%s has no %s; write what must match and what must pass", src.shown, storytest.PhrasesFile)}
	}
	if err != nil {
		return err
	}
	outcomes, err := a.runPhrases(src, data)
	if err != nil {
		return err
	}
	return a.printTests(src, outcomes, format)
}

// runPhrases compiles the story and holds its routing tests against the
// bytes of the artifact.
func (a *app) runPhrases(src storySource, data []byte) ([]storytest.Outcome, error) {
	out, ds := compiler.Compile(src.fsys, src.manifest, compiler.Options{Tool: version})
	cases, more := storytest.ReadPhrases(storytest.PhrasesFile, data)
	if ds.HasErrors() || more.HasErrors() {
		if err := a.diagnose(append(ds, more...), src.shown, "text"); err != nil {
			return nil, err
		}
		return nil, exit(exitFindings)
	}
	raw, err := artifact.Encode(out.Image)
	if err != nil {
		return nil, err
	}
	f, err := artifact.Decode(src.shown, raw)
	if err != nil {
		return nil, err
	}
	return allTests(f, cases, out.Image.Locale)
}

// allTests runs the routing tests, every example in the language's frames,
// and the property that forbidden words make a prompt pass.
func allTests(f *artifact.File, cases []storytest.Case, locale string) ([]storytest.Outcome, error) {
	outcomes, err := storytest.Run(f, cases)
	if err != nil {
		return nil, &exitError{exitFindings, err}
	}
	pack, err := packs.Load(locale)
	if err != nil {
		return nil, err
	}
	for _, room := range f.Rooms() {
		outcomes = append(outcomes, storytest.Frames(f, room, pack)...)
	}
	failed, tried := storytest.Insertions(f, cases, pack)
	outcomes = append(outcomes, failed...)
	for range tried - len(failed) {
		outcomes = append(outcomes, storytest.Outcome{OK: true})
	}
	return outcomes, nil
}

func (a *app) printTests(src storySource, outcomes []storytest.Outcome, format string) error {
	r := testReport{Failures: []testFailure{}}
	for _, o := range outcomes {
		if o.OK {
			r.Passed++
			continue
		}
		want := "pass"
		if o.Intent != "" {
			want = "intent " + o.Intent
		}
		r.Failed++
		r.Failures = append(r.Failures, testFailure{
			Place: fmt.Sprintf("%s/%s:%d:%d", src.shown, o.Pos.File, o.Pos.Line, o.Pos.Col),
			Input: o.Input, Expected: want, Got: o.Got,
		})
	}
	if format == "json" {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else {
		for _, f := range r.Failures {
			a.printf("%s: %q\n  expected %s\n  got      %s\n", f.Place, f.Input, f.Expected, f.Got)
		}
		a.printf("%d passed, %d failed\n", r.Passed, r.Failed)
	}
	if r.Failed > 0 {
		return exit(exitFindings)
	}
	return nil
}
