package source

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"kitsoki/schema"
)

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../schema/README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReferenceExamples loads each example of the language reference that is
// not marked as a fragment.
func TestReferenceExamples(t *testing.T) {
	t.Parallel()
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) < 4 {
		t.Fatalf("only %d examples found", len(blocks))
	}
	for _, b := range blocks {
		if _, ds := load(map[string]string{"app.yaml": b[1]}); len(ds) > 0 {
			t.Errorf("%s\n%s", printed(t, ds), b[1])
		}
	}
}

// TestReferenceNamesEveryKey holds the reference to the schema.
func TestReferenceNamesEveryKey(t *testing.T) {
	t.Parallel()
	var doc any
	if err := json.Unmarshal(schema.Story(), &doc); err != nil {
		t.Fatal(err)
	}
	page := readme(t)
	for _, key := range schemaKeys(doc, nil) {
		path := strings.Join(key, "/")
		name := strings.Trim(key[len(key)-1], "^")
		m, _ := lookup(doc, key).(map[string]any)
		refusedPart := m[kwUnsupported] != nil && !strings.Contains(path, "$defs/file/")
		if refusedPart {
			continue
		}
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `(\b|\*)`).MatchString(page) {
			t.Errorf("%s is not in the language reference", path)
		}
	}
}
