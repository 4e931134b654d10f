package schema

import (
	"encoding/json"
	"path"
	"sort"
	"testing"
)

func TestGetKnowsEveryFile(t *testing.T) {
	t.Parallel()
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	names := Names()
	if !sort.StringsAreSorted(names) {
		t.Errorf("Names() is not sorted: %v", names)
	}
	if len(entries) != len(names) {
		t.Errorf("%d files, %d names", len(entries), len(names))
	}
	for _, n := range names {
		data, ok := Get(n)
		var doc struct {
			Schema string `json:"$schema"`
			Title  string `json:"title"`
		}
		if err := json.Unmarshal(data, &doc); err != nil || !ok {
			t.Errorf("Get(%q): %v, %v", n, ok, err)
		}
		if path.Base(path.Dir(doc.Schema)) != "2020-12" || doc.Title == "" {
			t.Errorf("%s: $schema %q, title %q", n, doc.Schema, doc.Title)
		}
	}
	if _, ok := Get("nothing"); ok {
		t.Error(`Get("nothing") is ok`)
	}
}

func TestNamedAccessors(t *testing.T) {
	t.Parallel()
	for name, got := range map[string][]byte{
		"story": Story(), "phrases": Phrases(), "config": Config(), "intercept": Intercept(), "trace": Trace(),
		"flow": Flow(), "cassette": Cassette(), "drives": Drives(), "recover": Recover(), "explain": Explain(), "sarif": SARIF(),
	} {
		if want, _ := Get(name); string(got) != string(want) {
			t.Errorf("the accessor of %s returns another schema", name)
		}
	}
}
