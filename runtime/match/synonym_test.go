package match_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

const synonymStory = `
app: {id: synonyms}
root: r
routing:
  word_synonyms: [[run, execute, launch], [tests, "test suite"], [pr, "pull request", "merge request"], [stop, halt], [halt, pause]]
intents:
  run_tests: {examples: ["run the tests"]}
  open_pr: {examples: ["open a pr for this"]}
  named:
    synonyms: ["run [the] tests of {name} (now|today)", "run with message {text}"]
    slots: {name: {type: ref}, text: {type: string}}
  stop: {examples: ["stop the engine"]}
  rest: {examples: ["pause the machine"]}
  hold: {examples: ["halt the press"]}
states:
  r:
    on:
      run_tests: [{target: .}]
      open_pr: [{target: .}]
      named: [{target: .}]
      stop: [{target: .}]
      rest: [{target: .}]
      hold: [{target: .}]
`

// decide gives the intent and tier a prompt is taken with, "" for a pass.
func decide(f *artifact.File, r artifact.Room, prompt string) (string, match.Tier) {
	var s match.Scratch
	d := match.Decide(match.Classify(f, query(r, prompt), &s), match.Policy{}, facts())
	if !d.Intercept {
		return "", ""
	}
	return d.Hit.Intent, d.Hit.Tier
}

func TestSynonyms(t *testing.T) {
	t.Parallel()
	f, r := open(t, synonymStory)
	for prompt, want := range map[string]string{
		"launch the test suite please":             "run_tests",
		"could you execute the tests for me?":      "run_tests",
		"open a merge request for this":            "open_pr",
		"open a pull request for this!":            "open_pr",
		"execute tests of feature/x today":         "named",
		"launch the test suite of feature/x now":   "named",
		"execute with message Fix It":              "named",
		"halt the engine":                          "stop",
		"pause the engine":                         "", // two groups are never joined
		"stop the machine":                         "",
		"halt the machine":                         "rest",
		"stop the press":                           "hold",
		"pause the press":                          "hold",
		"launch the rocket":                        "",
		"execute order 66":                         "",
		"run the suite of pull requests":           "",
		"launch the test":                          "",
		"launch the suite":                         "",
		"yes, launch the tests":                    "",
		"launch the tests?":                        "",
		"don't launch the tests":                   "",
		"launch the tests and push":                "",
		"why did you launch the tests":             "",
		"launch launch the tests":                  "",
		"the tests launch":                         "",
		"execute with message fix it, then stop":   "",
		"open a merge pull request for this":       "",
		"open a merge request for this please now": "open_pr",
	} {
		got, tier := decide(f, r, prompt)
		if got != want || got != "" && tier != match.TierSynonym {
			t.Errorf("%q: expected %q, observed %q %s", prompt, want, got, tier)
		}
	}
	if got, tier := decide(f, r, "run the tests"); got != "run_tests" || tier != match.TierExact {
		t.Errorf("the phrase itself: observed %s %s", got, tier)
	}
}

// TestSynonymsBehindManySlots: phrases with a slot, which could account for any
// word, do not keep the one that has the words from being aligned.
func TestSynonymsBehindManySlots(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("app: {id: many}\nrouting: {word_synonyms: [[tests, specs]]}\nroot: home\nintents:\n")
	b.WriteString("  zz_run: {examples: [run the tests]}\n")
	on := "      zz_run: {target: .}\n"
	for i := range 40 {
		fmt.Fprintf(&b, "  go%02d: {synonyms: [\"verb%02d the {name} here\"], slots: {name: {type: ref}}}\n", i, i)
		on = fmt.Sprintf("      go%02d: {target: .}\n", i) + on
	}
	b.WriteString("states:\n  home:\n    on:\n" + on)
	f, r := open(t, b.String())
	if got, tier := decide(f, r, "run the specs"); got != "zz_run" || tier != match.TierSynonym {
		t.Errorf("observed %q %s", got, tier)
	}
}

// TestEmptySegmentLosesOnlySynonyms: bleve's index is what finds synonyms,
// and nothing else.
func TestEmptySegmentLosesOnlySynonyms(t *testing.T) {
	t.Parallel()
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(synonymStory)}}, "app.yaml", compiler.Options{})
	if out.Image == nil {
		t.Fatal(ds)
	}
	out.Image.Segment.Data = nil
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("empty", data)
	if err != nil {
		t.Fatal(err)
	}
	r := f.Rooms()[0]
	for prompt, want := range map[string]string{
		"run the tests": "run_tests", "please stop the engine": "stop", "run tests of feature/x now": "named",
		"launch the tests": "", "open a merge request for this": "", "halt the engine": "",
	} {
		if got, _ := decide(f, r, prompt); got != want {
			t.Errorf("%q: expected %q, observed %q", prompt, want, got)
		}
	}
}

