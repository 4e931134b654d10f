package stories_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"testing"

	"kitsoki/compiler"
	"kitsoki/compiler/lint"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/source"
	"kitsoki/compiler/storytest"
	"kitsoki/compiler/storytest/flow"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
	"kitsoki/stories"
)

// options are those of a compile; a story may import one that ships.
func options() compiler.Options {
	return compiler.Options{Tool: "test", Library: source.Library{Open: stories.Open, Names: stories.Names}}
}

// compiled gives a story's files and its artifact's bytes.
func compiled(t *testing.T, name string) (fs.FS, []byte) {
	t.Helper()
	fsys, ok := stories.Open(stories.Prefix + name)
	if !ok {
		t.Fatalf("there is no story %s", name)
	}
	out, ds := compiler.Compile(fsys, "app.yaml", options())
	for _, d := range ds {
		t.Errorf("%s: %s:%d:%d: %s: %s", name, d.Pos.File, d.Pos.Line, d.Pos.Col, d.Severity, d.Message)
	}
	if out.Image == nil {
		t.FailNow()
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	return fsys, data
}

func TestStoriesCompileClean(t *testing.T) {
	t.Parallel()
	names := stories.Names()
	if len(names) < 2 {
		t.Fatalf("only %v", names)
	}
	for _, name := range names {
		_, one := compiled(t, name)
		was := runtime.GOMAXPROCS(1)
		_, two := compiled(t, name)
		runtime.GOMAXPROCS(was)
		if !bytes.Equal(one, two) {
			t.Errorf("%s: two compiles differ", name)
		}
	}
	if _, ok := stories.Open("builtin:none"); ok {
		t.Error("a story that is not there was opened")
	}
}

// TestLintClean: lint has nothing to say about what ships.
func TestLintClean(t *testing.T) {
	t.Parallel()
	for _, name := range stories.Names() {
		fsys, raw := compiled(t, name)
		out, ds := compiler.Compile(fsys, "app.yaml", options())
		in := lint.Input{Story: out.Story, Program: out.Program, Image: out.Image, Found: ds, Tested: true}
		data, err := fs.ReadFile(fsys, storytest.PhrasesFile)
		if err != nil {
			t.Fatal(err)
		}
		in.Cases, _ = storytest.ReadPhrases(storytest.PhrasesFile, data)
		if in.File, err = artifact.Decode(name, raw); err != nil {
			t.Fatal(err)
		}
		for _, d := range lint.Run(in) {
			t.Errorf("%s: %s:%d:%d: %s [%s]", name, d.Pos.File, d.Pos.Line, d.Pos.Col, d.Message, d.Code)
		}
	}
}

// TestRoutingTests: every shipped story says what must match and, at more
// length, what must pass.
func TestRoutingTests(t *testing.T) {
	t.Parallel()
	for _, name := range stories.Names() {
		fsys, raw := compiled(t, name)
		data, err := fs.ReadFile(fsys, storytest.PhrasesFile)
		if err != nil {
			t.Fatal(err)
		}
		cases, ds := storytest.ReadPhrases(storytest.PhrasesFile, data)
		if ds.HasErrors() {
			t.Fatalf("%s: %v", name, ds)
		}
		f, err := artifact.Decode(name, raw)
		if err != nil {
			t.Fatal(err)
		}
		outcomes, err := storytest.Run(f, cases)
		if err != nil {
			t.Fatal(err)
		}
		match, pass := 0, 0
		for _, o := range outcomes {
			if o.Intent == "" {
				pass++
			} else {
				match++
			}
			if !o.OK {
				t.Errorf("%s:%d: %q: got %s", name, o.Pos.Line, o.Input, o.Got)
			}
		}
		if match < 20 || pass < 60 {
			t.Errorf("%s: %d match and %d pass phrases, expected at least 20 and 60", name, match, pass)
		}
	}
}

// TestInsertedWordsPass: a forbidden word anywhere outside of a value makes
// every accepted prompt pass.
func TestInsertedWordsPass(t *testing.T) {
	t.Parallel()
	pack, err := packs.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stories.Names() {
		fsys, raw := compiled(t, name)
		data, err := fs.ReadFile(fsys, storytest.PhrasesFile)
		if err != nil {
			t.Fatal(err)
		}
		cases, _ := storytest.ReadPhrases(storytest.PhrasesFile, data)
		f, err := artifact.Decode(name, raw)
		if err != nil {
			t.Fatal(err)
		}
		failed, tried := storytest.Insertions(f, cases, pack)
		if tried < 1000 {
			t.Errorf("%s: only %d insertions were tried", name, tried)
		}
		for _, o := range failed {
			t.Errorf("%s: %q: got %s", name, o.Input, o.Got)
		}
	}
}

// TestSynonymsNeedTheSegment: at least 15 routing tests of each story are
// answered through the bleve segment, and exactly those are lost without it.
func TestSynonymsNeedTheSegment(t *testing.T) {
	t.Parallel()
	for _, name := range stories.Names() {
		fsys, ok := stories.Open(name)
		if !ok {
			t.Fatal(name)
		}
		data, err := fs.ReadFile(fsys, storytest.PhrasesFile)
		if err != nil {
			t.Fatal(err)
		}
		cases, _ := storytest.ReadPhrases(storytest.PhrasesFile, data)
		out, _ := compiler.Compile(fsys, "app.yaml", options())
		with := outcomes(t, out.Image, cases)
		out.Image.Segment.Data = nil
		without := outcomes(t, out.Image, cases)
		synonyms := 0
		for i, o := range with {
			lost := o.OK && !without[i].OK
			if o.Tier == match.TierSynonym {
				synonyms++
			}
			if lost != (o.Tier == match.TierSynonym) {
				t.Errorf("%s: %q found by %q: lost without the segment: %v", name, o.Input, o.Tier, lost)
			}
		}
		if synonyms < 15 {
			t.Errorf("%s: %d phrases are answered by synonyms, expected at least 15", name, synonyms)
		}
	}
}

func outcomes(t *testing.T, img *artifact.Image, cases []storytest.Case) []storytest.Outcome {
	t.Helper()
	data, err := artifact.Encode(img)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("test", data)
	if err != nil {
		t.Fatal(err)
	}
	out, err := storytest.Run(f, cases)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFrames holds every shipped example against the English frames.
func TestFrames(t *testing.T) {
	t.Parallel()
	pack, err := packs.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	if len(pack.TestMatch) < 20 || len(pack.TestPass) < 20 {
		t.Errorf("the pack has %d match and %d pass frames", len(pack.TestMatch), len(pack.TestPass))
	}
	for _, name := range stories.Names() {
		_, raw := compiled(t, name)
		f, err := artifact.Decode(name, raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, room := range f.Rooms() {
			for _, o := range storytest.Frames(f, room, pack) {
				if !o.OK {
					t.Errorf("%s: %q: expected %q, got %s", name, o.Input, o.Intent, o.Got)
				}
			}
		}
	}
}

// TestFlows runs every flow test that stands beside a shipped story; each
// story has one at least.
func TestFlows(t *testing.T) {
	t.Parallel()
	for _, name := range stories.Names() {
		fsys := os.DirFS(name)
		_, raw := compiled(t, name)
		f, err := artifact.Decode(name, raw)
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.Program()
		if err != nil {
			t.Fatal(err)
		}
		flows, ds := flow.Load(flow.Story{FS: fsys, Manifest: "app.yaml", Program: p}, flow.Files(fsys))
		if len(ds) > 0 || len(flows) == 0 {
			t.Fatalf("%s: %d flows, %v", name, len(flows), ds)
		}
		r := &flow.Runner{FS: fsys, File: f, Program: p}
		for _, fl := range flows {
			res := r.Run(context.Background(), fl)
			if len(res.Unplayed) > 0 {
				t.Errorf("%s/%s: not played: %v", name, fl.File, res.Unplayed)
			}
			for _, step := range res.Steps {
				if !step.OK {
					t.Errorf("%s/%s: %s: %+v\n%s", name, fl.File, step.Name, step.Failures, strings.Join(step.Trace, "\n"))
				}
			}
		}
	}
}

// TestTheProgramHoldsWhatItReads: every file of a story is embedded, but for
// its documents and its flow tests.
func TestTheProgramHoldsWhatItReads(t *testing.T) {
	t.Parallel()
	for _, name := range stories.Names() {
		embedded, _ := stories.Open(name)
		err := fs.WalkDir(os.DirFS(name), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			_, missing := fs.Stat(embedded, path)
			if needless := path == "README.md" || strings.HasPrefix(path, "flows/"); needless == (missing == nil) {
				t.Errorf("%s/%s: needless %v, embedded %v", name, path, needless, missing == nil)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
