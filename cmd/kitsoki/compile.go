package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/journal"
)

type compileFlags struct {
	out, format string
	check       bool
}

func (a *app) compileVerb() *cobra.Command {
	var f compileFlags
	c := &cobra.Command{
		Use:   "compile STORY",
		Short: "Compile a story (its directory or app.yaml) into an artifact",
		Args:  cobra.ExactArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return a.compile(args[0], f) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "", "the artifact to write (default build/out/<app-id>.kit under the repository's root)")
	c.Flags().BoolVar(&f.check, "check", false, "write nothing; exit 1 when the artifact differs from the story or is missing")
	formatFlag(c, &f.format, diagFormats()...)
	return c
}

func (a *app) compile(story string, f compileFlags) error {
	src, err := a.story(story)
	if err != nil {
		return err
	}
	out, ds := src.compile()
	if err := a.diagnose(ds, src.shown, f.format); err != nil {
		return err
	}
	if out.Image == nil {
		return exit(exitFindings)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		return err
	}
	path, err := a.outPath(f.out, out.Program.App.ID)
	if err != nil {
		return err
	}
	if f.check {
		return a.checkArtifact(path, data)
	}
	if err := a.writeArtifact(path, data, f.out == ""); err != nil {
		return err
	}
	if f.format == "text" {
		fmt.Fprintf(a.err, "%s: %d bytes, %d rooms, %d intents\n", path, len(data), len(out.Image.Rooms), len(out.Program.Intents))
	}
	return nil
}

// diagnose prints the list in the asked format: text goes to standard error.
func (a *app) diagnose(ds diag.List, shown, format string) error {
	p := diag.Printer{Dir: shown}
	switch format {
	case "json":
		return p.JSON(a.out, ds)
	case "sarif":
		p.Dir = a.rooted(shown)
		return p.SARIF(a.out, ds, version)
	case "github":
		p.Dir = a.rooted(shown)
		return p.GitHub(a.out, ds)
	}
	return p.Text(a.err, ds)
}

// outPath is where the artifact goes.
func (a *app) outPath(out, id string) (string, error) {
	if out != "" {
		return a.abs(out)
	}
	dir, err := a.dir()
	if err != nil {
		return "", err
	}
	if repo := journal.Locate(dir); repo.Root != "" {
		dir = repo.Root
	}
	return filepath.Join(dir, "build", "out", id+artifact.Extension), nil
}

func (a *app) writeArtifact(path string, data []byte, makeDir bool) error {
	if makeDir {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("writing the artifact: %w", err)
		}
	}
	return artifact.WriteFile(path, data)
}

func (a *app) checkArtifact(path string, data []byte) error {
	old, err := readArtifact(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &exitError{exitFindings, fmt.Errorf("%s is missing; run kitsoki compile", path)}
	case err != nil:
		return fmt.Errorf("checking the artifact: %w", err)
	case !bytes.Equal(old, data):
		return &exitError{exitFindings, fmt.Errorf("%s differs from its story; run kitsoki compile", path)}
	}
	return nil
}

// readArtifact reads what a compile has written; anything else at that place
// is named.
func readArtifact(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case st.Size() > artifact.MaxSize:
		return nil, fmt.Errorf("%s has %d bytes, more than an artifact can", path, st.Size())
	}
	return os.ReadFile(path)
}
