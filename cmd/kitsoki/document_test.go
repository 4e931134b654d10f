package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kitsoki/compiler/source"
	"kitsoki/schema"
)

// TestDocumentsKeepTheirSchemas holds what intercept and explain print
// against the schemas that kitsoki schema prints.
func TestDocumentsKeepTheirSchemas(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]int{
		"rebase this onto main": exitOK, "why did it fail": exitPass, "yes, run the tests": exitPass,
		"/x": exitPass, "run the tests and push": exitPass, "could you please open a pull request?": exitOK, "launch the specs": exitOK,
	} {
		for _, c := range []struct {
			args   []string
			schema []byte
		}{
			{[]string{"intercept", "--app", "builtin:intercept-demo", "--input", prompt}, schema.Intercept()},
			{[]string{"explain", "--app", "builtin:intercept-demo", "--format", "json", prompt}, schema.Explain()},
		} {
			code, out := called(t, c.args)
			if code != want {
				t.Errorf("%v: expected status %d, observed %d", c.args, want, code)
			}
			_, ds := source.DocumentOf("document", out, c.schema)
			for _, d := range ds {
				t.Errorf("%v: %s in %s", c.args, d.Message, out)
			}
		}
	}
}

// TestSARIFKeepsItsSchema: what is written of every faulty story of the
// compiler's tests.
func TestSARIFKeepsItsSchema(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("../../compiler/testdata/err/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, dir := range dirs {
		dir, err := filepath.Abs(dir)
		if err != nil {
			t.Fatal(err)
		}
		code, out := called(t, []string{"lint", dir, "--format", "sarif"})
		if code != exitFindings {
			t.Errorf("%s: expected status %d, observed %d", dir, exitFindings, code)
		}
		_, ds := source.DocumentOf("log", out, schema.SARIF())
		for _, d := range ds {
			t.Errorf("%s: %s at %d:%d", dir, d.Message, d.Pos.Line, d.Pos.Col)
		}
	}
}

// called runs the program in a directory of its own.
func called(t *testing.T, args []string) (int, []byte) {
	t.Helper()
	var out, stderr bytes.Buffer
	dir := t.TempDir()
	a := &app{
		args: args, in: strings.NewReader(""), out: &out, err: &stderr,
		env: func(name string) string {
			if name == "HOME" {
				return dir
			}
			return ""
		},
		environ: []string{"PATH=/usr/bin:/bin"}, getwd: func() (string, error) { return dir, nil }, now: time.Now, rand: rand.Reader,
	}
	code := a.run(context.Background())
	if stderr.Len() > 0 {
		t.Errorf("%v: %s", args, &stderr)
	}
	return code, out.Bytes()
}
