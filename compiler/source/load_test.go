package source

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"kitsoki/compiler/diag"
)

const head = "app: {id: demo}\nroot: home\nstates: {home: {}}\n"

func load(files map[string]string) (*Story, diag.List) {
	return Load(mapFS(files), "app.yaml", Options{})
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return fsys
}

func TestManifestThatCannotBeRead(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"story/app.yaml": {Data: []byte(head)}}
	tests := []struct{ manifest, want string }{
		{"story/none.yaml", "none.yaml: error: there is no file none.yaml [KIT101]\n  hint: give the path of a story's manifest, usually app.yaml\n"},
		{"nowhere/app.yaml", "app.yaml: error: there is no file app.yaml [KIT101]\n  hint: give the path of a story's manifest, usually app.yaml\n"},
		{"story", "story: error: story is a directory, not a manifest [KIT101]\n  hint: give the manifest in it, such as story/app.yaml\n"},
		{".", ".: error: . is a directory, not a manifest [KIT101]\n  hint: give the manifest in it, such as app.yaml\n"},
		{"../app.yaml", "app.yaml: error: ../app.yaml is not a path inside the given directory [KIT101]\n  hint: give the path of a story's app.yaml\n"},
		{"/app.yaml", "app.yaml: error: /app.yaml is not a path inside the given directory [KIT101]\n  hint: give the path of a story's app.yaml\n"},
	}
	for _, tt := range tests {
		story, ds := Load(fsys, tt.manifest, Options{})
		if got := printed(t, ds); story != nil || got != tt.want {
			t.Errorf("%s: story %v, got\n%s\nwant\n%s", tt.manifest, story != nil, got, tt.want)
		}
	}
	if story, ds := Load(fsys, "./story/app.yaml", Options{}); story == nil || len(ds) > 0 {
		t.Errorf("./story/app.yaml: %s", printed(t, ds))
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, yaml string
		want       diag.Code
	}{
		{"laughs", laughs(12), diag.TooLarge},
		{"few laughs", laughs(3), ""},
		{"deep flow", head + "world: {a: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}\n", diag.TooLarge},
		{"deep flow map", head + "world: {a: {type: object, default: " + strings.Repeat("{a: ", 200) + strings.Repeat("}", 200) + "}}\n", diag.TooLarge},
		{"deep within bounds", head + "world: {a: {type: list, default: " + strings.Repeat("[", 80) + strings.Repeat("]", 80) + "}}\n", ""},
		{"deeper than the parser", strings.Repeat("[", 20_000), diag.BadYAML},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, ds := load(map[string]string{"app.yaml": tt.yaml})
			var got diag.Code
			if len(ds) > 0 {
				got = ds[0].Code
			}
			if got != tt.want || len(ds) > 1 {
				t.Errorf("got %s", printed(t, ds))
			}
		})
	}
}

// laughs is a story with a list of ten items of which each is the list
// before: 10^n values.
func laughs(n int) string {
	var b strings.Builder
	b.WriteString(head + "world:\n  a0: &a0 {type: list, default: [x]}\n")
	b.WriteString("  b0: {type: list, default: &b0 [x]}\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "  b%d: {type: list, default: &b%d [%s]}\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*b%d, ", i-1), 10), ", "))
	}
	return b.String()
}

func TestLargeStory(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(head + "intents:\n  a:\n    examples:\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "      - phrase number %d\n", i)
	}
	story, ds := load(map[string]string{"app.yaml": b.String()})
	if len(ds) > 0 || len(story.Intents[0].Examples[0].List) != 20_000 {
		t.Fatalf("%d phrases, %s", len(story.Intents[0].Examples[0].List), printed(t, ds))
	}
	last := story.Intents[0].Examples[0].List[19_999]
	if last.Val != "phrase number 19999" || last.Pos != (diag.Pos{File: "app.yaml", Line: 20_006, Col: 9}) {
		t.Errorf("the last phrase is %+v", last)
	}
}

