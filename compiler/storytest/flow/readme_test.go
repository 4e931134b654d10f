package flow

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
	"kitsoki/schema"
)

// reference is the page of the language.
func reference(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../../schema/README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// example is the text of the page's block of that kind that holds a text.
func example(t *testing.T, kind, holds string) []byte {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```"+kind+"\n(.*?)```").FindAllStringSubmatch(reference(t), -1) {
		if strings.Contains(m[1], holds) {
			return []byte(m[1])
		}
	}
	t.Fatalf("there is no block %s with %s", kind, holds)
	return nil
}

// TestReferenceExample runs the page's flow test against its story.
func TestReferenceExample(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{
		"app.yaml":                     {Data: example(t, "yaml", "id: counter")},
		"flows/counter.yaml":           {Data: example(t, "yaml flow", "test_kind")},
		"flows/cassettes/counter.yaml": {Data: example(t, "yaml cassette", "episodes")},
	}
	out, ds := compiler.Compile(fsys, "app.yaml", compiler.Options{})
	if out.Image == nil {
		t.Fatal(printed(ds))
	}
	raw, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Decode("t", raw)
	if err != nil {
		t.Fatal(err)
	}
	flows, ds := Load(Story{FS: fsys, Manifest: "app.yaml", Program: out.Program}, Files(fsys))
	if len(ds) > 0 || len(flows) != 1 {
		t.Fatalf("%d flows: %s", len(flows), printed(ds))
	}
	r := &Runner{FS: fsys, File: f, Program: out.Program}
	if res := r.Run(context.Background(), flows[0]); !res.OK || len(res.Unplayed) > 0 {
		t.Errorf("%s\n%v", told(res), res.Unplayed)
	}
}

// TestReferenceNamesEveryKey holds the page to the schemas.
func TestReferenceNamesEveryKey(t *testing.T) {
	t.Parallel()
	page := reference(t)
	_, page, _ = strings.Cut(page, "## Flow tests")
	count := 0
	for _, data := range [][]byte{schema.Flow(), schema.Cassette()} {
		var doc any
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		for _, key := range keysOf(doc) {
			count++
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(key) + `\b`).MatchString(page) {
				t.Errorf("%s is not in the language reference", key)
			}
		}
	}
	if count < 40 {
		t.Errorf("only %d keys were found", count)
	}
}

// keysOf lists the names that a schema declares.
func keysOf(doc any) []string {
	var out []string
	m, _ := doc.(map[string]any)
	for name, v := range m {
		if props, ok := v.(map[string]any); ok && name == "properties" {
			for key := range props {
				out = append(out, key)
			}
		}
		out = append(out, keysOf(v)...)
	}
	return out
}
