package match_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

const story = `
app: {id: match}
root: r
routing:
  rules: {det: "(the|my|our)"}
intents:
  run_tests:
    examples: ["run the tests"]
    synonyms: ["run [<det>] (tests|test suite)", "retry them {times} times"]
    slots: {times: {type: int}}
  rebase:
    examples: ["rebase onto main"]
    synonyms: ["rebase [this|it] (onto|on) main"]
  commit:
    synonyms: ["commit with message {message}", "commit: {message}", "commit with message"]
    slots: {message: {type: string, required: true}}
  switch:
    synonyms: ["switch to [branch] {name}"]
    slots: {name: {type: ref, required: true}}
  home:
    synonyms: ["switch to main"]
  env:
    synonyms: ["use {where} now please"]
    slots:
      where: {type: enum, required: true, values: [staging, production], synonyms: {production: [prod, "the live system"]}}
  title:
    synonyms: ["call it {name} in the notes"]
    slots: {name: {type: quoted, required: true}}
  wipe:
    confirm: true
    examples: ["wipe the cache"]
  read:
    synonyms: ["read the file {file} aloud", "drop the file {file} there", "set loud {flag} here"]
    slots: {file: {type: path, must: exist}, flag: {type: bool}}
  make:
    synonyms: ["make the file {file} here", "grow the branch {name} here"]
    slots: {file: {type: path, must: new}, name: {type: ref, must: new}}
  branch:
    allow_words: {what: the question is the command}
    examples: ["what branch is this?"]
states:
  r:
    on:
      run_tests: [{target: .}]
      rebase: [{target: .}]
      commit: [{target: .}]
      switch: [{target: .}]
      home: [{target: .}]
      env: [{target: .}]
      title: [{target: .}]
      wipe: [{target: .}]
      branch: [{target: .}]
      read: [{target: .}]
      make: [{target: .}]
`

// open compiles a story and opens its bytes.
func open(t testing.TB, src string) (*artifact.File, artifact.Room) {
	t.Helper()
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(src)}}, "app.yaml", compiler.Options{Tool: "test"})
	if out.Image == nil {
		t.Fatalf("the story does not compile: %v", ds)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("test", data)
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Rooms()[0]
}

func query(r artifact.Room, prompt string) match.Query {
	return match.Query{Prompt: prompt, Automaton: r.Automaton, Intents: r.Intents}
}

// facts knows the branches main and topic, the files go.mod and README.
func facts() match.Facts {
	return match.Facts{
		Branch: func(n string) (bool, bool) { return n == "main" || n == "topic", true },
		Path:   func(n string) (bool, bool) { return n == "go.mod" || n == "README", n != "far.txt" },
	}
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	f, r := open(t, story)
	for _, c := range []struct {
		prompt, intent string
		top            float64
		reason         match.Reason
	}{
		{"run the tests", "run_tests", 1, ""},
		{" RUN the tests. ", "run_tests", 1, ""},
		{"run tests", "run_tests", 0.97, ""},
		{"please run the tests", "run_tests", 0.93, ""},
		{"Can you run our test suite for me?", "run_tests", 0.93, ""},
		{"can we run the tests please", "run_tests", 0.93, ""},
		{"can we run the tests", "", 0.85, match.ReasonBelowBar},
		{"yes, run the tests", "", 0.85, match.ReasonBelowBar},
		{"yes please, run the tests", "", 0.85, match.ReasonBelowBar},
		{"run the tests?", "", 0, match.ReasonNoMatch},
		{"please run the tests?", "", 0, match.ReasonNoMatch},
		{"run the tests!?", "", 0, match.ReasonNoMatch},
		{"run the tests and push", "", 0, match.ReasonNoMatch},
		{"don't run the tests", "", 0, match.ReasonNoMatch},
		{"run\nthe tests", "", 0, match.ReasonPrefilter},
		{"run the\u2028tests", "", 0, match.ReasonPrefilter},
		{"run the\vtests", "", 0, match.ReasonPrefilter},
		{"/run the tests", "", 0, match.ReasonPrefilter},
		{"run the `tests`", "", 0, match.ReasonPrefilter},
		{"\"run the tests\"", "", 0, match.ReasonPrefilter},
		{"run the tеsts", "", 0, match.ReasonPrefilter}, // a Cyrillic letter
		{"ok", "", 0, match.ReasonPrefilter},
		{"3", "", 0, match.ReasonPrefilter},
		{"", "", 0, match.ReasonPrefilter},
		{strings.Repeat("please ", 40) + "run the tests", "", 0, match.ReasonPrefilter},
		{strings.Repeat("ok ", 24) + "run the tests", "", 0, match.ReasonPrefilter},
		{strings.Repeat("好", 72), "", 0, match.ReasonNoMatch}, // as much as 24 words
		{strings.Repeat("好", 73), "", 0, match.ReasonPrefilter},
		{strings.Repeat("ok ", 22) + strings.Repeat("好", 7), "", 0, match.ReasonPrefilter},
		{"retry them 3 times", "run_tests", 0.97, ""},
		{"retry them three times", "", 0, match.ReasonNoMatch},
		{"switch to main", "home", 0.97, ""},
		{"switch to topic", "switch", 0.97, ""},
		{"switch to nowhere", "", 0.97, match.ReasonMissingSlot},
		{"switch to branch feature/x", "switch", 0.97, ""},
		{"switch to -rf", "", 0, match.ReasonNoMatch},
		{"switch to a..b", "", 0, match.ReasonNoMatch},
		{"switch to $(touch x)", "", 0, match.ReasonNoMatch},
		{"commit with message", "", 0.97, match.ReasonMissingSlot},
		{"commit: fix it. Then push", "", 0, match.ReasonNoMatch},
		{"commit: what is wrong?", "", 0, match.ReasonNoMatch},
		{"commit: fix it, then push", "", 0, match.ReasonNoMatch},
		{"commit with message fix it then rebase", "", 0, match.ReasonNoMatch},
		{"commit with message fix it and run the tests", "", 0, match.ReasonNoMatch},
		{"commit with message fix it, and also rebase onto main", "", 0, match.ReasonNoMatch},
		{"commit with message fix it and switch to main", "", 0, match.ReasonNoMatch},
		{"commit with message fix lexer, parser and printer", "commit", 0.97, ""},
		{"commit with message run faster", "commit", 0.97, ""},
		{"commit with message something like 'wip'", "", 0, match.ReasonNoMatch},
		{"commit with message not \"wip\"", "", 0, match.ReasonNoMatch},
		{"commit: \"then run the tests\"", "commit", 0.97, ""},
		{"use prod now please", "env", 0.97, ""},
		{"use dev now please", "", 0, match.ReasonNoMatch},
		{"wipe the cache", "wipe", 1, ""},
		{"please wipe the cache", "", 0.93, match.ReasonBelowBar},
		{"what branch is this?", "branch", 1, ""},
		{"please, what branch is this?", "branch", 0.93, ""},
		{"what branch is this", "", 0, match.ReasonNoMatch},
		{"call it 'x y' in the notes please", "title", 0.93, ""},
		{"call it x in the notes", "", 0, match.ReasonNoMatch},
		{"read the file go.mod aloud", "read", 0.97, ""},
		{"read the file README aloud", "read", 0.97, ""},
		{"read the file gone.txt aloud", "", 0.97, match.ReasonMissingSlot},
		{"read the file far.txt aloud", "", 0.97, match.ReasonMissingSlot},
		{"read the file nothing aloud", "", 0.97, match.ReasonMissingSlot},
		{"read the file ../etc/passwd aloud", "", 0, match.ReasonNoMatch},
		{"read the file a/../../b aloud", "", 0, match.ReasonNoMatch},
		{"read the file /etc/passwd aloud", "", 0, match.ReasonNoMatch},
		{"read the file -rf aloud", "", 0, match.ReasonNoMatch},
		{"read the file ~/x aloud", "", 0, match.ReasonNoMatch},
		{"make the file new.txt here", "make", 0.97, ""},
		{"make the file go.mod here", "", 0.97, match.ReasonMissingSlot},
		{"grow the branch feature/x here", "make", 0.97, ""},
		{"grow the branch topic here", "", 0.97, match.ReasonMissingSlot},
		{"grow the branch fresh here", "", 0.97, match.ReasonMissingSlot},
		{"set loud ON here", "read", 0.97, ""},
		{"set loud maybe here", "", 0, match.ReasonNoMatch},
	} {
		var s match.Scratch
		d := match.Decide(match.Classify(f, query(r, c.prompt), &s), match.Policy{}, facts())
		got := ""
		if d.Intercept {
			got = d.Hit.Intent
		}
		if got != c.intent || d.Top != c.top || d.Reason != c.reason {
			t.Errorf("%q\nexpected %q %.2f %q\nobserved %q %.2f %q (%s)", c.prompt, c.intent, c.top, c.reason, got, d.Top, d.Reason, d.Detail)
		}
	}
}

func TestSlotsKeepThePersonsOwnWords(t *testing.T) {
	t.Parallel()
	f, r := open(t, story)
	for prompt, want := range map[string]any{
		`commit with message "Add LRU Cache"`:            "Add LRU Cache",
		`commit with message “Add LRU Cache”`:            "Add LRU Cache",
		`commit with message 'Fix the user's "name".'`:   `Fix the user's "name".`,
		`commit with message Fix the DÉJÀ vu bug!`:       "Fix the DÉJÀ vu bug",
		`commit: Don't  panic please`:                    "Don't  panic please",
		`please commit with message "It. Works?" thanks`: "It. Works?",
		`retry them -7 times`:                            int64(-7),
		`use the live system now please`:                 "production",
		`switch to Feature/X`:                            "Feature/X",
	} {
		var s match.Scratch
		d := match.Decide(match.Classify(f, query(r, prompt), &s), match.Policy{}, facts())
		if !d.Intercept || len(d.Hit.Slots) != 1 || d.Hit.Slots[0].Value != want {
			t.Errorf("%s\nexpected %v\nobserved %+v", prompt, want, d)
		}
	}
	for _, prompt := range []string{
		`commit with message "a" and "b"`, `commit with message ""`, `commit with message "open`,
	} {
		var s match.Scratch
		if d := match.Decide(match.Classify(f, query(r, prompt), &s), match.Policy{}, facts()); d.Intercept {
			t.Errorf("%s was taken as %v", prompt, d.Hit.Slots)
		}
	}
}

func TestCoverAccountsForEveryToken(t *testing.T) {
	t.Parallel()
	f, r := open(t, story)
	var s match.Scratch
	q := query(r, `Looks good. Can you commit with message "x y" please?`)
	q.Cover = true
	res := match.Classify(f, q, &s)
	if len(res.Hits) != 1 {
		t.Fatalf("observed %+v", res)
	}
	var parts []string
	for _, c := range res.Hits[0].Cover {
		parts = append(parts, c.Kind+" "+c.Name+"|"+c.Text)
	}
	want := []string{"lead |Looks good.", "request |Can you", "phrase |commit with message \"", "slot message|x y", "phrase |\"", "trail |please", "end |?"}
	if !slices.Equal(parts, want) {
		t.Errorf("expected %q\nobserved %q", want, parts)
	}
}

// TestOnlyTheGivenIntents: a room offers its own set, and no other.
func TestOnlyTheGivenIntents(t *testing.T) {
	t.Parallel()
	f, r := open(t, story)
	q := query(r, "run the tests")
	q.Intents = slices.DeleteFunc(slices.Clone(q.Intents), func(i uint32) bool { return f.Intent(i).Name == "run_tests" })
	var s match.Scratch
	if res := match.Classify(f, q, &s); len(res.Hits) != 0 {
		t.Errorf("observed %+v", res.Hits)
	}
}

func TestEscape(t *testing.T) {
	t.Parallel()
	f, r := open(t, story)
	q := query(r, "  //run the tests")
	q.Escape = "//"
	var s match.Scratch
	if res := match.Classify(f, q, &s); res.Reason != match.ReasonEscaped {
		t.Errorf("expected escaped, observed %+v", res)
	}
}

func TestBarIsNeverUnderTheFloor(t *testing.T) {
	t.Parallel()
	f, r := open(t, story)
	var s match.Scratch
	for bar, want := range map[float64]bool{0.1: false, 0.85: false, 0.86: false} {
		d := match.Decide(match.Classify(f, query(r, "yes, run the tests"), &s), match.Policy{Bar: bar}, facts())
		if d.Intercept != want || d.Bar != match.MinBar {
			t.Errorf("bar %v: observed %+v", bar, d)
		}
	}
	if d := match.Decide(match.Classify(f, query(r, "run tests"), &s), match.Policy{Bar: 0.98}, facts()); d.Intercept {
		t.Error("0.97 cleared a bar of 0.98")
	}
}

// TestInsertedWordsPass: a word that turns a command into something else,
// anywhere outside a captured value, makes an accepted prompt pass.
func TestInsertedWordsPass(t *testing.T) {
	t.Parallel()
	f, r := open(t, story)
	words := []string{"not", "don't", "why", "if", "never", "without", "how", "after"}
	for _, prompt := range []string{
		"please run the tests", "rebase this onto main", "can you run our test suite for me", "use prod now please",
		"switch to feature/x", "wipe the cache", "retry them 3 times", "call it 'x y' in the notes",
	} {
		fields := strings.Fields(prompt)
		for at := 0; at <= len(fields); at++ {
			if at > 0 && at < len(fields) && strings.HasPrefix(fields[at-1], "'") {
				continue // inside a captured value
			}
			for _, w := range words {
				changed := strings.Join(slices.Insert(slices.Clone(fields), at, w), " ")
				var s match.Scratch
				if d := match.Decide(match.Classify(f, query(r, changed), &s), match.Policy{}, facts()); d.Intercept {
					t.Errorf("%q was taken as %s", changed, d.Hit.Intent)
				}
			}
		}
	}
}

func TestPassAllocatesNothing(t *testing.T) {
	f, r := open(t, story)
	var s match.Scratch
	for _, prompt := range []string{"why did the rebase onto main fail again?", "please run the tests and then stop", "请运行测试，然后停止。", "# no"} {
		q := query(r, prompt)
		match.Classify(f, q, &s)
		if n := testing.AllocsPerRun(100, func() { match.Classify(f, q, &s) }); n != 0 {
			t.Errorf("%q: expected no allocation, observed %v", prompt, n)
		}
	}
}

// TestDamageIsNotReady: what a damaged file says is never acted on.
func TestDamageIsNotReady(t *testing.T) {
	t.Parallel()
	f, r := open(t, story)
	f.Phrase(1 << 20) // outside: the file is bad from here on
	var s match.Scratch
	d := match.Decide(match.Classify(f, query(r, "run the tests"), &s), match.Policy{}, facts())
	if d.Intercept || d.Reason != match.ReasonNotReady {
		t.Errorf("observed %+v", d)
	}
}

// TestSlotRows runs the contract over every slot type.
func TestSlotRows(t *testing.T) {
	t.Parallel()
	for _, row := range match.SlotRows() {
		if len(row.Samples) == 0 || row.Parse == nil || row.Classify == nil || row.Shape == 0 {
			t.Errorf("%s: the row is not complete", row.Type)
		}
		parsed := 0
		for _, s := range row.Samples {
			if _, ok := row.Parse(s); ok {
				parsed++
			}
		}
		if parsed == 0 {
			t.Errorf("%s: no sample is a value of it", row.Type)
		}
		if _, ok := row.Parse(""); ok {
			t.Errorf("%s: an empty text is a value", row.Type)
		}
	}
}

func FuzzClassify(f *testing.F) {
	file, r := open(f, story)
	for _, s := range []string{"run the tests", `commit with message "x"`, "switch to a/b", "“”", "ok, ok, ok"} {
		f.Add(s)
	}
	var s match.Scratch
	f.Fuzz(func(t *testing.T, prompt string) {
		res := match.Classify(file, query(r, prompt), &s)
		for _, h := range res.Hits {
			for _, v := range h.Slots {
				if !strings.Contains(prompt, v.Raw) {
					t.Fatalf("%q: the slot %q is not in the prompt", prompt, v.Raw)
				}
			}
		}
	})
}

// TestFreeTextThatIsSpokenOf: without quotation marks or a colon's clear
// beginning, words about a message are no message.
func TestFreeTextThatIsSpokenOf(t *testing.T) {
	t.Parallel()
	f, r := open(t, `
app: {id: free}
root: r
intents:
  commit:
    synonyms: ["commit with [a|the] message {text}", "commit : {text}"]
    slots: {text: {type: string, required: true}}
states: {r: {on: {commit: [{target: .}]}}}
`)
	for prompt, want := range map[string]string{
		"commit with message Fix the parser":                       "commit",
		"commit: Fix the parser":                                   "commit",
		`commit with the message "the message"`:                    "commit",
		"commit with a message describing the change":              "",
		"commit with the message you proposed":                     "",
		"commit with message above":                                "",
		"commit with the message from the issue":                   "",
		"commit with a message of your choice":                     "",
		"commit with a message based on the diff":                  "",
		"commit with message Fix the parser but leave out a.txt":   "",
		"commit with message Fix the parser without running hooks": "",
		"commit: wait":                        "",
		"commit: never mind":                  "",
		"commit: can you squash the last two": "",
		"commit: same as last time":           "",
		"commit: only the parser":             "",
	} {
		if got, _ := decide(f, r, prompt); got != want {
			t.Errorf("%q: expected %q, observed %q", prompt, want, got)
		}
	}
}
