package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kitsoki/runtime/agent"
	"kitsoki/runtime/binding"
	"kitsoki/runtime/config"
	"kitsoki/runtime/hook"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/memory"
	"kitsoki/runtime/memory/client"
	"kitsoki/runtime/memory/index"
	"kitsoki/runtime/memory/recall"
	"kitsoki/runtime/memory/turns"
	"kitsoki/runtime/memory/wire"
	"kitsoki/runtime/transcript"
)

func (a *app) memoryVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "memory",
		Short: "Index and search this repository's notes, and the turns that were kept",
		Long: `What a prompt that passes is given from the repository's own Markdown and from
earlier turns, and what is kept of each turn. It is off until a configuration
file has a memory block. All of it stays on this machine.`,
		Example: "  kitsoki memory index\n  kitsoki memory search \"how long is a command tried\"\n  kitsoki memory forget --text \"project x\" --dry-run",
		RunE:    helpOnly,
	}
	c.AddCommand(a.memoryIndex(), a.memorySearch(), a.memoryList(), a.memoryShow(), a.memoryForget(), a.memoryExport(), a.memoryStatus())
	return c
}

// remembering is the memory of the repository at a directory.
func (a *app) remembering(conf config.Resolved) (memory.Memory, error) {
	state, err := journal.StateDir(a.env)
	if err != nil {
		return memory.Memory{}, err
	}
	cache, err := binding.CacheDir(a.env)
	if err != nil {
		return memory.Memory{}, err
	}
	m := conf.Memory
	remote := memory.RemoteOf(a.serviceSettings(conf, state), a.now)
	return memory.Memory{
		Remote: remote,
		Repo:   conf.Repo, Store: memory.StoreOf(state, conf.Repo), IndexDir: memory.IndexOf(cache, conf.Repo), Now: a.now,
		Recalls: conf.Recalls(), Captures: conf.Captures(),
		Config: recall.Config{Floor: m.Floor.V, MaxItems: m.MaxItems.V, MaxChars: m.MaxChars.V},
	}, nil
}

// serviceSettings are what environment and the person's own file say of a
// service.
func (a *app) serviceSettings(conf config.Resolved, state string) client.Settings {
	file := client.File{URL: conf.Memory.URL.V, Token: wire.NewSecret(conf.Memory.Token.V)}
	return client.Read(a.env, file, filepath.Join(state, "memory"))
}

// agentNameOf is how a service knows a coding agent.
func agentNameOf(name string) string {
	if name == "claude" {
		return "claude-code"
	}
	return name
}

// memoryHere is the memory of the working directory, whether or not it is on,
// and the configuration that says so.
func (a *app) memoryHere(ctx context.Context) (memory.Memory, config.Resolved, error) {
	conf, _, err := a.resolve(ctx)
	if err != nil {
		return memory.Memory{}, conf, err
	}
	b := &bound{conf: conf}
	a.settle(b)
	defer b.close()
	m, err := a.remembering(b.conf)
	return m, b.conf, err
}

// addMemory lets the hook recall and capture, where that is on.
func (a *app) addMemory(out *hook.Binding, conf config.Resolved, agentName string) {
	if !conf.Recalls() && !conf.Captures() {
		return
	}
	m, err := a.remembering(conf)
	if err != nil {
		return
	}
	m.Agent = agentNameOf(agentName)
	out.Recall = func(ctx context.Context, e agent.Event, wait func(time.Duration)) string {
		wait(m.Patience())
		return m.Prompt(ctx, e)
	}
	if conf.Captures() {
		out.AtStop = func(ctx context.Context, e agent.Event, wait func(time.Duration)) []byte {
			if m.Remote != nil {
				wait(m.Remote.Patience())
			}
			t, _ := transcript.TurnOf(e.TranscriptPath, e.PromptID) // without it, no tools are known
			m.Stop(ctx, e, t)
			return nil
		}
	}
}

// sources are the globs of what is indexed: the configuration's, else those
// that a memory block without any has.
func sources(conf config.Resolved) []string {
	if conf.Memory.Sources.Set() {
		return conf.Memory.Sources.V
	}
	return config.DefaultSources()
}