func TestIncludes(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"rooms/a.yaml": "", "rooms/b.yml": "", "rooms/deep/c.yaml": "", "rooms/deep/er/d.yaml": "",
		"rooms/.hidden.yaml": "", "rooms/.git/e.yaml": "", "other.yaml": "", "x[1].yaml": "",
	}
	tests := []struct{ patterns, want string }{
		{"rooms/*.yaml", "rooms/a.yaml"},
		{"./rooms/*", "rooms/a.yaml rooms/b.yml"},
		{"rooms/**/*.yaml", "rooms/a.yaml rooms/deep/c.yaml rooms/deep/er/d.yaml"},
		{"**/d.yaml", "rooms/deep/er/d.yaml"},
		{"rooms/**", "rooms/a.yaml rooms/b.yml rooms/deep/c.yaml rooms/deep/er/d.yaml"},
		{"*.yaml", "other.yaml x[1].yaml"}, // not the manifest itself
		{"rooms/.hidden.yaml", "rooms/.hidden.yaml"},
		{"rooms/[ab].y*ml", "rooms/a.yaml rooms/b.yml"},
		{"rooms/a.yaml|rooms/*.yaml|rooms/?.yaml", "rooms/a.yaml"},
		{"rooms/*/c.yaml", "rooms/deep/c.yaml"},
		{"rooms/deep/../a.yaml", "rooms/a.yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.patterns, func(t *testing.T) {
			t.Parallel()
			all := map[string]string{"app.yaml": head + "include: ['" + strings.ReplaceAll(tt.patterns, "|", "', '") + "']\n"}
			for name := range files {
				all[name] = "routing: {}\n"
			}
			story, ds := load(all)
			var got []string
			for _, f := range story.Files {
				if f.Path != "app.yaml" {
					got = append(got, f.Path)
				}
			}
			if s := strings.Join(got, " "); s != tt.want || len(ds) > 0 {
				t.Errorf("included %q, want %q; %s", s, tt.want, printed(t, ds))
			}
		})
	}
}

func TestIncludeFollowsNoLink(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("making a symbolic link needs a privilege there")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "secret/s.yaml"), "world: {leaked: 1}\n")
	write(t, filepath.Join(dir, "story/app.yaml"), head+"include: ['rooms/*.yaml', 'linked/*.yaml', '**/s.yaml']\n")
	write(t, filepath.Join(dir, "story/rooms/ok.yaml"), "world: {fine: 1}\n")
	for link, to := range map[string]string{"story/rooms/s.yaml": "secret/s.yaml", "story/linked": "secret"} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	story, ds := Load(os.DirFS(filepath.Join(dir, "story")), "app.yaml", Options{})
	want := "app.yaml:4:11: error: rooms/s.yaml is a symbolic link; includes follow none [KIT115]\n" +
		"  hint: put the file itself inside the manifest's directory\n" +
		"app.yaml:4:27: error: linked is a symbolic link; includes follow none [KIT115]\n" +
		"  hint: put the file itself inside the manifest's directory\n" +
		"app.yaml:4:44: error: rooms/s.yaml is a symbolic link; includes follow none [KIT115]\n" +
		"  hint: put the file itself inside the manifest's directory\n"
	if got := printed(t, ds); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(story.World) != 1 || story.World[0].Name.Val != "fine" {
		t.Errorf("the world is %+v", story.World)
	}
}

func write(t *testing.T, name, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestIncomplete(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, include, part string
		want                bool
	}{
		{"whole", "part.yaml", "world: {n: 1}\n", false},
		{"a wrong key", "part.yaml", "wrold: {n: 1}\n", false},
		{"not YAML", "part.yaml", "world: {n: 1\n", true},
		{"missing", "none.yaml", "", true},
		{"pattern without file", "none/*.yaml", "", false},
	}
	for _, tt := range tests {
		story, ds := load(map[string]string{"app.yaml": head + "include: [" + tt.include + "]\n", "part.yaml": tt.part})
		if story == nil || story.Incomplete != tt.want {
			t.Errorf("%s: story %+v, %s", tt.name, story, printed(t, ds))
		}
	}
}

func FuzzLoad(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*/*/*.yaml")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("%d seeds, %v", len(seeds), err)
	}
	for _, name := range append(seeds, "testdata/allkeys/app.yaml") {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		story, ds := Load(fstest.MapFS{"app.yaml": {Data: data}, "rooms/a.yaml": {Data: data}}, "app.yaml", Options{})
		if story == nil && !ds.HasErrors() {
			t.Error("no story and no error")
		}
		for _, d := range ds {
			if d.Pos.File == "" || d.Pos.Line < 1 || d.Pos.Col < 1 {
				t.Errorf("%s has no place: %+v", d.Code, d.Pos)
			}
		}
		if story != nil {
			everyPlace(story)
		}
	})
}

// everyPlace asks for the place of each offset of each view text, and for
// the JSON of each default: what later stages do with the tree.
func everyPlace(story *Story) {
	for _, s := range story.States {
		for _, v := range s.View {
			for i := range v.Text.Val {
				v.Text.At(i)
			}
		}
	}
	for _, k := range story.World {
		if k.Default != nil {
			k.Default.JSON()
		}
	}
}
