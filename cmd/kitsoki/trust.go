package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/config"
	"kitsoki/runtime/intercept"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/trust"
)

type trustFlags struct {
	yes, diff    bool
	hash, format string
}

func (a *app) trustVerb() *cobra.Command {
	var f trustFlags
	c := &cobra.Command{
		Use:   "trust [DIRECTORY]",
		Short: "Show every command that a repository's binding can run, and accept it",
		Long: `Show what the binding of the repository here, or at a directory, could run:
the commands with their effects, the phrases, the files it is made of, and
their hash. Nothing is accepted but by --yes with that hash. Any byte that
changes makes the binding inert again; --diff shows what changed.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.trust(c.Context(), f, args) },
	}
	c.Flags().BoolVar(&f.yes, "yes", false, "accept what has the hash that --hash names")
	c.Flags().StringVar(&f.hash, "hash", "", "with --yes: the hash that was shown")
	c.Flags().BoolVar(&f.diff, "diff", false, "show what changed since it was accepted last")
	formatFlag(c, &f.format, "text", "json")
	c.AddCommand(a.trustList(), a.trustShow(), a.trustRevoke(), a.trustPrune(), a.trustDeny())
	return c
}

// look opens a repository's binding with all it is made of, whatever was said
// of it.
func (a *app) look(ctx context.Context, args []string) (*bound, error) {
	dir, err := a.dirOf(args)
	if err != nil {
		return nil, err
	}
	conf, _ := a.configAt(ctx, dir)
	b := &bound{conf: conf, dir: dir}
	switch {
	case conf.Broken != "":
		return nil, fmt.Errorf("the configuration has errors: %s", conf.Broken)
	case !conf.Claims() && !conf.NeedsTrust():
		return nil, errors.New("there is nothing to trust: no file of a repository binds a story, or has a memory or guard block, here; your own configuration needs no trust")
	}
	store, err := a.trustStore()
	if err != nil {
		return nil, err
	}
	b.trust = &standing{store: store}
	if b.trust.said, err = store.Load(conf.Repo); err != nil {
		return nil, err
	}
	if err := a.closure(b, b.trust, configOf(conf)); err != nil {
		return nil, fmt.Errorf("this cannot be trusted: %w", err)
	}
	if !conf.Claims() {
		return b, nil
	}
	return b, a.openGate(b, bindFlags{}, nil)
}

// dirOf is the directory that an argument names, or the working directory.
func (a *app) dirOf(args []string) (string, error) {
	if len(args) == 0 {
		return a.dir()
	}
	return a.abs(args[0])
}

func (a *app) trust(ctx context.Context, f trustFlags, args []string) error {
	b, err := a.look(ctx, args)
	if err != nil {
		return err
	}
	defer b.close()
	switch {
	case f.diff:
		return a.trustDiff(b)
	case f.yes:
		return a.accept(b, f.hash, args)
	case f.format == "json":
		return a.printJSON(trustDocument(b))
	}
	a.showTrust(b, args)
	return nil
}

// accept keeps a closure as trusted. Its hash must be named: what is accepted
// is then what was shown, and not what has come to stand there since.
func (a *app) accept(b *bound, hash string, args []string) error {
	have := b.trust.closure.Hash()
	switch hash {
	case "":
		return fmt.Errorf("--yes needs the hash of what you looked at; it is now\n  %s", acceptLine(b, args))
	case have:
	default:
		return fmt.Errorf("the hash is not %s but %s: look again, with kitsoki trust", hash, have)
	}
	if err := b.trust.store.Accept(b.conf.Repo, b.trust.closure, a.now()); err != nil {
		return err
	}
	a.printf("Trusted: %s, %s\n", b.conf.Repo.Top(), have)
	return nil
}

func acceptLine(b *bound, args []string) string {
	line := "kitsoki trust --yes --hash " + b.trust.closure.Hash()
	for _, arg := range args {
		line += fmt.Sprintf(" %q", arg)
	}
	return line
}

func (a *app) trustDiff(b *bound) error {
	last, ok := b.trust.said.Last(b.trust.closure.Config)
	if !ok {
		return errors.New("nothing was accepted here yet; see it all: kitsoki trust")
	}
	diff := b.trust.store.Diff(last, b.trust.closure)
	if diff == "" {
		a.printf("Nothing has changed since %s.\n", last.At.Format(time.RFC3339))
		return nil
	}
	a.printf("%s\nTo accept it as it is now:\n  %s\n", printable(diff), acceptLine(b, nil))
	return exit(exitFindings)
}

// printable shows what a terminal would obey instead of showing it.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// trusted is what `kitsoki trust --format json` prints.
type trusted struct {
	Repository string              `json:"repository"`
	Config     string              `json:"config"`
	App        string              `json:"app"`
	Room       string              `json:"room"`
	Hash       string              `json:"hash"`
	State      string              `json:"state"`
	Files      []trust.File        `json:"files"`
	Commands   []intercept.Command `json:"commands"`
	Memory     []string            `json:"memory,omitempty"` // what the memory block leads to
	Guard      []string            `json:"guard,omitempty"`  // what the guard block leads to
}

func trustDocument(b *bound) trusted {
	d := trusted{
		Repository: b.conf.Repo.Top(), Config: b.trust.closure.Config, Hash: b.trust.closure.Hash(), State: b.trust.state(),
		Files: b.trust.closure.Files, Commands: []intercept.Command{}, Memory: memoryClaims(b.conf), Guard: guardClaims(b.conf),
	}
	if b.gate != nil {
		d.App, d.Room, d.Commands = b.conf.App.V.String(), b.gate.Room, b.gate.Commands()
	}
	return d
}

// memoryClaims says what a repository's memory block leads to.
func memoryClaims(c config.Resolved) (out []string) {
	m := c.Memory
	if m.Owner != config.LayerRepository {
		return nil
	}
	if m.Recall.V {
		out = append(out, fmt.Sprintf("the model is given at most %d sections of %s, and of earlier turns, with a prompt they fit", m.MaxItems.V, strings.Join(m.Sources.V, ", ")))
	}
	if m.Capture.V {
		out = append(out, "prompts and answers are kept on this machine, secrets masked")
	}
	return out
}

// guardClaims says what a repository's guard block leads to.
func guardClaims(c config.Resolved) (out []string) {
	g := c.Guard
	if g.Owner != config.LayerRepository {
		return nil
	}
	out = append(out, fmt.Sprintf("must_reply: %s", g.MustReply.V), fmt.Sprintf("kb_first: %s", g.KBFirst.V))
	for _, o := range g.Overrides {
		out = append(out, o.String())
	}
	return out
}

// state says in one word what was said of the closure.
func (s *standing) state() string {
	_, before := s.said.Last(s.closure.Config)
	switch {
	case s.said.Denied:
		return "denied"
	case s.said.Has(s.closure):
		return "trusted"
	case before:
		return "changed"
	}
	return "new"
}

// maxShown is how many phrases of a command are listed.
const maxShown = 4

func (a *app) showTrust(b *bound, args []string) {
	d := trustDocument(b)
	var t strings.Builder
	if b.gate != nil {
		fmt.Fprintf(&t, "%s binds %s, room %s.\nIn %s a prompt can then run:\n", d.Config, d.App, d.Room, d.Repository)
	}
	for _, c := range d.Commands {
		describe(&t, b, c)
	}
	for _, block := range []struct {
		name string
		does []string
	}{{"memory", d.Memory}, {"guard", d.Guard}} {
		if len(block.does) > 0 {
			fmt.Fprintf(&t, "\n%s switches on its %s:\n  %s\n", d.Config, block.name, strings.Join(block.does, "\n  "))
		}
	}
	t.WriteString("\nIt is made of\n")
	for _, f := range d.Files {
		fmt.Fprintf(&t, "  %s  %s\n", f.Sum[:12], f.Name)
	}
	a.printf("%s\n%s\n", printable(t.String()), d.Hash)
	switch d.State {
	case "trusted":
		a.printf("You trust exactly this. To take it back: kitsoki trust revoke\n")
	case "changed":
		a.printf("You trusted something else; see the difference: kitsoki trust --diff\nTo accept this:\n  %s\n", acceptLine(b, args))
	default:
		a.printf("It is not trusted, and runs nothing. To accept exactly this:\n  %s\n", acceptLine(b, args))
	}
}

// describe lists one command: how it is said, and all that it can run.
func describe(t *strings.Builder, b *bound, c intercept.Command) {
	fmt.Fprintf(t, "\n  %s (%s)", c.Intent, c.Effect)
	if b.gate.Beyond(c.Intent) {
		t.WriteString(", beyond your policy.max_effect: it never runs")
	}
	t.WriteString("\n    said as:")
	for i, p := range c.Phrases {
		if i == maxShown {
			fmt.Fprintf(t, " and %d more", len(c.Phrases)-i)
			break
		}
		fmt.Fprintf(t, " %q", p)
	}
	t.WriteString("\n")
	for _, call := range c.Calls {
		fmt.Fprintf(t, "    %-11s %s\n", call.Effect, strings.ReplaceAll(strings.TrimRight(call.Text, "\n"), "\n", "\n                "))
	}
	if len(c.Calls) == 0 {
		t.WriteString("    runs no command\n")
	}
}

func (a *app) trustList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the repositories that something was said of", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store, err := a.trustStore()
			if err != nil {
				return err
			}
			list, err := store.List()
			for _, r := range list {
				a.printf("%s\n", printable(saidOf(r)))
			}
			return err
		},
	}
}

func saidOf(r trust.Repository) string {
	switch n := len(r.Grants); {
	case r.Denied:
		return "denied   " + r.Path
	case n > 0:
		return fmt.Sprintf("trusted  %s  (%d accepted, the last %s)", r.Path, n, r.Grants[n-1].At.Format(time.RFC3339))
	}
	return "nothing  " + r.Path
}

func (a *app) trustShow() *cobra.Command {
	return &cobra.Command{
		Use: "show [DIRECTORY]", Short: "Show what was accepted of a repository", Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.ofRepository(args, func(s trust.Store, repo journal.Repo) error {
				r, err := s.Load(repo)
				if err != nil {
					return err
				}
				if r.Denied {
					a.printf("denied\n")
				}
				for _, g := range r.Grants {
					a.printf("%s  %s  %s\n", g.At.Format(time.RFC3339), g.Hash, printable(g.Config))
					for _, f := range g.Files {
						a.printf("  %s  %s\n", f.Sum[:12], printable(f.Name))
					}
				}
				return nil
			})
		},
	}
}

// ofRepository runs a verb on the repository of a directory.
func (a *app) ofRepository(args []string, do func(trust.Store, journal.Repo) error) error {
	dir, err := a.dirOf(args)
	if err != nil {
		return err
	}
	store, err := a.trustStore()
	if err != nil {
		return err
	}
	return do(store, journal.Locate(dir))
}

func (a *app) trustRevoke() *cobra.Command {
	return &cobra.Command{
		Use: "revoke [DIRECTORY]", Short: "Forget what was said of a repository: it is inert again", Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.ofRepository(args, func(s trust.Store, repo journal.Repo) error {
				had, err := s.Revoke(repo)
				switch {
				case err != nil:
					return err
				case had:
					a.printf("Forgotten: %s is inert.\n", repo.Top())
				default:
					a.printf("Nothing was said of %s.\n", repo.Top())
				}
				return nil
			})
		},
	}
}

func (a *app) trustDeny() *cobra.Command {
	return &cobra.Command{
		Use: "deny [DIRECTORY]", Short: "Keep a repository inert, whatever else says that it is trusted", Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.ofRepository(args, func(s trust.Store, repo journal.Repo) error {
				if err := s.Deny(repo); err != nil {
					return err
				}
				a.printf("Denied: %s stays inert.\n", repo.Top())
				return nil
			})
		},
	}
}

func (a *app) trustPrune() *cobra.Command {
	return &cobra.Command{
		Use: "prune", Short: "Forget repositories that are no longer there", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store, err := a.trustStore()
			if err != nil {
				return err
			}
			gone, err := store.Prune()
			for _, path := range gone {
				a.printf("forgotten  %s\n", printable(path))
			}
			return err
		},
	}
}