func (a *app) memoryIndex() *cobra.Command {
	var fresh bool
	var format string
	c := &cobra.Command{
		Use: "index", Short: "Index the repository's Markdown and the kept turns; what has not changed is taken over", Args: cobra.NoArgs,
		Example: "  kitsoki memory index\n  kitsoki memory index --fresh --format json",
		RunE: func(c *cobra.Command, _ []string) error {
			m, conf, err := a.memoryHere(c.Context())
			if err != nil {
				return err
			}
			return a.buildIndex(c.Context(), m, conf, fresh, format)
		},
	}
	c.Flags().BoolVar(&fresh, "fresh", false, "take nothing over from the index that there is")
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) buildIndex(ctx context.Context, m memory.Memory, conf config.Resolved, fresh bool, format string) error {
	p := a.progress()
	r, err := index.Build(ctx, index.Options{
		Root: conf.Repo.Top(), Dir: m.IndexDir, Sources: sources(conf), Turns: m.Turns(), Env: a.environ, Now: a.now, Fresh: fresh,
	}, func(at index.Progress) { p.show(at.Done, at.Total, at.Path) })
	p.end()
	switch {
	case errors.Is(err, index.ErrBusy):
		return &exitError{exitFindings, fmt.Errorf("%w; wait for it, then run the same again", err)}
	case err != nil:
		return &exitError{exitFindings, fmt.Errorf("indexing: %w", err)}
	case format == "json":
		return a.printJSON(indexed{r.Files, r.Reused, r.Sections, r.Turns, r.Unchanged, append([]index.Skipped{}, r.Skipped...)})
	}
	for _, s := range r.Skipped {
		a.printf("left out: %s: %s\n", plainLine(s.Path), plainLine(s.Reason))
	}
	a.printf("Indexed %d files, %d of them as before: %d sections, %d turns.\n", r.Files, r.Reused, r.Sections, r.Turns)
	if !conf.Recalls() {
		a.printf("Recall is off here: %s.\n", memoryOff(conf))
	}
	return nil
}

// indexed is what `memory index --format json` prints.
type indexed struct {
	Files     int             `json:"files"`
	Reused    int             `json:"reused"`
	Sections  int             `json:"sections"`
	Turns     int             `json:"turns"`
	Unchanged bool            `json:"unchanged"`
	Skipped   []index.Skipped `json:"skipped"`
}

// memoryOff says why nothing is recalled or kept here.
func memoryOff(c config.Resolved) string {
	switch {
	case c.Off:
		return "KITSOKI=off"
	case c.Switched:
		return "kitsoki is switched off; kitsoki on switches it on again"
	case c.Broken != "":
		return c.Broken
	case c.Memory.Owner == "":
		return `no configuration file has a memory block; in .kitsoki.yaml write "memory: {}"`
	case c.Memory.Owner == config.LayerRepository && !c.Trusted:
		return "the memory block is the repository's, and not trusted; see what it does: kitsoki trust"
	}
	return "the configuration switches it off; see kitsoki config show"
}

func (a *app) memorySearch() *cobra.Command {
	var limit int
	var floor float64
	var format string
	c := &cobra.Command{
		Use: "search QUERY", Short: "Search the notes and turns, as recall does, with the relevance of each", Args: cobra.MinimumNArgs(1),
		Example: "  kitsoki memory search how is a drive given up\n  kitsoki memory search --floor 0 \"exit codes\"",
		RunE: func(c *cobra.Command, args []string) error {
			m, conf, err := a.memoryHere(c.Context())
			if err != nil {
				return err
			}
			if !c.Flags().Changed("floor") {
				floor = recall.DefaultFloor
				if conf.Memory.Floor.Set() {
					floor = conf.Memory.Floor.V
				}
			}
			hits, err := a.search(c.Context(), m, strings.Join(args, " "), floor, limit)
			if err != nil {
				return &exitError{exitFindings, fmt.Errorf("%w; kitsoki memory index builds it", err)}
			}
			return a.printHits(hits, format)
		},
	}
	c.Flags().IntVarP(&limit, "limit", "n", 5, "how many; 0 for all")
	c.Flags().Float64Var(&floor, "floor", 0, "the least relevance, 0 to 1 (default: the configuration's, else 0.55)")
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) search(ctx context.Context, m memory.Memory, query string, floor float64, limit int) ([]index.Hit, error) {
	s, err := index.Open(ctx, m.IndexDir)
	if err != nil {
		return nil, err
	}
	gone, err := m.Store.Gone()
	if err != nil {
		return nil, err
	}
	return s.Search(ctx, index.Query{
		Prompt: query, Floor: floor, TurnFloor: floor, Limit: limit, Tail: m.Turns(), Gone: func(id string) bool { return gone[id] },
	})
}

// hit is a found record as JSON has it.
type hit struct {
	Kind      index.Kind `json:"kind"`
	Title     string     `json:"title"`
	Source    string     `json:"source"`
	Relevance float64    `json:"relevance"`
	Body      string     `json:"body"`
}

func (a *app) printHits(list []index.Hit, format string) error {
	if format == "json" {
		out := []hit{}
		for _, h := range list {
			out = append(out, hit{h.Kind, h.Title, h.Source, h.Relevance, h.Body})
		}
		return a.printJSON(map[string]any{"hits": out})
	}
	if len(list) == 0 {
		a.printf("Nothing is relevant enough; --floor 0 shows what there is.\n")
	}
	for _, h := range list {
		a.printf("%.2f  %s  %s\n", h.Relevance, plainLine(h.Source), plainLine(h.Title))
		for line := range strings.SplitSeq(strings.TrimSpace(h.Body), "\n") {
			a.printf("      %s\n", plainLine(line))
		}
	}
	return nil
}

// memoryState is what `memory status --format json` prints.
type memoryState struct {
	Recall  bool          `json:"recall"`
	Capture bool          `json:"capture"`
	Why     string        `json:"why,omitempty"` // it is off
	Index   indexState    `json:"index"`
	Turns   turns.Status  `json:"turns"`
	Service *serviceState `json:"service,omitempty"`
}

