package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	lex, err := newLexicon()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ prompt, want string }{
		{"How do I deploy the services?", "deploy servic"},
		{"what does it mean, and how can we?", ""},
		{"host.run's max_timeout", "host run max timeout"},
		{"Retry, RETRY and retries", "retri"},
		{"KIT507 in step 3", "kit507 step 3"},
		{"wie werden die Verbindungen geschlossen?", "verbindung geschloss"},
		{"Wo sind die Häuser und die Straße?", "haus strass"},
		{"Verbindungen", "verbindungen|verbindung"}, // undecided: either stem
		{"测试", "测 试"},
		{"🙂 — ?", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, w := range lex.ask(tt.prompt).terms {
			got = append(got, strings.Join(w.forms, "|"))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.prompt, got, tt.want)
		}
	}
}

func TestLongPromptIsBounded(t *testing.T) {
	t.Parallel()
	lex, err := newLexicon()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	if got := lex.ask(b.String()).terms; len(got) != maxTerms || got[99].forms[0] != "w99" {
		t.Errorf("%d terms", len(got))
	}
}

// TestRelevance works the measure out by hand: 1000 documents, the weight of
// a term in n of them being ln(1 + (1000-n+½)/(n+½)).
func TestRelevance(t *testing.T) {
	t.Parallel()
	weight := func(n float64) float64 { return math.Log(1 + (1000-n+0.5)/(n+0.5)) }
	lex, err := newLexicon()
	if err != nil {
		t.Fatal(err)
	}
	df := map[string]uint64{"rare": 1, "usual": 100, "common": 900}
	tests := []struct {
		name, prompt string
		heading      int
		places       [][]int
		want         float64
	}{
		{"all, apart", "rare usual", 0, [][]int{{5}, {50}}, 0.75},
		{"neighbours", "rare usual", 0, [][]int{{5}, {6}}, 0.85},
		{"stop words between them", "rare usual", 0, [][]int{{5}, {8}}, 0.85},
		{"too far", "rare usual", 0, [][]int{{5}, {9}}, 0.75},
		{"the other way round", "rare usual", 0, [][]int{{6}, {5}}, 0.75},
		{"the rare one", "rare usual", 0, [][]int{{5}, nil}, 0.75 * weight(1) / (weight(1) + weight(100))},
		{"the usual one", "rare usual", 0, [][]int{nil, {5}}, 0.75 * weight(100) / (weight(1) + weight(100))},
		{"in the heading", "rare usual", 5, [][]int{{5}, {50}}, 0.75 + 0.5*weight(1)/(weight(1)+weight(100))},
		{"all of it", "rare usual", 6, [][]int{{5}, {6}}, 1.35},
		{"what no document has counts against", "rare unknown", 0, [][]int{{5}, nil}, 0.75 * weight(1) / (weight(1) + weight(0))},
		{"of a common word nothing follows", "common", 1, [][]int{{1}}, 1.25 * weight(900) / weight(0)},
		{"nor of two", "usual common", 0, [][]int{{5}, {50}}, 0.75 * (weight(100) + weight(900)) / weight(0)},
		{"no content", "is it the", 0, nil, 0},
	}
	for _, tt := range tests {
		q := lex.ask(tt.prompt)
		q.weigh(1000, func(i int) uint64 { return df[q.terms[i].forms[0]] })
		if got := q.measure(tt.places, tt.heading).relevance; math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %.4f, want %.4f", tt.name, got, tt.want)
		}
	}
	if weight(0) <= weight(1) || weight(1) <= weight(2) {
		t.Error("what is rarer does not weigh more")
	}
}

func TestHeadingTermsCount(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("docs/walrus.md", "# Feeding\n\n## In winter\n\nClams.\n\n## In summer\n\nMussels.\n")
	p.write("docs/other.md", "# Feeding clams\n\nNothing.\n")
	p.build()
	if got := p.ask("feeding a walrus clams in winter"); got != "docs/walrus.md:3" {
		t.Errorf("found %q", got)
	}
}

func TestGermanNotes(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", "# Verbindungen\n\nEine Verbindung wird nach dreißig Sekunden geschlossen, wenn der Server nicht antwortet.\n")
	p.write("b.md", "# Häuser\n\nDie Häuser sind aus Holz und stehen am Wald.\n")
	p.build()
	for prompt, want := range map[string]string{
		"wann werden Verbindungen geschlossen?": "a.md:1", "aus welchem Holz ist das Haus?": "b.md:1",
		"wie viele Fenster hat das Haus im Dorf?": "",
	} {
		if got := p.ask(prompt); got != want {
			t.Errorf("%s: %q, want %q", prompt, got, want)
		}
	}
}

func TestHitNamesItsPlace(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("docs/a.md", "intro\n\n# Animals\n\n## Walrus\n\nThe walrus prefers arctic shallows.\n")
	p.build()
	hits, err := p.open().Search(context.Background(), Query{Prompt: "does the walrus prefer arctic shallows?", Floor: 0.55})
	if err != nil || len(hits) != 1 {
		t.Fatal(hits, err)
	}
	want := Hit{
		Kind: KindSection, Key: "docs/a.md#Animals > Walrus", Title: "Animals > Walrus", Body: "The walrus prefers arctic shallows.",
		Source: "docs/a.md:5", Path: "docs/a.md", Line: 5, Relevance: hits[0].Relevance, Digest: hits[0].Digest,
	}
	if hits[0] != want || len(want.Digest) != 24 || want.Relevance <= shareWeight || want.Relevance >= 1 {
		t.Errorf("got %+v", hits[0])
	}
	p.write("docs/a.md", "intro\nmore\n\n# Animals\n\n## Walrus\n\nThe walrus prefers arctic shallows!\n")
	p.build()
	again, err := p.open().Search(context.Background(), Query{Prompt: "does the walrus prefer arctic shallows?", Floor: 0.55})
	if err != nil || len(again) != 1 || again[0].Key != want.Key || again[0].Digest == want.Digest || again[0].Line != 6 {
		t.Errorf("after an edit: %+v, %v", again, err)
	}
}

