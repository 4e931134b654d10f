// Command bench times whole processes against an empty Go program, all in
// one interleaved run, and prints the medians as ratios: machines differ and
// drift, ratios hold. It also times compiling, as a ratio between sizes.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"
	"time"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
)

func main() {
	rounds := flag.Int("rounds", 60, "how often each command runs")
	sizes := flag.String("sizes", "50,1000,20000,200000", "numbers of phrases")
	bin := flag.String("bin", "build/out/bench", "where the timed programs are built")
	flag.Parse()
	if err := run(*rounds, *sizes, *bin); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// command is one thing that is timed.
type command struct {
	path string // one of paths
	n    int
	argv []string
	want int // exit status
	took []time.Duration

	env   []string // nil: ours
	stdin []byte   // fits into a pipe
	check func(runs int) error
}

func run(rounds int, sizes, bin string) error {
	if err := build(bin); err != nil {
		return err
	}
	floor := &command{path: "empty", argv: []string{filepath.Join(bin, "empty")}}
	none, err := nothingBound(filepath.Join(bin, hookName), bin)
	if err != nil {
		return err
	}
	shot, err := oneShot(bin, filepath.Join(bin, "empty"))
	if err != nil {
		return err
	}
	all := []*command{floor, none, shot}
	var compiles []string
	for _, field := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return fmt.Errorf("--sizes: %q is no number of phrases", field)
		}
		kit, line, err := compile(n, bin)
		if err != nil {
			return err
		}
		compiles = append(compiles, line)
		for _, p := range prompts(n) {
			hook, err := hooked(filepath.Join(bin, hookName), bin, kit, n, p)
			if err != nil {
				return err
			}
			probe := &command{path: p.path, n: n, argv: []string{filepath.Join(bin, "probe"), kit, p.room, p.prompt}, want: p.want}
			all = append(all, probe, hook)
		}
	}
	if err := measure(all, rounds); err != nil {
		return err
	}
	report(all, floor)
	fmt.Println(strings.Join(compiles, "\n"))
	if err := timeDrive(bin, floor); err != nil {
		return err
	}
	if err := timeRecall(bin, floor); err != nil {
		return err
	}
	return inProcess(sizes, bin)
}

// prompt is one way through deciding.
type prompt struct {
	path, room, prompt string
	want               int
}

// paths names the ways through deciding, in the order of the table.
func paths() []string { return []string{"pass", "exact", "grammar", "synonym"} }

// prompts gives one prompt for each way.
func prompts(n int) []prompt {
	k := n / 200 * 100 // "build service …", in the middle of the story
	said := strings.Replace(phrase(k), "build service", "assemble daemon", 1)
	return []prompt{
		{"pass", "room0", "why did the deploy of the service fail", 10},
		{"exact", roomOf(k, n), phrase(k), 0},
		{"grammar", "room0", "could you rebase my branch onto main please?", 0},
		{"synonym", roomOf(k, n), said, 0},
	}
}

// build makes the timed programs, static as they ship.
func build(bin string) error {
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	for _, path := range []string{"./build/bench/empty", "./build/bench/probe", "./cmd/" + hookName, "./cmd/kitsoki"} {
		out := filepath.Join(bin, filepath.Base(path))
		if path == "./cmd/kitsoki" {
			out = wholeProgram(bin)
		}
		c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, path)
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w: %s", path, err, out)
		}
	}
	return nil
}

// wholeProgram is kitsoki itself. It does not lie beside kitsoki-hook, so that
// what that hands over is not answered, and only deciding is timed.
func wholeProgram(bin string) string { return filepath.Join(bin, "whole", "kitsoki") }

// oneShot is a whole command through kitsoki intercept: an artifact opened, a
// prompt matched, a program run that does nothing, the document written, the
// trace kept.
func oneShot(bin, program string) (*command, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	story := fstest.MapFS{"app.yaml": {Data: fmt.Appendf(nil, "app: {id: shot}\nhosts: [host.run]\nintents: {go: {examples: [do nothing]}}\n"+
		"root: r\nstates: {r: {on: {go: [{effects: [{invoke: host.run, with: {cmd: %q, args: []}}]}]}}}\n", program)}}
	out, ds := compiler.Compile(story, "app.yaml", compiler.Options{Tool: "bench"})
	if out.Image == nil {
		return nil, fmt.Errorf("the one-shot's story does not compile: %v", ds[0])
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		return nil, err
	}
	kit, trace := filepath.Join(bin, "shot"+artifact.Extension), filepath.Join(bin, "shot.jsonl")
	c := &command{path: "one-shot", argv: []string{wholeProgram(bin), "intercept", "--app", kit, "--room", "r", "--trace", trace, "--input", "do nothing"}}
	return c, artifact.WriteFile(kit, data)
}

// compile writes the artifact of n phrases and says how long that took.
func compile(n int, bin string) (path, line string, err error) {
	began := time.Now()
	out, ds := compiler.Compile(story(n), "app.yaml", compiler.Options{Tool: "bench"})
	if out.Image == nil {
		return "", "", fmt.Errorf("the generated story does not compile: %v", ds[0])
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		return "", "", err
	}
	took := time.Since(began)
	path = filepath.Join(bin, fmt.Sprintf("n%d%s", n, artifact.Extension))
	line = fmt.Sprintf("compile  N=%-7d %8.1f ms  %6.1f µs a phrase  %9d bytes", n, float64(took.Microseconds())/1000,
		float64(took.Microseconds())/float64(n), len(data))
	return path, line, artifact.WriteFile(path, data)
}

// measure runs every command once a round, each round in another order.
func measure(all []*command, rounds int) error {
	order := slices.Clone(all)
	for round := range rounds + 1 {
		rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, c := range order {
			took, err := once(c)
			if err != nil {
				return err
			}
			if round > 0 { // the first warms the page cache
				c.took = append(c.took, took)
			}
		}
	}
	for _, c := range all {
		if c.check == nil {
			continue
		}
		if err := c.check(rounds + 1); err != nil {
			return err
		}
	}
	return nil
}

func once(c *command) (time.Duration, error) {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Env = c.env
	in, err := given(c.stdin)
	if err != nil {
		return 0, err
	}
	if in != nil {
		defer in.Close()
		cmd.Stdin = in
	}
	began := time.Now()
	err = cmd.Run()
	took := time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	if got := cmd.ProcessState.ExitCode(); got != c.want {
		return 0, fmt.Errorf("%s at N=%d: status %d, expected %d", c.path, c.n, got, c.want)
	}
	return took, nil
}

// given is a pipe that holds a program's whole input, as an agent gives it.
func given(input []byte) (*os.File, error) {
	if input == nil {
		return nil, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	_, err = w.Write(input)
	return r, errors.Join(err, w.Close())
}

func median(list []time.Duration) time.Duration {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, cmp.Compare)
	return sorted[len(sorted)/2]
}

// report prints a row a command: the median, and its ratio to the floor.
func report(all []*command, floor *command) {
	base := median(floor.took)
	fmt.Printf("%-13s %-9s %10s %8s\n", "path", "N", "median µs", "ratio")
	ratios := map[string][]float64{}
	for _, c := range all {
		m := median(c.took)
		ratio := float64(m) / float64(base)
		ratios[c.path] = append(ratios[c.path], ratio)
		fmt.Printf("%-13s %-9d %10d %8.2f\n", c.path, c.n, m.Microseconds(), ratio)
	}
	for _, path := range paths() {
		for _, name := range []string{path, "hook " + path} {
			r := ratios[name]
			fmt.Printf("growth   %-14s %19.2f\n", name, r[len(r)-1]/r[0])
		}
	}
}
