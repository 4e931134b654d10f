package compiler

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
)

var update = flag.Bool("update", false, "write the golden files")

// cases are the folders below testdata/kind.
func cases(t *testing.T, kind string) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", kind, "*", "app.yaml"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases below testdata/%s: %v", kind, err)
	}
	for i := range dirs {
		dirs[i] = filepath.Dir(dirs[i])
	}
	return dirs
}

func compileDir(dir string) (*Output, diag.List) {
	return Compile(os.DirFS(dir), "app.yaml", Options{Tool: "test", Library: library()})
}

// library is the stories below testdata/library.
func library() source.Library {
	return source.Library{
		Names: func() []string { return []string{"bells"} },
		Open: func(name string) (fs.FS, bool) {
			dir := os.DirFS(filepath.Join("testdata", "library", name))
			_, err := fs.Stat(dir, "app.yaml")
			return dir, err == nil
		},
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")), got) {
		t.Errorf("%s differs; got:\n%s", file, got)
	}
}

func printed(t *testing.T, ds diag.List) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (diag.Printer{}).Text(&b, ds); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestStoriesWithMistakes(t *testing.T) {
	t.Parallel()
	for _, dir := range cases(t, "err") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			out, ds := compileDir(dir)
			if out.Image != nil {
				t.Error("an image in spite of errors")
			}
			golden(t, filepath.Join(dir, "want.txt"), printed(t, ds))
		})
	}
}

func TestGoodStories(t *testing.T) {
	t.Parallel()
	for _, dir := range cases(t, "good") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			out, ds := compileDir(dir)
			if len(ds) > 0 {
				t.Fatalf("diagnostics:\n%s", printed(t, ds))
			}
			if out.Image == nil {
				t.Fatal("no image")
			}
			golden(t, filepath.Join(dir, "program.json"), dumped(t, out.Program))
		})
	}
}

func dumped(t *testing.T, p *artifact.Program) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
