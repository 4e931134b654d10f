package main

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

// The sizes that the tests run with; larger ones are for a person to ask for:
// go test ./build/bench -run Damage -args -phrases 200000.
var (
	phrases = flag.Int("phrases", 6000, "phrases of the story whose artifact is damaged")
	flips   = flag.Int("flips", 1000, "how many single bytes are damaged, one at a time")
)

// asked is a prompt with the only right answer; "" is a pass.
type asked struct{ room, prompt, intent string }

func questions(n int) []asked {
	var out []asked
	for _, p := range prompts(n) {
		q := asked{room: p.room, prompt: p.prompt}
		switch {
		case p.path == "grammar":
			q.intent = "rebase"
		case p.want == 0:
			q.intent = intentOf(n/200*100, n)
		}
		out = append(out, q)
	}
	return out
}

func encoded(t *testing.T, n int) []byte {
	t.Helper()
	out, ds := compiler.Compile(story(n), "app.yaml", compiler.Options{Tool: "test"})
	if out.Image == nil {
		t.Fatal(ds)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// answer is the intent that a prompt is taken for, "" when it passes.
func answer(f *artifact.File, q asked) string {
	var s match.Scratch
	room, ok := f.Room(q.room)
	if !ok {
		return ""
	}
	d := match.Decide(match.Classify(f, match.Query{Prompt: q.prompt, Automaton: room.Automaton, Intents: room.Intents}, &s), match.Policy{}, match.Facts{})
	if !d.Intercept || f.Err() != nil {
		return ""
	}
	return d.Hit.Intent
}

// TestDamage: one byte of a large artifact is flipped. The check names it,
// and no prompt gets a wrong answer: the right one, or a pass.
func TestDamage(t *testing.T) {
	t.Parallel()
	data := encoded(t, *phrases)
	if len(data) <= 1<<20 {
		t.Fatalf("%d bytes: a file so small is checked as a whole", len(data))
	}
	ask := questions(*phrases)
	whole, err := artifact.Decode("whole", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range ask {
		if got := answer(whole, q); got != q.intent {
			t.Fatalf("%q: expected %q, observed %q", q.prompt, q.intent, got)
		}
	}
	lost := 0
	random := rand.New(rand.NewPCG(1, 2))
	for range *flips {
		at, bit := random.IntN(len(data)), byte(1)<<random.IntN(8)
		data[at] ^= bit
		if len(artifact.CheckBytes("damaged", data)) == 0 {
			t.Errorf("byte %d, bit %#x: the check finds nothing", at, bit)
		}
		if f, err := artifact.Decode("damaged", data); err == nil {
			for _, q := range ask {
				got := answer(f, q)
				if got != "" && got != q.intent {
					t.Errorf("byte %d, bit %#x: %q: expected %q or a pass, observed %q", at, bit, q.prompt, q.intent, got)
				}
				if got != q.intent {
					lost++
				}
			}
		}
		data[at] ^= bit
	}
	t.Logf("%d bytes, %d flips: %d answers lost", len(data), *flips, lost)
}

// TestReplacedWhileRead: an artifact is replaced, whole, as often as it is
// opened; every answer is that of the one or the other.
func TestReplacedWhileRead(t *testing.T) {
	t.Parallel()
	const times = 400
	path := filepath.Join(t.TempDir(), "a.kit")
	versions := [][]byte{encoded(t, 1000), encoded(t, 2000)}
	if bytes.Equal(versions[0], versions[1]) {
		t.Fatal("two artifacts that are the same")
	}
	if err := artifact.WriteFile(path, versions[0]); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		for i := range times {
			if err := artifact.WriteFile(path, versions[i%2]); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	ask := asked{"room0", phrase(0), intentOf(0, 1000)}
	for range times {
		f, err := artifact.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := answer(f, ask); got != ask.intent {
			t.Errorf("expected %q, observed %q: %v", ask.intent, got, f.Err())
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
