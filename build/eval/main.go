// Command eval measures the shipped stories: their own routing tests, the
// frames and the real prompts of a corpus, and the language packs' tests. It
// prints each goal with what was seen and exits 1 when one is missed.
//
// A corpus is a directory with real-prompts.jsonl, commands.tsv, frames.tsv.
// Where there is none, that part says "not run", which is no pass.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kitsoki/compiler"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/source"
	"kitsoki/compiler/storytest"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/stories"
)

func main() {
	corpus := flag.String("corpus", "../shared/corpus", "the corpus's directory")
	require := flag.Bool("require-corpus", false, "fail when the corpus is absent")
	file := flag.String("file", "", "hold the prompts of this file, one a line, against every story")
	flag.Parse()
	e := &eval{out: os.Stdout}
	if err := e.run(*corpus, *require, *file); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
	if e.missed > 0 {
		fmt.Fprintf(os.Stderr, "eval: %d goals missed\n", e.missed)
		os.Exit(1)
	}
}

type eval struct {
	out    io.Writer
	missed int
}

// subject is one story's room, open.
type subject struct {
	story string
	fsys  fs.FS
	file  *artifact.File
	room  artifact.Room
	names []string
	asks  []string // those of names that ask first: they take exact phrases only
	mem   match.Scratch
}

func (e *eval) run(corpus string, require bool, file string) error {
	for _, name := range stories.Names() {
		s, err := open(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "story %s, room %s: %s\n", s.story, s.room.Path, strings.Join(s.names, ", "))
		if file != "" {
			if err := e.list(s, file); err != nil {
				return err
			}
			continue
		}
		if err := errors.Join(e.phrases(s), e.packs(s), e.corpus(s, corpus, require)); err != nil {
			return err
		}
	}
	return nil
}

// open compiles a shipped story and opens its root room from the bytes.
func open(name string) (*subject, error) {
	fsys, ok := stories.Open(name)
	if !ok {
		return nil, fmt.Errorf("there is no story %s", name)
	}
	out, ds := compiler.Compile(fsys, "app.yaml", compiler.Options{Tool: "eval", Library: source.Library{Open: stories.Open, Names: stories.Names}})
	if ds.HasErrors() {
		return nil, fmt.Errorf("%s does not compile: %s", name, ds[0].Message)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		return nil, err
	}
	f, err := artifact.Decode(name, data)
	if err != nil {
		return nil, err
	}
	room, _ := f.Room(out.Program.Root)
	s := &subject{story: name, fsys: fsys, file: f, room: room}
	for _, i := range room.Intents {
		in := f.Intent(i)
		s.names = append(s.names, bare(in.Name))
		if in.Confirm {
			s.asks = append(s.asks, bare(in.Name))
		}
	}
	return s, nil
}

// decide gives the intent a prompt is taken for, "" when it passes.
func (s *subject) decide(prompt string) (string, match.Decision) {
	r := match.Classify(s.file, match.Query{Prompt: prompt, Automaton: s.room.Automaton, Intents: s.room.Intents}, &s.mem)
	d := match.Decide(r, match.Policy{}, match.Facts{})
	if !d.Intercept {
		return "", d
	}
	return bare(d.Hit.Intent), d
}

// bare is an intent's name without the aliases of imports: labels have none.
func bare(intent string) string {
	parts := strings.Split(intent, artifact.AliasMark)
	return parts[len(parts)-1]
}

// goal prints one line and counts a miss.
func (e *eval) goal(what string, wrong, of int, want int) {
	mark := "ok  "
	if wrong > want {
		mark = "MISS"
		e.missed++
	}
	fmt.Fprintf(e.out, "  %s %-58s %d of %d (goal %d)\n", mark, what, wrong, of, want)
}

// phrases runs the story's own routing tests.
func (e *eval) phrases(s *subject) error {
	data, err := fs.ReadFile(s.fsys, storytest.PhrasesFile)
	if err != nil {
		return err
	}
	cases, ds := storytest.ReadPhrases(storytest.PhrasesFile, data)
	if ds.HasErrors() {
		return fmt.Errorf("%s: %s", storytest.PhrasesFile, ds[0].Message)
	}
	outcomes, err := storytest.Run(s.file, cases)
	if err != nil {
		return err
	}
	wrong, tiers := 0, map[match.Tier]int{}
	for _, o := range outcomes {
		tiers[o.Tier]++
		if !o.OK {
			wrong++
			fmt.Fprintf(e.out, "       %q: got %s\n", o.Input, o.Got)
		}
	}
	e.goal("routing tests that fail", wrong, len(outcomes), 0)
	fmt.Fprintf(e.out, "       taken by tier: exact %d, grammar %d, with fillers %d, synonym %d\n",
		tiers[match.TierExact], tiers[match.TierGrammar], tiers[match.TierFillers], tiers[match.TierSynonym])
	return nil
}