// TestDamagedSegmentLosesMatches: whatever stands in the segment, the answer
// is right or missing.
func TestDamagedSegmentLosesMatches(t *testing.T) {
	t.Parallel()
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(synonymStory)}}, "app.yaml", compiler.Options{})
	if out.Image == nil {
		t.Fatal(ds)
	}
	good := string(out.Image.Segment.Data)
	for at := 0; at < len(good); at += 3 {
		out.Image.Segment.Data = []byte(good[:at] + string(rune(good[at]^0x55)) + good[at+1:])[:len(good)]
		data, err := artifact.Encode(out.Image)
		if err != nil {
			t.Fatal(err)
		}
		f, err := artifact.Decode("damaged", data)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := decide(f, f.Rooms()[0], "launch the test suite please"); got != "" && got != "run_tests" {
			t.Fatalf("byte %d: observed %q", at, got)
		}
		if got, _ := decide(f, f.Rooms()[0], "launch the rocket"); got != "" {
			t.Fatalf("byte %d: observed %q", at, got)
		}
	}
}

// TestSynonymsThatTieAreRefused: phrases of two intents that one prompt
// could mean, with the prompt.
func TestSynonymsThatTieAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ groups, one, two, witness string }{
		"one step":       {"[[a, b]]", "press a now", "press b now", ""},
		"through a word": {"[[a, b], [b, c]]", "press a now", "press c now", `"press b now"`},
		"several words":  {`[[pr, "pull request"]]`, "open pr here", "open pull request here", ""},
		"fine":           {"[[a, b], [c, d]]", "press a now", "press c now", "-"},
	} {
		src := `
app: {id: tie}
root: r
routing: {word_synonyms: ` + c.groups + `}
intents:
  one: {examples: ["` + c.one + `"]}
  two: {examples: ["` + c.two + `"]}
states:
  r: {on: {one: [{target: .}], two: [{target: .}]}}
`
		out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(src)}}, "app.yaml", compiler.Options{})
		if c.witness == "-" {
			if out.Image == nil {
				t.Errorf("%s: %v", name, ds)
			}
			continue
		}
		if out.Image != nil || !strings.Contains(ds[len(ds)-1].Message, c.witness) {
			t.Errorf("%s: observed %v", name, ds)
		}
	}
}

// TestAPassOpensNoIndex: words that the language knows for free text alone are
// no words of a command, so that nothing is looked up, and nothing allocated.
func TestAPassOpensNoIndex(t *testing.T) {
	f, r := open(t, `
app: {id: plain}
root: r
routing: {word_synonyms: [[run, execute], [tests, "test suite"]]}
intents:
  run_tests: {examples: ["run the tests"]}
  stop: {examples: ["stop the engine"]}
states: {r: {on: {run_tests: [{target: .}], stop: [{target: .}]}}}
`)
	var s match.Scratch
	for _, prompt := range []string{"why did the test suite fail", "what do the tests do", "should the engine stop"} {
		q := query(r, prompt)
		if d := match.Decide(match.Classify(f, q, &s), match.Policy{}, match.Facts{}); d.Intercept {
			t.Fatalf("%q is taken", prompt)
		}
		if n := testing.AllocsPerRun(20, func() { match.Classify(f, q, &s) }); n > 0 {
			t.Errorf("%q: %v allocations", prompt, n)
		}
	}
}

// TestOneScratchForManyPrompts: what a scratch keeps of one prompt, or of one
// file, changes nothing for the next.
func TestOneScratchForManyPrompts(t *testing.T) {
	t.Parallel()
	f, r := open(t, synonymStory)
	// Other groups, and phrases of which each has another number.
	g, q := open(t, strings.NewReplacer(
		"[stop, halt]", "[stop, kill]", "\nintents:", "\nintents:\n  ahead: {examples: [\"count the stars\", \"tell me the time\", \"read me a poem\"]}",
		"    on:", "    on:\n      ahead: [{target: .}]",
	).Replace(synonymStory))
	prompts := []string{
		"launch the test suite please", "halt the engine", "kill the engine", "execute tests of feature/x today", "launch the rocket",
		"open a merge request for this", "stop the press", "pause the press", "open a merge pull request for this",
		"execute with message Fix It", "run the tests", "launch the test",
	}
	var kept match.Scratch
	taken := 0
	for round := range 4 {
		for i := range prompts {
			prompt := prompts[(i*5+round)%len(prompts)]
			file, room := f, r
			if (i+round)%2 == 1 {
				file, room = g, q
			}
			want, wantTier := decide(file, room, prompt)
			d := match.Decide(match.Classify(file, query(room, prompt), &kept), match.Policy{}, facts())
			got, tier := "", match.Tier("")
			if d.Intercept {
				got, tier, taken = d.Hit.Intent, d.Hit.Tier, taken+1
			}
			if got != want || tier != wantTier {
				t.Errorf("round %d, %q: expected %q %s, observed %q %s", round, prompt, want, wantTier, got, tier)
			}
		}
	}
	if taken < len(prompts) {
		t.Errorf("only %d were taken", taken)
	}
}
