package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

// decisions is how often each prompt is decided in one process.
const decisions = 5000

// inProcess prints how long a decision takes once the program runs, and
// whether a pass allocates.
func inProcess(sizes, bin string) error {
	for _, n := range strings.Split(sizes, ",") {
		f, err := artifact.Open(filepath.Join(bin, "n"+n+artifact.Extension))
		if err != nil {
			return err
		}
		var size int
		fmt.Sscan(n, &size)
		for _, p := range prompts(size) {
			room, _ := f.Room(p.room)
			decideMany(f, room, p, n)
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// decideMany times one prompt and prints its median and 99th percentile.
func decideMany(f *artifact.File, room artifact.Room, p prompt, n string) {
	var s match.Scratch
	q := match.Query{Prompt: p.prompt, Automaton: room.Automaton, Intents: room.Intents}
	decide := func() { match.Decide(match.Classify(f, q, &s), match.Policy{}, match.Facts{}) }
	took := make([]time.Duration, decisions)
	for i := range took {
		began := time.Now()
		decide()
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	fmt.Printf("decide   %-8s N=%-7s p50 %6.1f µs  p99 %6.1f µs  %3.0f allocations\n", p.path, n,
		float64(took[decisions/2].Nanoseconds())/1000, float64(took[decisions*99/100].Nanoseconds())/1000,
		testing.AllocsPerRun(100, decide))
}