// serviceState is what is known of a memory service: what it fails with, and
// settings that were ignored.
type serviceState struct {
	client.Status
	Ignored []string `json:"ignored,omitempty"`
}

type indexState struct {
	State    string    `json:"state"` // ok, or what is wrong with it
	Detail   string    `json:"detail,omitempty"`
	Built    time.Time `json:"built,omitzero"`
	Sections int       `json:"sections"`
	Turns    int       `json:"turns"`
}

func (a *app) memoryStatus() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "status", Short: "Tell whether memory is on here, and the state of the index and the turns", Args: cobra.NoArgs,
		Example: "  kitsoki memory status\n  kitsoki memory status --format json",
		RunE: func(c *cobra.Command, _ []string) error {
			m, conf, err := a.memoryHere(c.Context())
			if err != nil {
				return err
			}
			s := memoryState{Recall: m.Recalls, Capture: m.Captures, Index: stateOfIndex(c.Context(), m)}
			if !m.Recalls && !m.Captures {
				s.Why = memoryOff(conf)
			}
			if s.Turns, err = m.Store.Status(c.Context()); err != nil {
				return &exitError{exitFindings, err}
			}
			if s.Service, err = stateOfService(m.Remote); err != nil {
				return &exitError{exitFindings, err}
			}
			if format == "json" {
				return a.printJSON(s)
			}
			a.showMemory(s)
			return nil
		},
	}
	formatFlag(c, &format, "text", "json")
	return c
}

func stateOfIndex(ctx context.Context, m memory.Memory) indexState {
	s, err := index.Open(ctx, m.IndexDir)
	var known *index.Error
	switch {
	case errors.As(err, &known):
		return indexState{State: string(known.State), Detail: known.Cause}
	case err != nil:
		return indexState{State: string(index.StateCorrupt), Detail: err.Error()}
	}
	info := s.Info()
	out := indexState{State: "ok", Built: info.Built, Sections: info.Sections, Turns: info.Turns}
	changed, err := s.Stale(ctx, m.Repo.Top())
	if err == nil && len(changed) > 0 {
		out.State, out.Detail = string(index.StateStale), fmt.Sprintf("%d files have changed, the first is %s", len(changed), changed[0].Path)
	}
	return out
}

func stateOfService(r *memory.Remote) (*serviceState, error) {
	if r == nil {
		return nil, nil
	}
	st, err := r.Health.Status()
	return &serviceState{st, r.Settings.Notes}, err
}

func (a *app) showService(s serviceState) {
	a.printf("service  %s", plainLine(s.Address))
	if len(s.Faults) == 0 {
		a.printf(", no fault is known\n")
	}
	for i, f := range s.Faults {
		if i == 0 {
			a.printf("\n")
		}
		a.printf("         %s: %s, %d times since %s: %s\n", f.Exchange, f.Cause, f.Times, f.First.Local().Format(time.RFC3339), plainLine(f.Detail))
	}
	for _, line := range s.Ignored {
		a.printf("         ignored: %s\n", plainLine(line))
	}
}

func (a *app) showMemory(s memoryState) {
	on := map[bool]string{true: "on", false: "off"}
	a.printf("recall   %s\ncapture  %s\n", on[s.Recall], on[s.Capture])
	if s.Why != "" {
		a.printf("         %s\n", plain(s.Why))
	}
	a.printf("index    %s", s.Index.State)
	if s.Index.Detail != "" {
		a.printf(": %s; kitsoki memory index builds it", plainLine(s.Index.Detail))
	}
	if !s.Index.Built.IsZero() {
		a.printf(", %d sections and %d turns of %s", s.Index.Sections, s.Index.Turns, s.Index.Built.Format(time.RFC3339))
	}
	a.printf("\n")
	if s.Service != nil {
		a.showService(*s.Service)
	}
	a.printf("turns    %d kept, %d open, %d sessions, %d KiB\n", s.Turns.Turns, s.Turns.Open, s.Turns.Sessions, (s.Turns.Bytes+1023)/1024)
}

// bar shows how far something is, on a terminal's last line.
type bar struct {
	a    *app
	on   bool
	last time.Time
}

// progress is shown only where a person looks: standard error is a terminal.
func (a *app) progress() *bar {
	f, ok := a.err.(*os.File)
	if !ok {
		return &bar{a: a}
	}
	st, err := f.Stat()
	return &bar{a: a, on: err == nil && st.Mode()&os.ModeCharDevice != 0 && a.env("TERM") != "dumb"}
}

func (b *bar) show(done, total int, what string) {
	now := b.a.now()
	if !b.on || done < total && now.Sub(b.last) < 100*time.Millisecond {
		return
	}
	b.last = now
	fmt.Fprintf(b.a.err, "\r\x1b[K%d of %d  %s", done, total, plainLine(what))
}

func (b *bar) end() {
	if b.on && !b.last.IsZero() {
		fmt.Fprint(b.a.err, "\r\x1b[K")
	}
}
