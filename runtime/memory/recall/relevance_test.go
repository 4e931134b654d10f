package recall

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/memory/index"
)

// The goals, in per cent of the questions.
const (
	rightGoal   = 80 // of those with an answer: the right section is among the records
	silenceGoal = 95 // of those without: nothing is recalled
)

// asked is one question of the evaluation.
type asked struct {
	set      string   // dev: looked at while the measure was made; held: not
	expected []string // file#heading, any of them; none: nothing may be recalled
	prompt   string
}

func readQuestions(t *testing.T) []asked {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "questions.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var out []asked
	for line := range strings.Lines(string(raw)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(f) != 3 {
			t.Fatalf("not three columns: %q", line)
		}
		q := asked{set: f[0], prompt: f[2]}
		if f[1] != "-" {
			q.expected = strings.Split(f[1], " | ")
		}
		out = append(out, q)
	}
	return out
}

// documents indexes this repository's own documents and opens the index.
func documents(t *testing.T) (*index.Searcher, string) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, err = index.Build(context.Background(), index.Options{
		Root: root, Dir: dir, Env: os.Environ(), Now: time.Now,
		Sources: []string{"*.md", "docs/**/*.md", "schema/*.md", "stories/*/README.md", "build/*.md"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := index.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return s, root
}

// TestRelevance holds recall against questions about this repository's own
// documents, with an answer and without.
func TestRelevance(t *testing.T) {
	t.Parallel()
	s, root := documents(t)
	counts := map[string][2]int{} // right, all
	for _, q := range readQuestions(t) {
		r := Recall(context.Background(), Request{
			Prompt: q.prompt, Root: root, Session: &session{},
			Open: func(context.Context) (Searcher, error) { return s, nil },
		})
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		right := q.right(r.Records)
		if !right {
			t.Logf("missed (%s): %s\n  want %v\n  got  %v", q.set, q.prompt, q.expected, places(r.Records))
		}
		for _, set := range []string{q.set, "all"} {
			key := set + " " + q.kind()
			c := counts[key]
			if c[1]++; right {
				c[0]++
			}
			counts[key] = c
		}
	}
	for _, set := range []string{"dev", "held", "all"} {
		report(t, counts, set+" answerable", rightGoal)
		report(t, counts, set+" unanswerable", silenceGoal)
	}
	if counts["all answerable"][1] < 30 || counts["all unanswerable"][1] < 30 {
		t.Error("too few questions")
	}
}

// report prints a share; the goals are held for all questions together.
func report(t *testing.T, counts map[string][2]int, key string, goal int) {
	t.Helper()
	c := counts[key]
	line := fmt.Sprintf("%s: %d of %d, %.1f %%, goal %d %%", key, c[0], c[1], 100*float64(c[0])/float64(c[1]), goal)
	if strings.HasPrefix(key, "all") && 100*c[0] < goal*c[1] {
		t.Error(line)
		return
	}
	t.Log(line)
}

func (q asked) kind() string {
	if q.expected == nil {
		return "unanswerable"
	}
	return "answerable"
}

// right tells whether records are what is expected.
func (q asked) right(records []Record) bool {
	if q.expected == nil {
		return len(records) == 0
	}
	return slices.ContainsFunc(places(records), func(p string) bool { return slices.Contains(q.expected, p) })
}

// places names the records by file and innermost heading.
func places(records []Record) []string {
	var out []string
	for _, r := range records {
		file, _, _ := strings.Cut(r.Source, ":")
		trail := strings.Split(r.Title, " > ")
		out = append(out, file+"#"+trail[len(trail)-1])
	}
	return out
}

// TestQuestionsNameSections keeps the questions and the documents together: a
// heading that a question expects has to stand in its file.
func TestQuestionsNameSections(t *testing.T) {
	t.Parallel()
	for _, q := range readQuestions(t) {
		for _, e := range q.expected {
			file, heading, _ := strings.Cut(e, "#")
			raw, err := os.ReadFile(filepath.Join("../../..", file))
			if err != nil || !strings.Contains(string(raw), "# "+heading+"\n") {
				t.Errorf("%q expects %s, which is not there", q.prompt, e)
			}
		}
	}
}
