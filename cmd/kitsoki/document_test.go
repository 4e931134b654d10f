package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"kitsoki/compiler/source"
	"kitsoki/schema"
)

// TestInterceptKeepsItsSchema holds what intercept prints against the schema
// that kitsoki schema intercept prints.
func TestInterceptKeepsItsSchema(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]int{
		"rebase this onto main": exitOK, "why did it fail": exitPass, "yes, run the tests": exitPass,
		"/x": exitPass, "": exitPass, "could you please open a pull request?": exitOK,
	} {
		var out, stderr bytes.Buffer
		dir := t.TempDir()
		a := &app{
			args: []string{"intercept", "--app", "builtin:intercept-demo"}, in: strings.NewReader(prompt), out: &out, err: &stderr,
			env: func(name string) string {
				if name == "HOME" {
					return dir
				}
				return ""
			},
			environ: []string{"PATH=/usr/bin:/bin"}, getwd: func() (string, error) { return dir, nil }, now: time.Now, rand: rand.Reader,
		}
		if code := a.run(context.Background()); code != want {
			t.Errorf("%q: expected status %d, observed %d: %s", prompt, want, code, &stderr)
		}
		_, ds := source.DocumentOf("document", out.Bytes(), schema.Intercept())
		for _, d := range ds {
			t.Errorf("%q: %s in %s", prompt, d.Message, &out)
		}
	}
}
