package source

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kitsoki/compiler/diag"
)

// update is read by tests only: go test -update rewrites the want.txt files.
var update = flag.Bool("update", false, "rewrite golden files")

func printed(t *testing.T, ds diag.List) string {
	t.Helper()
	var b strings.Builder
	if err := (diag.Printer{}).Text(&b, ds); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestErrors loads each case's app.yaml and compares all it says with
// want.txt; good.yaml, where there is one, is the same story set right.
func TestErrors(t *testing.T) {
	t.Parallel()
	cases, err := os.ReadDir("testdata/err")
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("testdata/err", c.Name())
			_, ds := Load(os.DirFS(dir), "app.yaml", Options{})
			golden(t, filepath.Join(dir, "want.txt"), printed(t, ds))
			if _, err := os.Stat(filepath.Join(dir, "good.yaml")); err != nil {
				return
			}
			if _, ds := Load(os.DirFS(dir), "good.yaml", Options{}); len(ds) > 0 {
				t.Errorf("good.yaml is not good:\n%s", printed(t, ds))
			}
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got == "" {
		t.Error("nothing was said about a bad story")
	}
}
