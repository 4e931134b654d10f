package source

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"kitsoki/compiler/diag"
	"kitsoki/schema"
)

// schemaKeys lists where the story schema declares keys: the path of the map
// of properties (or patternProperties), and the key.
func schemaKeys(doc any, path []string) [][]string {
	var out [][]string
	m, _ := doc.(map[string]any)
	for name, v := range m {
		at := append(append([]string{}, path...), name)
		if name != "properties" && name != "patternProperties" {
			out = append(out, schemaKeys(v, at)...)
			continue
		}
		props, _ := v.(map[string]any)
		for key, s := range props {
			out = append(out, append(append([]string{}, at...), key))
			out = append(out, schemaKeys(s, append(append([]string{}, at...), key))...)
		}
	}
	return out
}

// without is the story schema with one key removed.
func without(t *testing.T, key []string) []byte {
	t.Helper()
	var doc any
	if err := json.Unmarshal(schema.Story(), &doc); err != nil {
		t.Fatal(err)
	}
	last := len(key) - 1
	delete(lookup(doc, key[:last]).(map[string]any), key[last])
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func unknownKeys(ds diag.List) string {
	var out []string
	for _, d := range ds {
		if d.Code == diag.UnknownKey {
			out = append(out, fmt.Sprintf("%s:%d:%d %s", d.Pos.File, d.Pos.Line, d.Pos.Col, d.Message))
		}
	}
	return strings.Join(out, "\n")
}

// TestTheSchemaIsTheOnlyKeyList removes every key of the schema in turn: a
// story that uses it must then be refused, at that key.
func TestTheSchemaIsTheOnlyKeyList(t *testing.T) {
	t.Parallel()
	fsys := os.DirFS("testdata/allkeys")
	if _, ds := Load(fsys, "app.yaml", Options{}); unknownKeys(ds) != "" {
		t.Fatalf("with the whole schema:\n%s", unknownKeys(ds))
	}
	var doc any
	if err := json.Unmarshal(schema.Story(), &doc); err != nil {
		t.Fatal(err)
	}
	keys := schemaKeys(doc, nil)
	if len(keys) < 150 {
		t.Fatalf("only %d keys found in the schema", len(keys))
	}
	for _, key := range keys {
		t.Run(strings.Join(key, "/"), func(t *testing.T) {
			t.Parallel()
			_, ds := Load(fsys, "app.yaml", Options{Schema: without(t, key)})
			name := strings.TrimPrefix(key[len(key)-1], "^")
			if !strings.Contains(unknownKeys(ds), fmt.Sprintf("unknown key %q", name)[:len("unknown key")+2+len(name)]) {
				t.Errorf("removing it refuses nothing:\n%s", printed(t, ds))
			}
			if !ds.HasErrors() {
				t.Error("no error")
			}
		})
	}
}

func TestSchemaThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"not JSON":         "{",
		"not a schema":     `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": 5}`,
		"no included file": `{"$schema": "https://json-schema.org/draft/2020-12/schema"}`,
		"refers elsewhere": `{"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "https://example.com/x"}`,
	} {
		story, ds := Load(os.DirFS("testdata/allkeys"), "app.yaml", Options{Schema: []byte(data)})
		if story != nil || len(ds) != 1 || ds[0].Code != diag.BadSchema {
			t.Errorf("%s: story %v, %s", name, story != nil, printed(t, ds))
		}
	}
}
