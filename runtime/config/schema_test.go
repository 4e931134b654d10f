package config

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The published schema and the reader must know the same keys.
func TestKeysAreThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "schema", "config.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties map[string]struct {
			Properties map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	for block, keys := range map[string][]string{"intercept": interceptKeys(), "policy": policyKeys(), "memory": memoryKeys(), "guard": guardKeys()} {
		slices.Sort(keys)
		if got := slices.Sorted(maps.Keys(schema.Properties[block].Properties)); !slices.Equal(got, keys) {
			t.Errorf("%s: the schema has %v, the reader %v", block, got, keys)
		}
	}
}
