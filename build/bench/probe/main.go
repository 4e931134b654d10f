// Command probe decides about one prompt with nothing linked but what
// deciding needs: it is what the bench times. Usage: probe ARTIFACT ROOM
// PROMPT; the exit status is 0 for a match and 10 for a pass.
package main

import (
	"os"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) != 3 {
		return 3
	}
	f, err := artifact.Open(args[0])
	if err != nil {
		return 3
	}
	room, ok := f.Room(args[1])
	if !ok {
		return 3
	}
	var s match.Scratch
	r := match.Classify(f, match.Query{Prompt: args[2], Automaton: room.Automaton, Intents: room.Intents}, &s)
	if match.Decide(r, match.Policy{}, match.Facts{}).Intercept {
		return 0
	}
	return 10
}
