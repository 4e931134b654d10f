package packs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kitsoki/compiler"
	"kitsoki/compiler/packs"
	"kitsoki/compiler/pattern"
	"kitsoki/compiler/source"
	"kitsoki/compiler/storytest"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/text"
)

// leastOfEach is how many fillers, frames, matching and passing prompts a
// language must show for itself.
const leastOfEach = 20

// eachLanguage runs a test for every pack.
func eachLanguage(t *testing.T, test func(t *testing.T, p *packs.Pack)) {
	t.Helper()
	for _, lang := range packs.Languages() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			p, err := packs.Load(lang)
			if err != nil {
				t.Fatal(err)
			}
			test(t, p)
		})
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	want := []string{"de", "en", "es", "fr", "ja", "zh"}
	if got := packs.Languages(); !slices.Equal(got, want) {
		t.Errorf("expected %v, observed %v", want, got)
	}
	if _, err := packs.Load("tlh"); err == nil {
		t.Error("a language without a pack was loaded")
	}
}

func TestEveryPackIsWhole(t *testing.T) {
	t.Parallel()
	eachLanguage(t, func(t *testing.T, p *packs.Pack) {
		lead := slices.Concat(p.Lead, p.Please, p.Request, p.Ask)
		trail := slices.Concat(p.Trail, p.TrailPlease, p.TrailRequest, p.TrailAsk)
		for name, n := range map[string]int{
			"fillers": len(lead) + len(trail), "frames that match": len(p.TestMatch), "frames that pass": len(p.TestPass),
		} {
			if n < leastOfEach {
				t.Errorf("%d %s, expected at least %d", n, name, leastOfEach)
			}
		}
		requests := slices.Concat(p.Request, p.Ask, p.TrailRequest, p.TrailAsk)
		if len(lead) == 0 || len(trail) == 0 || len(requests) == 0 || len(p.Hedge) == 0 || len(p.Forbidden) == 0 || len(p.FreeText) == 0 {
			t.Errorf("a list is empty: %+v", p)
		}
		for _, w := range slices.Concat(p.Joins, p.Stops) {
			if len(text.Words(w)) != 1 {
				t.Errorf("%q is not one token, and a word of free text is compared alone", w)
			}
		}
	})
}

// TestNoKeyIsOverlooked: a list under a misspelt key would be no list.
func TestNoKeyIsOverlooked(t *testing.T) {
	t.Parallel()
	known := map[string][]string{
		"": {"language", "fillers", "forbidden", "free_text", "joins", "stops", "not_first", "nouns", "tests"},
		"fillers": {
			"lead", "remark", "please", "request", "ask", "plan", "we", "hedge",
			"trail", "trail_please", "trail_request", "trail_ask", "trail_particle",
		},
		"tests": {"match", "pass"},
	}
	eachLanguage(t, func(t *testing.T, p *packs.Pack) {
		data, err := os.ReadFile(p.Language + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		root, ds := source.Document(p.Language, data)
		if ds.HasErrors() || root.Get("language").Text != p.Language {
			t.Fatalf("language %q, %v", root.Get("language").Text, ds)
		}
		for under, keys := range known {
			n := root
			if under != "" {
				n = root.Get(under)
			}
			for _, pair := range n.Pairs {
				if !slices.Contains(keys, pair.Key.Val) {
					t.Errorf("line %d: the key %q is read by nobody", pair.Key.Pos.Line, pair.Key.Val)
				}
			}
		}
	})
}

// TestEveryFillerIsAPattern: what cannot be parsed would be reported at a
// place that no story has.
func TestEveryFillerIsAPattern(t *testing.T) {
	t.Parallel()
	eachLanguage(t, func(t *testing.T, p *packs.Pack) {
		lists := slices.Concat(p.Lead, p.Please, p.Request, p.Ask, p.We, p.Hedge, p.Trail, p.TrailPlease, p.TrailRequest, p.TrailAsk, p.TrailParticle)
		for _, f := range lists {
			if _, err := pattern.Parse(f.Val); err != nil {
				t.Errorf("line %d: %q: %s", f.Pos.Line, f.Val, err.Msg)
			}
		}
	})
}

// fixture compiles the story of a language and reads its routing tests.
func fixture(t *testing.T, lang string) (*artifact.File, []storytest.Case) {
	t.Helper()
	dir := filepath.Join("testdata", lang)
	out, ds := compiler.Compile(os.DirFS(dir), "app.yaml", compiler.Options{Tool: "test"})
	for _, d := range ds {
		t.Errorf("%s/%s:%d:%d: %s: %s", dir, d.Pos.File, d.Pos.Line, d.Pos.Col, d.Severity, d.Message)
	}
	if out.Image == nil {
		t.Fatalf("there is no story in %s", dir)
	}
	if out.Image.Locale != lang {
		t.Fatalf("the story in %s is of the language %q", dir, out.Image.Locale)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode(lang, data)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, storytest.PhrasesFile))
	if err != nil {
		t.Fatal(err)
	}
	cases, more := storytest.ReadPhrases(storytest.PhrasesFile, raw)
	if more.HasErrors() {
		t.Fatal(more)
	}
	return f, cases
}

