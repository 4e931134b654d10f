package lint_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/compiler/diag"
	"kitsoki/compiler/lint"
	"kitsoki/compiler/source"
	"kitsoki/compiler/storytest"
	"kitsoki/runtime/artifact"
)

// linted compiles a story of files and gives all that lint says.
func linted(t *testing.T, files fstest.MapFS) (*source.Story, diag.List) {
	t.Helper()
	out, ds := compiler.Compile(files, "app.yaml", compiler.Options{Tool: "test"})
	in := lint.Input{Story: out.Story, Program: out.Program, Image: out.Image, Found: ds}
	if f := files[storytest.PhrasesFile]; f != nil {
		cases, more := storytest.ReadPhrases(storytest.PhrasesFile, f.Data)
		in.Cases, in.Tested, in.Found = cases, true, append(ds, more...)
	}
	if out.Image != nil {
		data, err := artifact.Encode(out.Image)
		if err != nil {
			t.Fatal(err)
		}
		if in.File, err = artifact.Decode("test", data); err != nil {
			t.Fatal(err)
		}
	}
	return out.Story, lint.Run(in)
}

// stories cuts the stories out of a page: the part below a heading.
func stories(page, heading string) fstest.MapFS {
	_, part, _ := strings.Cut(page, "## "+heading+"\n")
	part, _, _ = strings.Cut(part, "\n## ")
	files := fstest.MapFS{}
	for _, m := range regexp.MustCompile("(?s)```yaml (\\S+)\n(.*?)```").FindAllStringSubmatch(part, -1) {
		files[m[1]] = &fstest.MapFile{Data: []byte(m[2])}
	}
	return files
}

// TestEveryRuleHasItsPair: the bad story of each rule's page has that code and
// no error but it, the good one has nothing to say at all.
func TestEveryRuleHasItsPair(t *testing.T) {
	t.Parallel()
	rules := 0
	for _, e := range diag.Codes() {
		if !strings.HasPrefix(string(e.Code), "KIT5") {
			continue
		}
		rules++
		page, err := lint.Explain(string(e.Code))
		if err != nil {
			t.Fatal(err)
		}
		bad, good := stories(page, "Bad"), stories(page, "Good")
		if bad["app.yaml"] == nil || good["app.yaml"] == nil {
			t.Errorf("%s: no page with a bad and a good story", e.Code)
			continue
		}
		_, ds := linted(t, bad)
		if len(ds) == 0 || slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code != e.Code }) {
			t.Errorf("%s: expected this code alone for the bad story, observed %v", e.Code, ds)
		}
		for _, d := range ds {
			if d.Hint == "" || d.Pos.Line == 0 {
				t.Errorf("%s: no hint or no place: %+v", e.Code, d)
			}
		}
		if _, ds := linted(t, good); len(ds) > 0 {
			t.Errorf("%s: expected nothing for the good story, observed %v", e.Code, ds)
		}
	}
	if rules < 20 {
		t.Errorf("only %d rules", rules)
	}
	if _, err := lint.Explain("KIT999"); err == nil {
		t.Error("a code that does not exist was explained")
	}
}

const exempted = `app: {id: demo%s}
hosts: [host.run]
intents:
  greet: {examples: [say hello]}
  part:%s
    examples: [say goodbye]
root: home
states:
  home:%s
    on:
      greet: [{effects: [{say: hello}]}]
`

