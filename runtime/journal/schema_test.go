package journal

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The published schema and a line must have the same fields.
func TestFieldsAreThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "schema", "trace.schema.json"))
	must(t, err)
	type properties struct {
		Properties map[string]json.RawMessage
	}
	var schema struct {
		Defs map[string]properties `json:"$defs"`
	}
	must(t, json.Unmarshal(data, &schema))
	j := newJournal(t)
	h := Head{Session: "s", Prompt: "p", Agent: "a", Repo: "r"}
	_, err = j.Matched(h, Matched{Slots: json.RawMessage("{}"), MatchReason: "m", Drive: "d"})
	must(t, err)
	_, err = j.Passed(h, Passed{Detail: "d"})
	must(t, err)
	lines, err := Read(j.Path, Filter{})
	must(t, err)
	for i, def := range []string{"matched", "passed"} {
		want := maps.Clone(schema.Defs["decision"].Properties)
		maps.Copy(want, schema.Defs[def].Properties)
		var line map[string]json.RawMessage
		must(t, json.Unmarshal(lines[i].Raw, &line))
		if got, want := slices.Sorted(maps.Keys(line)), slices.Sorted(maps.Keys(want)); !slices.Equal(got, want) {
			t.Errorf("%s:\n line %v\nschema %v", def, got, want)
		}
	}
}