func report(t *testing.T, outcomes []storytest.Outcome) {
	t.Helper()
	for _, o := range outcomes {
		if !o.OK {
			t.Errorf("line %d: %q: expected %q, observed %s", o.Pos.Line, o.Input, o.Intent, o.Got)
		}
	}
}

// TestEveryLanguageHoldsItsStory: a story as a native would write it, and
// what a native would type.
func TestEveryLanguageHoldsItsStory(t *testing.T) {
	t.Parallel()
	eachLanguage(t, func(t *testing.T, p *packs.Pack) {
		f, cases := fixture(t, p.Language)
		match, intents := 0, map[string]bool{}
		for _, c := range cases {
			if c.Intent != "" {
				match++
				intents[c.Intent] = true
			}
		}
		if pass := len(cases) - match; match < leastOfEach || pass < leastOfEach || len(intents) < 5 {
			t.Errorf("%d prompts that match, of %d intents, and %d that pass", match, len(intents), pass)
		}
		outcomes, err := storytest.Run(f, cases)
		if err != nil {
			t.Fatal(err)
		}
		report(t, outcomes)
		for _, room := range f.Rooms() {
			framed := storytest.Frames(f, room, p)
			if len(framed) < leastOfEach*10 {
				t.Errorf("only %d framed examples", len(framed))
			}
			report(t, framed)
		}
		failed, tried := storytest.Insertions(f, cases, p)
		if tried < len(p.Forbidden)*match {
			t.Errorf("only %d insertions", tried)
		}
		report(t, failed)
	})
}

// TestLanguagesDoNotMix: a command between the fillers of another language
// passes, unless both languages have the words.
func TestLanguagesDoNotMix(t *testing.T) {
	t.Parallel()
	foreign := map[string]string{
		"de": "bitte {i}", "en": "please {i}", "es": "por favor {i}", "fr": "merci de {i}", "ja": "{i}してください", "zh": "请{i}",
	}
	eachLanguage(t, func(t *testing.T, p *packs.Pack) {
		f, _ := fixture(t, p.Language)
		for lang, frame := range foreign {
			only := &packs.Pack{TestPass: []string{frame}}
			if lang == p.Language {
				only = &packs.Pack{TestMatch: []string{frame}}
			}
			report(t, storytest.Frames(f, f.Rooms()[0], only))
		}
	})
}

// TestForbiddenWordsStandOnce: a word that stands twice was meant to be another.
func TestForbiddenWordsStandOnce(t *testing.T) {
	t.Parallel()
	eachLanguage(t, func(t *testing.T, p *packs.Pack) {
		seen := map[string]bool{}
		for _, w := range p.Forbidden {
			if key := text.Key(w); seen[key] || strings.TrimSpace(w) != w || key == "" {
				t.Errorf("%q stands twice, or is no word", w)
			}
			seen[text.Key(w)] = true
		}
	})
}