// TestExemptions: an exemption holds where it stands, says so when it is not
// needed, and never hides an error.
func TestExemptions(t *testing.T) {
	t.Parallel()
	phrases := &fstest.MapFile{Data: []byte("- {room: home, pass: [why say hello]}\n")}
	for name, c := range map[string]struct {
		app, intent, state string
		want               []diag.Code
	}{
		"none":               {want: []diag.Code{diag.UnusedHost, diag.DeadIntent}},
		"whole story":        {app: ", lint: {allow: {KIT511: later, KIT504: later}}"},
		"intent":             {intent: "\n    lint: {allow: {KIT504: later}}", want: []diag.Code{diag.UnusedHost}},
		"not at this intent": {intent: "\n    lint: {allow: {KIT511: later}}", want: []diag.Code{diag.UnusedHost, diag.DeadIntent, diag.UnusedExemption}},
		"state":              {state: "\n    lint: {allow: {KIT502: none}}", want: []diag.Code{diag.UnusedHost, diag.DeadIntent, diag.UnusedExemption}},
		"an error":           {app: ", lint: {allow: {KIT203: never}}", want: []diag.Code{diag.UnusedExemption, diag.UnusedHost, diag.DeadIntent}},
	} {
		src := strings.Replace(exempted, "%s", c.app, 1)
		src = strings.Replace(strings.Replace(src, "%s", c.intent, 1), "%s", c.state, 1)
		_, ds := linted(t, fstest.MapFS{"app.yaml": {Data: []byte(src)}, storytest.PhrasesFile: phrases})
		var got []diag.Code
		for _, d := range ds {
			got = append(got, d.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: expected %v, observed %v", name, c.want, ds)
		}
	}
}

func TestErrorsStayAndAreListed(t *testing.T) {
	t.Parallel()
	src := strings.ReplaceAll(exempted, "%s", "")
	_, ds := linted(t, fstest.MapFS{"app.yaml": {Data: []byte(strings.Replace(src, "greet: [{", "greet: [{target: nowhere, ", 1))}})
	if !ds.HasErrors() || !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == diag.DeadIntent }) {
		t.Errorf("expected the error and the advice beside it, observed %v", ds)
	}
}

const untidy = `# About this story.
app: {id: demo}
root: home
intents:
  greet:
    # What people say.
    examples:
      - say hello
      - Say hello! # again
      - "turn it on"
    synonyms: ["turn it {how}", say hello, "turn me {how}"]
    slots:
      how: {type: enum, values: [off, 'left']}
# Where it happens.
states:
  home:
    on:
      greet: [{effects: [{say: "{{ slots.how }}"}]}]
# What there is to know.
world: {}
`

const tidied = `# About this story.
app: {id: demo}
# What there is to know.
world: {}
intents:
  greet:
    # What people say.
    examples:
      - say hello
      - "turn it on"
    synonyms: ["turn it {how}", "turn me {how}"]
    slots:
      how: {type: enum, values: ["off", 'left']}
root: home
# Where it happens.
states:
  home:
    on:
      greet: [{effects: [{say: "{{ slots.how }}"}]}]
`

// TestFix: what is mechanical is mended in the author's own text, and then
// there is nothing more to mend.
func TestFix(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"", "\ufeff"} {
		data := []byte(mark + untidy)
		for range 3 {
			st, ds := linted(t, fstest.MapFS{"app.yaml": {Data: data}})
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			for _, f := range lint.Apply(st.Files, lint.Fixes(st, ds)) {
				data = f.Data
			}
		}
		if string(data) != mark+tidied {
			t.Errorf("expected\n%s\nobserved\n%s", mark+tidied, data)
		}
	}
}

// TestFixLeavesWhatItCannotMove: aliases, and keys that do not begin a line.
func TestFixLeavesWhatItCannotMove(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"{root: home, app: {id: demo}, states: {home: {}}}\n",
		"app: {id: demo}\nroot: &r home\nintents: {}\nstates: {home: {description: *r}}\n",
	} {
		st, ds := linted(t, fstest.MapFS{"app.yaml": {Data: []byte(src)}})
		if !slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code == diag.KeyOrder }) {
			t.Errorf("the order was not seen: %v", ds)
		}
		if got := lint.Apply(st.Files, lint.Fixes(st, ds)); len(got) > 0 {
			t.Errorf("expected the file as it was, observed %s", got[0].Data)
		}
	}
}
