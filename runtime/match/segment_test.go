package match_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	zap "github.com/blevesearch/zapx/v15"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/match"
)

// TestSegmentAsZapxReadsIt: for every term of every field, zapx's own reader
// and ours give the same documents.
func TestSegmentAsZapxReadsIt(t *testing.T) {
	t.Parallel()
	story := strings.TrimSpace(synonymStory)
	var many strings.Builder
	many.WriteString("app: {id: many}\nroot: r\nrouting: {word_synonyms: [[build, make]]}\nintents:\n  go:\n    examples:\n")
	for i := range 5000 {
		fmt.Fprintf(&many, "    - build n%d of area%d with x%d\n", i, i%7, i/40)
	}
	many.WriteString("states: {r: {on: {go: [{target: .}]}}}\n")
	for name, text := range map[string]string{"small": story, "many": many.String()} {
		out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(text)}}, "app.yaml", compiler.Options{Tool: "test"})
		if out.Image == nil {
			t.Fatal(ds)
		}
		data, err := artifact.Encode(out.Image)
		if err != nil {
			t.Fatal(err)
		}
		f, err := artifact.Decode(name, data)
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		for _, field := range f.Segment().Fields {
			for _, term := range append(zapxTerms(t, f, field), "no such term", "") {
				want := zapxPostings(t, f, field, term)
				got, _ := match.Postings(f, field, term)
				if !slices.Equal(got, want) {
					t.Errorf("%s: %s %q: expected %v, observed %v", name, field, term, want, got)
				}
				hits += len(got)
			}
		}
		if hits < 10 {
			t.Errorf("%s: only %d documents were found", name, hits)
		}
		if _, ok := match.Postings(f, "no such field", "x"); ok {
			t.Errorf("%s: a field that is not there is read", name)
		}
	}
}

func zapxDictionary(t *testing.T, f *artifact.File, field string) *zap.Dictionary {
	t.Helper()
	s := f.Segment()
	byName := map[string]uint16{}
	for i, name := range s.Fields {
		byName[name] = uint16(i) + 1
	}
	base, err := zap.InitSegmentBase(s.Data, s.CRC, s.ChunkMode, byName, s.Fields, s.Docs, s.Stored, s.FieldsAt, s.DocValues, s.Dicts, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := base.Dictionary(field)
	if err != nil {
		t.Fatal(err)
	}
	return d.(*zap.Dictionary)
}

func zapxTerms(t *testing.T, f *artifact.File, field string) []string {
	t.Helper()
	var out []string
	it := zapxDictionary(t, f, field).AutomatonIterator(nil, nil, nil)
	for {
		e, err := it.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return out
		}
		out = append(out, e.Term)
	}
}

func zapxPostings(t *testing.T, f *artifact.File, field, term string) []uint32 {
	t.Helper()
	list, err := zapxDictionary(t, f, field).PostingsList([]byte(term), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []uint32
	it := list.Iterator(false, false, false, nil)
	for {
		p, err := it.Next()
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			return out
		}
		out = append(out, uint32(p.Number()))
	}
}