// packs holds every plain example against the English pack's own frames.
func (e *eval) packs(s *subject) error {
	pack, err := packs.Load("en")
	if err != nil {
		return err
	}
	wrong := 0
	outcomes := storytest.Frames(s.file, s.room, pack)
	for _, o := range outcomes {
		if !o.OK {
			wrong++
			fmt.Fprintf(e.out, "       %q: expected %s, got %s\n", o.Input, cmp.Or(o.Intent, "pass"), o.Got)
		}
	}
	e.goal("examples in the pack's frames that go wrong", wrong, len(outcomes), 0)
	data, err := fs.ReadFile(s.fsys, storytest.PhrasesFile)
	if err != nil {
		return err
	}
	cases, _ := storytest.ReadPhrases(storytest.PhrasesFile, data)
	failed, tried := storytest.Insertions(s.file, cases, pack)
	for _, o := range failed {
		fmt.Fprintf(e.out, "       %q: got %s\n", o.Input, o.Got)
	}
	e.goal("prompts still taken with a forbidden word inserted", len(failed), tried, 0)
	return nil
}

// corpus holds the story against real prompts and frames.
func (e *eval) corpus(s *subject, dir string, require bool) error {
	if _, err := os.Stat(filepath.Join(dir, "real-prompts.jsonl")); err != nil {
		if require {
			return fmt.Errorf("the corpus is required and not there: %w", err)
		}
		fmt.Fprintln(e.out, "  corpus: not run (no corpus at "+dir+")")
		return nil
	}
	return errors.Join(e.real(s, dir), e.frames(s, dir))
}

// real counts real prompts that are taken although they are no command, or
// as another command than the one they are.
func (e *eval) real(s *subject, dir string) error {
	f, err := os.Open(filepath.Join(dir, "real-prompts.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	var wrong, all int
	var found recall
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			Text   string
			Intent *string
			N      int
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return fmt.Errorf("reading the real prompts: %w", err)
		}
		all++
		got, d := s.decide(row.Text)
		declared := row.Intent != nil && slices.Contains(s.names, *row.Intent)
		switch {
		case got != "" && (row.Intent == nil || *row.Intent != got):
			wrong++
			fmt.Fprintf(e.out, "       %q: taken as %s\n", row.Text, got)
		case declared && got != "":
			found.taken += row.N
		case declared:
			found.miss(row.N, d.Reason)
			fmt.Fprintf(e.out, "       missed %s (n=%d): %q (%s)\n", *row.Intent, row.N, row.Text, d.Reason)
		}
	}
	e.goal("real prompts taken wrongly", wrong, all, 0)
	e.recalled(s, found)
	return lines.Err()
}

// recall counts the pure commands of a corpus, weighted by how often each was
// typed. A hedged one is never taken, on purpose.
type recall struct{ taken, missed, hedged int }

func (r *recall) miss(n int, why match.Reason) {
	if why == match.ReasonBelowBar {
		r.hedged += n
		return
	}
	r.missed += n
}

// leastRecall is the share of pure commands that the stories for everyday
// work must take, in percent.
const leastRecall = 92

func (e *eval) recalled(s *subject, r recall) {
	all := r.taken + r.missed
	mark, goal := "    ", ""
	if s.story == stories.Prefix+"git-ops" || s.story == stories.Prefix+"dev-story" {
		mark, goal = "ok  ", fmt.Sprintf(" (goal %d %%)", leastRecall)
		if r.taken*100 < leastRecall*all {
			mark = "MISS"
			e.missed++
		}
	}
	fmt.Fprintf(e.out, "  %s %-58s %d of %d%s; %d hedged\n", mark, "declared pure commands taken, weighted, hedged ones left out", r.taken, all, goal, r.hedged)
}

// frames multiplies commands and frames.
func (e *eval) frames(s *subject, dir string) error {
	commands, err := rows(filepath.Join(dir, "commands.tsv"))
	if err != nil {
		return err
	}
	frames, err := rows(filepath.Join(dir, "frames.tsv"))
	if err != nil {
		return err
	}
	var taken, passes, lost, matches int
	for _, c := range commands {
		declared := slices.Contains(s.names, c[0]) && !slices.Contains(s.asks, c[0])
		for _, f := range frames {
			prompt := fillFrame(f[1], c)
			got, d := s.decide(prompt)
			switch {
			case f[0] == "pass":
				passes++
				if got != "" {
					taken++
					fmt.Fprintf(e.out, "       %q: taken as %s\n", prompt, got)
				}
			case declared:
				matches++
				if got != c[0] {
					lost++
					fmt.Fprintf(e.out, "       %q: expected %s, got %s\n", prompt, c[0], cmp.Or(got, "pass "+string(d.Reason)))
				}
			}
		}
	}
	e.goal("pass frames taken", taken, passes, 0)
	e.goal("match frames lost, of declared intents without confirm", lost, matches, 0)
	return nil
}

// fillFrame puts the four forms of a command into a frame.
func fillFrame(frame string, c []string) string {
	return strings.NewReplacer("{i}", c[1], "{g}", c[2], "{p}", c[3], "{n}", c[4], `\n`, "\n").Replace(frame)
}

// rows reads a table of tab-separated values without its comment lines.
func rows(path string) ([][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out [][]string
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "# ") || line == "" {
			continue
		}
		out = append(out, strings.Split(line, "\t"))
	}
	return out, nil
}

// list shows what becomes of each prompt of a file.
func (e *eval) list(s *subject, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, p := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		got, d := s.decide(p)
		fmt.Fprintf(e.out, "  %-22s %.2f  %q\n", cmp.Or(got, "pass "+string(d.Reason)), d.Top, p)
	}
	return nil
}
