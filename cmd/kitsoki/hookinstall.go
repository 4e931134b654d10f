package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/setup"
)

// installFlags say which settings file is meant.
type installFlags struct {
	agent, scope, settings string
	write, all, memory     bool
}

func (f *installFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.agent, "agent", "", "the coding agent: "+strings.Join(editedAgents(), ", "))
	c.Flags().StringVar(&f.scope, "scope", string(setup.User), "whose settings: user, or project for this repository's")
	c.Flags().StringVar(&f.settings, "settings", "", "the settings file (default: the agent's own for the scope)")
	c.Flags().BoolVar(&f.write, "write", false, "change the file; without it the change is only shown")
}

func (a *app) hookInstall() *cobra.Command {
	var f installFlags
	c := &cobra.Command{
		Use:   "install --agent NAME",
		Short: "Show, or with --write make, the change of an agent's settings that starts kitsoki",
		Long: `Show the change of a coding agent's settings file after which it starts kitsoki
for every prompt, as a unified diff; with --write, make it. One entry is put
in, with --memory a second one for the end of a turn; every other byte stays. The file as it was is kept, and hook uninstall
gives its bytes back.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.install(f) },
	}
	f.register(c)
	c.Flags().BoolVar(&f.memory, "memory", false, "start it at the end of every turn as well, for memory and the stop guard")
	return c
}

func (a *app) hookUninstall() *cobra.Command {
	var f installFlags
	c := &cobra.Command{
		Use:   "uninstall --agent NAME",
		Short: "Show, or with --write make, the change that takes kitsoki out of an agent's settings",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.uninstall(f) },
	}
	f.register(c)
	c.Flags().BoolVar(&f.memory, "memory", false, "take out only the entry for the end of a turn")
	c.Flags().BoolVar(&f.all, "all", false, "take out every entry of kitsoki, also those that it has not written")
	return c
}

func editedAgents() []string {
	var out []string
	for _, r := range setup.Rows() {
		out = append(out, r.Name)
	}
	return out
}

func knownAgents() []string {
	out := editedAgents()
	for _, s := range setup.Snippets() {
		out = append(out, s.Name)
	}
	for _, r := range agent.Refusals() {
		out = append(out, r.Name)
	}
	slices.Sort(out)
	return out
}

func (a *app) install(f installFlags) error {
	row, ok, err := a.editable(f.agent)
	if err != nil || !ok {
		return err
	}
	stop, has := row.AtStop()
	if f.memory && !has {
		return fmt.Errorf("--memory: %s has no event for the end of a turn that is known here; recall goes with the entry for prompts, so leave --memory out", row.Title)
	}
	program, err := a.program(row)
	if err != nil {
		return err
	}
	edit, store, err := a.edit(f, func(s setup.Settings, store setup.Store) (setup.Edit, error) {
		e, err := setup.Install(s, row, program, store.Recall(s.Path, row))
		if err != nil || !f.memory {
			return e, err
		}
		return e.Then(func(s setup.Settings) (setup.Edit, error) {
			return setup.Install(s, stop, program, store.Recall(s.Path, stop))
		})
	})
	if err != nil {
		return err
	}
	if !edit.Changes() {
		a.printf("%s starts kitsoki already: %s is as it should be\n", row.Title, edit.Settings.Path)
		return nil
	}
	if err := a.apply(f, edit, store); err != nil || !f.write {
		return err
	}
	a.printf("%s starts kitsoki %s from its next session on. kitsoki doctor tries it.\n", row.Title, f.when())
	if row.Next != "" {
		a.printf("%s\n", row.Next)
	}
	return nil
}

func (f installFlags) when() string {
	if f.memory {
		return "for every prompt and at the end of every turn"
	}
	return "for every prompt"
}

// uninstall takes our entries out, the one that came last first, so that each
// finds the bytes that it was put between.
func (a *app) uninstall(f installFlags) error {
	row, ok, err := a.editable(f.agent)
	if err != nil || !ok {
		return err
	}
	edit, store, err := a.edit(f, func(s setup.Settings, store setup.Store) (setup.Edit, error) {
		take := func(row setup.Row) func(s setup.Settings) (setup.Edit, error) {
			return func(s setup.Settings) (setup.Edit, error) {
				return setup.Uninstall(s, row, store.Recall(s.Path, row), f.all)
			}
		}
		stop, has := row.AtStop()
		switch {
		case !has:
			return take(row)(s)
		case f.memory:
			return take(stop)(s)
		}
		e, err := take(stop)(s)
		if err != nil {
			return e, err
		}
		return e.Then(take(row))
	})
	if err != nil {
		return err
	}
	if !edit.Changes() {
		a.printf("%s has no entry of kitsoki\n", edit.Settings.Path)
		return nil
	}
	return a.apply(f, edit, store)
}

// editable finds the row of an agent whose settings can be edited. For one
// that is refused, or whose settings a person edits, ok is false and the
// person has been told so.
func (a *app) editable(name string) (row setup.Row, ok bool, err error) {
	if r, refused := agent.Refuse(name); refused {
		a.printf("%s: %s. Nothing was written.\nInstead, in your shell: %s\n", r.Title, r.Reason, agent.Fallback)
		return row, false, nil
	}
	if s, pasted := setup.LookupSnippet(name); pasted {
		return row, false, a.paste(s)
	}
	if row, ok = setup.Lookup(name); !ok {
		return row, false, fmt.Errorf("--agent %q: there is no such agent; there are: %s", name, strings.Join(knownAgents(), ", "))
	}
	return row, true, nil
}

func (a *app) paste(s setup.Snippet) error {
	exe, err := a.exe()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	program := setup.Program{Path: exe, Args: []string{"hook", "run", "--agent", s.Name}}
	a.printf("%s: its settings have a form that is not edited here. Nothing was written.\nPut this into %s:\n\n%s", s.Title, s.File, s.For(program))
	return nil
}

// program is what an entry starts: the small hook program when it lies beside
// this one, else this one.
func (a *app) program(row setup.Row) (setup.Program, error) {
	exe, err := a.exe()
	if err != nil {
		return setup.Program{}, fmt.Errorf("finding this program: %w", err)
	}
	small := filepath.Join(filepath.Dir(exe), "kitsoki-hook")
	if runtime.GOOS == "windows" {
		small += ".exe"
	}
	if st, err := os.Stat(small); err == nil && st.Mode().IsRegular() && (st.Mode()&0o100 != 0 || runtime.GOOS == "windows") {
		return setup.Program{Path: small, Args: []string{row.Name}}, nil
	}
	return setup.Program{Path: exe, Args: []string{"hook", "run", "--agent", row.Name}}, nil
}

// edit reads the settings file that the flags name and makes an edit of it.
func (a *app) edit(f installFlags, make func(setup.Settings, setup.Store) (setup.Edit, error)) (setup.Edit, setup.Store, error) {
	row, _ := setup.Lookup(f.agent)
	file, err := a.settingsFile(f, row)
	if err != nil {
		return setup.Edit{}, setup.Store{}, err
	}
	store, err := a.setupStore()
	if err != nil {
		return setup.Edit{}, store, err
	}
	s, err := setup.Read(file)
	if err != nil {
		return setup.Edit{}, store, found(err)
	}
	e, err := make(s, store)
	return e, store, found(err)
}

// found gives a file that is refused the status of findings.
func found(err error) error {
	var p *setup.Problem
	if errors.As(err, &p) {
		return &exitError{exitFindings, err}
	}
	return err
}

func (a *app) setupStore() (setup.Store, error) {
	state, err := journal.StateDir(a.env)
	if err != nil {
		return setup.Store{}, fmt.Errorf("finding where to record what is written: %w", err)
	}
	return setup.Store{Dir: filepath.Join(state, "setup")}, nil
}

func (a *app) settingsFile(f installFlags, row setup.Row) (string, error) {
	if f.settings != "" {
		return a.abs(f.settings)
	}
	scope := setup.Scope(f.scope)
	if scope != setup.User && scope != setup.Project {
		return "", fmt.Errorf("--scope %s: expected user or project", f.scope)
	}
	dir, err := a.dir()
	if err != nil {
		return "", err
	}
	file := row.File(scope, a.env, journal.Locate(dir).Top())
	if file == "" {
		return "", fmt.Errorf("--scope %s: %s has no settings file there; name one with --settings, or take the other scope", scope, row.Title)
	}
	return file, nil
}

// apply shows an edit, or makes it.
func (a *app) apply(f installFlags, e setup.Edit, store setup.Store) error {
	if !f.write {
		a.printf("%s", e.Diff())
		fmt.Fprintln(a.err, "Nothing was written; --write makes this change.")
		return nil
	}
	backup, err := store.Apply(e)
	if err != nil {
		return found(err)
	}
	if e.Remove {
		a.printf("Removed %s\n", e.Settings.Path)
	} else {
		a.printf("Wrote %s\n", e.Settings.Path)
	}
	if backup != "" {
		a.printf("The file as it was: %s\n", backup)
	}
	return nil
}
