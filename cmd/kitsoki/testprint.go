package main

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// printTests prints a report; a failed test is the exit status.
func (a *app) printTests(r *testReport, format string) error {
	var err error
	switch format {
	case "json":
		err = a.printJSON(r)
	case "junit":
		err = a.printJUnit(r)
	default:
		a.printTestText(r)
	}
	if err == nil && r.Failed > 0 {
		return exit(exitFindings)
	}
	return err
}

// printTestText prints what failed of the routing tests, a line for each
// turn of a flow, and the sum.
func (a *app) printTestText(r *testReport) {
	for _, f := range r.Failures {
		if f.Expect == "" {
			a.printf("%s: %q\n  %s\n", f.Place, f.Input, strings.Join(f.lines(), "\n  "))
		}
	}
	for _, res := range r.Flows {
		a.printFlow(r.suite(res.File))
		if len(res.Unplayed) > 0 {
			a.printf("     %s/%s: not played: %s\n", r.shown, res.File, strings.Join(res.Unplayed, ", "))
		}
	}
	a.printf("%d passed, %d failed\n", r.Passed, r.Failed)
}

func (a *app) printFlow(s testSuite) {
	for _, c := range s.cases {
		mark := "ok  "
		if !c.ok {
			mark = "FAIL"
		}
		a.printf("%s %s: %s\n", mark, c.place(), c.name)
		for _, line := range c.lines {
			a.printf("  %s\n", line)
		}
	}
}

func (r *testReport) suite(name string) testSuite {
	for _, s := range r.Suites {
		if s.Name == name {
			return s
		}
	}
	return testSuite{}
}

// The elements of a JUnit report, as its readers agree on them: suites of
// cases, of which one that failed says why.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func (a *app) printJUnit(r *testReport) error {
	out := junitSuites{Name: r.shown, Failures: r.Failed}
	for _, s := range r.Suites {
		suite := s.junit()
		out.Suites = append(out.Suites, suite)
		out.Tests += suite.Tests
	}
	data, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JUnit: %w", err)
	}
	a.printf("%s%s\n", xml.Header, data)
	return nil
}

// junit gives a suite's cases; those that are only counted are one.
func (s testSuite) junit() junitSuite {
	out := junitSuite{Name: s.Name, Failures: s.Failed}
	for _, c := range s.cases {
		jc := junitCase{Class: s.Name, Name: c.name, File: c.file, Line: c.pos.Line}
		if !c.ok {
			jc.Failure = &junitFailure{Message: c.lines[0], Text: strings.Join(c.lines, "\n")}
		}
		out.Cases = append(out.Cases, jc)
	}
	if more := s.Passed + s.Failed - len(s.cases); more > 0 {
		out.Cases = append(out.Cases, junitCase{Class: s.Name, Name: fmt.Sprintf("%d prompts pass", more)})
	}
	out.Tests = len(out.Cases)
	return out
}