func at(minute int) time.Time { return time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC) }

func TestTurnsNeedMoreAndDocumentsWinTies(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("z.md", "# Cache\n\nThe cache expires hourly.\n")
	p.turns = []Turn{{ID: "turn:1", Query: "Cache?", Answer: "The cache expires hourly.", Time: at(1)}}
	if r := p.build(); r.Turns != 1 || r.Sections != 1 {
		t.Errorf("%+v", r)
	}
	s := p.open()
	q := Query{Prompt: "does the cache expire hourly?", Floor: 0.5, TurnFloor: 0.8}
	if got := answers(t, s, q); got != "z.md:1 turn:1" {
		t.Errorf("a tie: %q", got)
	}
	q.Prompt = "does the cache expire nightly?"
	if got := answers(t, s, q); got != "z.md:1" {
		t.Errorf("below the floor of turns: %q", got)
	}
	if got := s.Info(); got.Turns != 1 || got.Sections != 1 || !got.Newest.Equal(at(1)) || got.Generation != "g00000001" {
		t.Errorf("info: %+v", got)
	}
}

func TestTurnsAreReusedAndForgotten(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for i := range 4 {
		p.turns = append(p.turns, Turn{ID: fmt.Sprintf("turn:%d", i), Query: "where is walrus " + fmt.Sprint(i), Answer: "in the shallows", Time: at(i)})
	}
	p.turns = append(p.turns, p.turns[0]) // told twice
	p.build()
	if r := p.build(); !r.Unchanged || r.Turns != 4 {
		t.Errorf("%+v", r)
	}
	q := Query{Prompt: "walrus in shallows", Floor: 0.5, TurnFloor: 0.5}
	old := p.open()
	q.Gone = func(id string) bool { return id == "turn:2" } // forgotten since
	if got := answers(t, old, q); got != "turn:3 turn:1 turn:0" {
		t.Errorf("forgotten since: %q", got)
	}
	q.Gone = nil
	p.turns = slices.Delete(p.turns, 1, 2)
	p.turns[1].Answer = "in deep shallows"
	p.build()
	if got := answers(t, p.open(), q); got != "turn:3 turn:2 turn:0" {
		t.Errorf("forgotten: %q", got)
	}
}

func TestTailIsScanned(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", "# Heron\n\nHerons nest in poplars.\n")
	p.turns = []Turn{{ID: "turn:1", Query: "where do otters sleep?", Answer: "in kelp", Time: at(1)}}
	p.build()
	fresh := Turn{ID: "turn:2", Query: "where do otters sleep at night?", Answer: "in kelp forests", Time: at(2)}
	q := Query{Prompt: "where do otters sleep?", Floor: 0.55, TurnFloor: 0.77, Tail: turnsOf(p.turns[0], fresh)}
	s := p.open()
	if got := answers(t, s, q); got != "turn:2 turn:1" {
		t.Errorf("found %q", got)
	}
	scanned, err := s.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	p.turns = append(p.turns, fresh)
	p.build()
	indexed, err := p.open().Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range scanned { // weights move with the number of documents, and are equal here
		scanned[i].Relevance, indexed[i].Relevance = 0, 0
	}
	if !slices.Equal(scanned, indexed) {
		t.Errorf("scanned %+v\nindexed %+v", scanned, indexed)
	}
	q.Tail = func(yield func(Turn, error) bool) { yield(Turn{}, fmt.Errorf("unreadable")) }
	if _, err := s.Search(context.Background(), q); err == nil || stateOf(t, err) != StateCorrupt {
		t.Errorf("a tail that can't be read: %v", err)
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	p := built(t)
	s := p.open()
	q := Query{Prompt: "walrus in arctic shallows", Floor: 0.55, TurnFloor: 1, Limit: 2}
	if got := answers(t, s, q); got != "n0.md:1 n1.md:1" {
		t.Errorf("found %q", got)
	}
}

// thousands is a repository of 2,000 sections in 200 files.
func thousands(t testing.TB) *place {
	p := newPlace(t)
	subjects := strings.Fields("cache queue index parser socket session journal cluster ledger router broker mirror")
	verbs := strings.Fields("expires drains rotates retries aligns balances truncates compacts resumes isolates")
	for i := range 200 {
		var b strings.Builder
		for k := range 10 {
			fmt.Fprintf(&b, "## %s %d\n\n", subjects[(i+k)%len(subjects)], i*10+k)
			for n := range 12 {
				fmt.Fprintf(&b, "The %s %s when the %s of node%d has word%d in state %d. ", subjects[(i*k+n)%len(subjects)],
					verbs[(i+n)%len(verbs)], subjects[(k+n)%len(subjects)], i%37, (i*31+k*7+n)%997, n)
			}
			b.WriteString("\n\n")
		}
		p.write(fmt.Sprintf("docs/f%03d.md", i), b.String())
	}
	p.build()
	return p
}

func BenchmarkOpenAndSearch(b *testing.B) {
	p := thousands(b)
	for b.Loop() {
		s, err := Open(context.Background(), p.dir)
		if err != nil {
			b.Fatal(err)
		}
		q := Query{Prompt: "why does the cache of node12 have word345 when the queue rotates?", Floor: 0.55, TurnFloor: 0.77}
		if _, err := s.Search(context.Background(), q); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Stale(context.Background(), p.root); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	p := thousands(b)
	p.fresh = true
	for b.Loop() {
		p.build()
	}
}
