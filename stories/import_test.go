package stories_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/compiler/source"
	"kitsoki/compiler/storytest"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/stories"
)

// importer offers git-ops below an alias, and its commands in a room of its
// own.
const importer = `
app: {id: mine}
root: home
imports:
  gitops: {source: "builtin:git-ops", entry: intercept}
states:
  home: {include_arcs: [gitops.intercept]}
`

func decoded(t *testing.T, img *artifact.Image) *artifact.File {
	t.Helper()
	data, err := artifact.Encode(img)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("test", data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// verdict asks one room about a prompt.
func verdict(t *testing.T, f *artifact.File, room, prompt string) match.Decision {
	t.Helper()
	r, ok := f.Room(room)
	if !ok {
		t.Fatalf("there is no room %s", room)
	}
	yes := func(string) (bool, bool) { return true, true }
	res := match.Classify(f, match.Query{Prompt: prompt, Automaton: r.Automaton, Intents: r.Intents}, &match.Scratch{})
	return match.Decide(res, match.Policy{}, match.Facts{Branch: yes, Path: yes})
}

// TestAnImportedStoryDecidesAlike: every phrase of git-ops is decided below
// an alias, and in a room that offers it, as in git-ops itself.
func TestAnImportedStoryDecidesAlike(t *testing.T) {
	t.Parallel()
	lib := source.Library{Open: stories.Open, Names: stories.Names}
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(importer)}}, "app.yaml", compiler.Options{Library: lib})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	fsys, _ := stories.Open("git-ops")
	alone, _ := compiler.Compile(fsys, "app.yaml", compiler.Options{})
	data, err := fs.ReadFile(fsys, storytest.PhrasesFile)
	if err != nil {
		t.Fatal(err)
	}
	cases, _ := storytest.ReadPhrases(storytest.PhrasesFile, data)
	imported, itself := decoded(t, out.Image), decoded(t, alone.Image)
	taken := 0
	for _, c := range cases {
		want := verdict(t, itself, "intercept", c.Input)
		if want.Intercept {
			taken++
		}
		for _, room := range []string{"gitops.intercept", "home"} {
			if got := verdict(t, imported, room, c.Input); !alike(got, want) {
				t.Errorf("%s: %q: expected %+v, observed %+v", room, c.Input, want, got)
			}
		}
	}
	if taken < 20 || len(cases)-taken < 60 {
		t.Errorf("only %d of %d phrases are commands", taken, len(cases))
	}
}

// alike compares two decisions but for the alias.
func alike(got, want match.Decision) bool {
	if got.Intercept != want.Intercept || got.Reason != want.Reason || got.Top != want.Top {
		return false
	}
	if want.Hit == nil {
		return got.Hit == nil
	}
	g, w := got.Hit, want.Hit
	if g == nil || g.Intent != "gitops__"+w.Intent || g.Tier != w.Tier || g.Source != w.Source || len(g.Slots) != len(w.Slots) {
		return false
	}
	for i := range w.Slots {
		if g.Slots[i].Raw != w.Slots[i].Raw || g.Slots[i].Name != w.Slots[i].Name {
			return false
		}
	}
	return g.Pos.File == "builtin:git-ops/"+w.Pos.File && g.Pos.Line == w.Pos.Line && g.Pos.Col == w.Pos.Col
}
