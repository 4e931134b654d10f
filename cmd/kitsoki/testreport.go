package main

import (
	"fmt"
	"path"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/storytest"
	"kitsoki/compiler/storytest/flow"
)

// testReport is what kitsoki test prints as JSON.
type testReport struct {
	Passed   int           `json:"passed"`
	Failed   int           `json:"failed"`
	Suites   []testSuite   `json:"suites"`
	Failures []testFailure `json:"failures"`
	Flows    []flow.Result `json:"flows,omitempty"`

	shown string
}

// testSuite counts the tests of one kind: phrases, frames, insertions, or a
// flow's file.
type testSuite struct {
	Name   string `json:"name"`
	Passed int    `json:"passed"`
	Failed int    `json:"failed"`

	cases []testCase // not those that Passed counts beyond them
}

// testCase is one test; lines say why it failed.
type testCase struct {
	name  string
	file  string
	pos   diag.Pos
	ok    bool
	lines []string
}

type testFailure struct {
	Place    string `json:"place"`
	Input    string `json:"input"`
	Expect   string `json:"expect,omitempty"` // the key of a flow test
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// add adds routing tests; passed counts those that passed and are not
// listed.
func (r *testReport) add(name string, outcomes []storytest.Outcome, passed int) {
	s := testSuite{Name: name, Passed: passed}
	for _, o := range outcomes {
		c := r.testCase(o.Input, o.Pos, o.OK)
		if !o.OK {
			f := testFailure{Place: c.place(), Input: o.Input, Expected: expected(o), Got: o.Got}
			r.Failures = append(r.Failures, f)
			c.lines = f.lines()
		}
		s.count(c)
	}
	r.close(s)
}

func expected(o storytest.Outcome) string {
	if o.Intent == "" {
		return "pass"
	}
	return "intent " + o.Intent
}

func (f testFailure) lines() []string { return []string{"expected " + f.Expected, "got      " + f.Got} }

// addFlow adds a flow test: each turn counts as a test, and so does its end.
func (r *testReport) addFlow(res flow.Result) {
	s := testSuite{Name: res.File}
	for _, step := range res.Steps {
		c := r.testCase(stepName(step), step.Pos, step.OK)
		for _, f := range step.Failures {
			place := r.testCase("", f.Pos, false).place()
			r.Failures = append(r.Failures, testFailure{Place: place, Input: step.Name, Expect: f.Expect, Expected: f.Expected, Got: f.Got})
			c.lines = append(c.lines, f.Expect+" ("+place+")", "  expected "+f.Expected, "  got      "+f.Got)
		}
		if !step.OK && len(step.Trace) > 0 {
			c.lines = append(c.lines, "trace")
			for _, line := range step.Trace {
				c.lines = append(c.lines, "  "+line)
			}
		}
		s.count(c)
	}
	r.close(s)
	r.Flows = append(r.Flows, res)
}

func stepName(s flow.Step) string {
	if s.Turn == 0 {
		return s.Name
	}
	return fmt.Sprintf("turn %d: %s", s.Turn, s.Name)
}

func (r *testReport) testCase(name string, pos diag.Pos, ok bool) testCase {
	return testCase{name: name, file: path.Join(r.shown, pos.File), pos: pos, ok: ok}
}

func (c testCase) place() string { return fmt.Sprintf("%s:%d:%d", c.file, c.pos.Line, c.pos.Col) }

func (s *testSuite) count(c testCase) {
	if c.ok {
		s.Passed++
	} else {
		s.Failed++
	}
	s.cases = append(s.cases, c)
}

// close adds a suite that is complete; one without tests is left out.
func (r *testReport) close(s testSuite) {
	if s.Passed+s.Failed == 0 {
		return
	}
	r.Passed += s.Passed
	r.Failed += s.Failed
	r.Suites = append(r.Suites, s)
}
