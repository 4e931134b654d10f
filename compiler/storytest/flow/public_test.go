package flow

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"kitsoki/compiler"
	"kitsoki/runtime/artifact"
)

// TestStoriesOfThePublicFormat: whole stories that chain rooms by on_enter,
// ask once, follow on_error, emit turns across rooms, import, and offer
// choices, each with flow tests of all it can come to.
func TestStoriesOfThePublicFormat(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/public/*")
	if err != nil || len(dirs) < 3 {
		t.Fatalf("%d stories: %v", len(dirs), err)
	}
	for _, dir := range dirs {
		out, ds := compiler.Compile(os.DirFS(dir), "app.yaml", compiler.Options{Tool: "test"})
		if len(ds) > 0 {
			t.Fatalf("%s:\n%s", dir, printed(ds))
		}
		data, err := artifact.Encode(out.Image)
		if err != nil {
			t.Fatal(err)
		}
		f, err := artifact.Decode(dir, data)
		if err != nil {
			t.Fatal(err)
		}
		fsys := os.DirFS(dir)
		flows, ds := Load(Story{FS: fsys, Manifest: "app.yaml", Program: out.Program}, Files(fsys))
		if len(ds) > 0 || len(flows) == 0 {
			t.Fatalf("%s: %d flows\n%s", dir, len(flows), printed(ds))
		}
		r := &Runner{FS: fsys, File: f, Program: out.Program}
		for _, fl := range flows {
			if failed := told(r.Run(context.Background(), fl)); failed != "" {
				t.Errorf("%s/%s:\n%s", dir, fl.File, failed)
			}
		}
	}
}
