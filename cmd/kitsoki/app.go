package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

// app is one call of the program: its streams, its clock, its environment.
type app struct {
	in       io.Reader
	out, err io.Writer
	args     []string
	env      func(string) string
	environ  []string
	getwd    func() (string, error)
	exe      func() (string, error)
	uid      int // the user we run as, -1 where there is no such number
	now      func() time.Time
	rand     io.Reader
	// fault is called where a test may plant a fault; nil in the program.
	fault func(place string)
}

// exitError ends the program with a status; what there is to say has been
// said already when Err is nil.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

// exit gives the error that ends a verb with a status and no message.
func exit(code int) error {
	if code == exitOK {
		return nil
	}
	return &exitError{code: code}
}

// run dispatches to a verb and gives the exit status. A panic of any verb is
// a status like another failure, never Go's 2.
func (a *app) run(ctx context.Context) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(a.err, "kitsoki: internal error: %v\n", p)
			code = exitUsage
			if isHookRun(a.args) {
				code = exitOK
			}
		}
	}()
	root := a.root()
	root.SetArgs(a.args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if isHookRun(a.args) {
		return a.hookStatus(err)
	}
	return a.status(err)
}

func (a *app) status(err error) int {
	var e *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &e):
		if e.err != nil {
			fmt.Fprintf(a.err, "kitsoki: %s\n", plain(e.err.Error()))
		}
		return e.code
	}
	fmt.Fprintf(a.err, "kitsoki: %s\n", plain(err.Error()))
	return exitUsage
}

// verbs is the table of verbs: one file each.
func (a *app) verbs() []*cobra.Command {
	return []*cobra.Command{
		a.compileVerb(), a.lintVerb(), a.graphVerb(), a.explainVerb(), a.interceptVerb(), a.testVerb(), a.traceVerb(), a.lastVerb(),
		a.schemaVerb(), a.artifactVerb(), a.configVerb(), a.versionVerb(), a.hookVerb(), a.commandsVerb(),
		a.doctorVerb(), a.statusVerb(), a.offVerb(), a.onVerb(), a.purgeVerb(), a.trustVerb(), a.superviseVerb(), a.recoverVerb(),
		a.submitVerb(), a.drivesVerb(), a.memoryVerb(), a.serveVerb(),
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "kitsoki",
		Short:         "Recognise commands typed to a coding agent, before the model, and run them",
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q; run \"kitsoki --help\"", args[0])
			}
			return c.Help()
		},
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: a.recovering,
	}
	root.AddCommand(a.verbs()...)
	return root
}

// dir is the absolute working directory.
func (a *app) dir() (string, error) {
	d, err := a.getwd()
	if err != nil {
		return "", fmt.Errorf("finding the working directory: %w", err)
	}
	return d, nil
}

// abs makes a path of the command line absolute.
func (a *app) abs(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	d, err := a.dir()
	return filepath.Join(d, path), err
}

// printf writes to standard output; a closed one is the reader's choice.
func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }
