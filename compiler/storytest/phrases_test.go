package storytest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/compiler/packs"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

const story = `
app: {id: t}
root: r
intents:
  greet:
    examples: ["say hello"]
    synonyms: ["say hello to {who}"]
    slots: {who: {type: ref}}
states:
  r: {on: {greet: [{target: .}]}}
`

func open(t *testing.T) *artifact.File {
	t.Helper()
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(story)}}, "app.yaml", compiler.Options{})
	if out.Image == nil {
		t.Fatal(ds)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("t", data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRunJudgesEachCase(t *testing.T) {
	t.Parallel()
	cases, ds := ReadPhrases(PhrasesFile, []byte(`
- room: r
  match:
    greet:
      - please say hello
      - {input: say hello to feature/x, slots: {who: feature/x}}
      - {input: say hello to feature/x, slots: {who: x}}
      - {input: say hello, slots: {who: x}}
      - say goodbye
  pass:
    - don't say hello
    - say hello
`))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	outcomes, err := Run(open(t), cases)
	if err != nil {
		t.Fatal(err)
	}
	want := []bool{true, true, false, false, false, true, false}
	if len(outcomes) != len(want) {
		t.Fatalf("observed %d outcomes", len(outcomes))
	}
	for i, o := range outcomes {
		if o.OK != want[i] || o.Got == "" {
			t.Errorf("%q (line %d): expected %v, observed %v: %s", o.Input, o.Pos.Line, want[i], o.OK, o.Got)
		}
	}
}

func TestTestsThatAreWrongAreRefused(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"- romm: r":                                  "unknown key",
		"- {room: r, match: {greet: 3}}":             "",
		"room: r":                                    "",
		"- {room: r, pass: [{input: x}]}":            "",
		"- {room: r, match: {greet: [{slots: {}}]}}": "input",
	} {
		_, ds := ReadPhrases(PhrasesFile, []byte(src))
		if !ds.HasErrors() || !strings.Contains(ds[0].Message, want) {
			t.Errorf("%s: observed %v", src, ds)
		}
	}
	for src, want := range map[string]string{
		"- {room: cellar, pass: [x]}":            "there is no room",
		"- {room: r, match: {leave: [go away]}}": "offers no intent",
	} {
		cases, _ := ReadPhrases(PhrasesFile, []byte(src))
		if _, err := Run(open(t), cases); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: observed %v", src, err)
		}
	}
}

func TestInsertionsFindWhatIsTaken(t *testing.T) {
	t.Parallel()
	pack := &packs.Pack{Forbidden: []string{"not", "please"}}
	cases := []Case{{Room: "r", Intent: "greet", Input: "say hello to feature/x"}}
	failed, tried := Insertions(open(t), cases, pack)
	if tried != 2*5 {
		t.Errorf("expected every gap to be tried with both words, observed %d", tried)
	}
	if len(failed) != 2 { // "please" before and behind is a filler
		t.Errorf("observed %+v", failed)
	}
	for _, o := range failed {
		if !strings.Contains(o.Input, "please") || o.OK {
			t.Errorf("observed %+v", o)
		}
	}
}

// TestWordsAreInsertedAsTheirScriptIsWritten: between any two characters of a
// script without blanks, and an elision joins what follows.
func TestWordsAreInsertedAsTheirScriptIsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prompt string
		at     int
		word   string
		want   string
	}{
		{"push it", 4, "not", "push not  it"},
		{"推送", 3, "不要", "推不要送"},
		{"lance tout", 5, "n'", "lance n'tout"},
	} {
		if got := insert(c.prompt, c.at, c.word); got != c.want {
			t.Errorf("expected %q, observed %q", c.want, got)
		}
	}
	if got := gaps("推送main 吧", &match.Hit{}); !slices.Equal(got, []int{0, 14, 3, 6, 10, 11}) {
		t.Errorf("observed %v", got)
	}
}
