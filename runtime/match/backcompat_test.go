package match_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
)

var update = flag.Bool("update", false, "write the artifact of the current format")

// TestEveryFormatEverReleased opens a file of each version of the format and
// of the normaliser, and decides with it: the newest as ever, an older one
// refused by name.
func TestEveryFormatEverReleased(t *testing.T) {
	t.Parallel()
	current := filepath.Join("..", "artifact", "testdata", "backcompat", "format2.kit")
	if *update {
		write(t, current)
	}
	files, err := filepath.Glob(filepath.Join("..", "artifact", "testdata", "backcompat", "*"+artifact.Extension))
	if err != nil || len(files) == 0 {
		t.Fatalf("no artifacts: %v", err)
	}
	for _, path := range files {
		f, err := artifact.Open(path)
		if path != current {
			if artifact.StatusOf(err) != artifact.StatusMismatch {
				t.Errorf("%s: expected a version mismatch, observed %v", path, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v; a change of the format needs a new version", path, err)
		}
		for prompt, want := range map[string]string{
			"run the tests": "run_tests", "could you launch the test suite please?": "run_tests", "execute with message Fix It": "named",
			"run the tests and push": "", "halt the engine": "stop", "why did it stop": "",
		} {
			if got, _ := decide(f, f.Rooms()[0], prompt); got != want {
				t.Errorf("%s: %q: expected %q, observed %q", path, prompt, want, got)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	out, ds := compiler.Compile(fstest.MapFS{"app.yaml": {Data: []byte(strings.TrimSpace(synonymStory))}}, "app.yaml", compiler.Options{Tool: "0.1.0"})
	if out.Image == nil {
		t.Fatal(ds)
	}
	data, err := artifact.Encode(out.Image)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
