package binding

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kitsoki/runtime/journal"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// made is a record of one configuration file, one that is absent, and a
// story.
func made(t *testing.T) (dir, path string, repo journal.Repo) {
	t.Helper()
	dir = t.TempDir()
	repo = journal.Repo{Dir: dir, Root: dir, Common: filepath.Join(dir, ".git")}
	conf, story := filepath.Join(dir, ".kitsoki.yaml"), filepath.Join(dir, "story", "app.yaml")
	write(t, conf, "a")
	write(t, story, "b")
	path = filepath.Join(dir, "cache", "r.json")
	r := Record{Root: dir, Common: repo.Common, Room: "home", Intents: []uint32{1, 3}, Bar: 0.9, Escape: "//"}
	for _, name := range []string{conf, filepath.Join(dir, ".kitsoki.local.yaml")} {
		d, err := DigestOf(name)
		if err != nil {
			t.Fatal(err)
		}
		r.Files = append(r.Files, d)
	}
	r.Stamps = []Stamp{StampOf(story), StampOf(filepath.Dir(story)), StampOf(filepath.Join(dir, "none"))}
	if err := r.Write(path); err != nil {
		t.Fatal(err)
	}
	return dir, path, repo
}

func TestReadBack(t *testing.T) {
	t.Parallel()
	_, path, repo := made(t)
	r, ok := Read(path, repo)
	if !ok || r.Room != "home" || len(r.Intents) != 2 || r.Intents[1] != 3 || r.Bar != 0.9 || r.Escape != "//" {
		t.Errorf("observed %v %+v", ok, r)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the record: %v %v", st.Mode(), err)
	}
}

// TestEveryChangeIsNoticed: a record whose origins changed is none.
func TestEveryChangeIsNoticed(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, dir, path string, repo *journal.Repo){
		"configuration changes":    func(t *testing.T, dir, _ string, _ *journal.Repo) { write(t, filepath.Join(dir, ".kitsoki.yaml"), "x") },
		"configuration disappears": func(t *testing.T, dir, _ string, _ *journal.Repo) { remove(t, filepath.Join(dir, ".kitsoki.yaml")) },
		"a local file appears":     func(t *testing.T, dir, _ string, _ *journal.Repo) { write(t, filepath.Join(dir, LocalName), "") },
		"the local file is a dir":  func(t *testing.T, dir, _ string, _ *journal.Repo) { write(t, filepath.Join(dir, LocalName, "x"), "") },
		"the story grows": func(t *testing.T, dir, _ string, _ *journal.Repo) {
			write(t, filepath.Join(dir, "story", "app.yaml"), "bb")
		},
		"the story is touched":      func(t *testing.T, dir, _ string, _ *journal.Repo) { touch(t, filepath.Join(dir, "story", "app.yaml")) },
		"the story gets a file":     func(t *testing.T, dir, _ string, _ *journal.Repo) { touch(t, filepath.Join(dir, "story")) },
		"what was absent appears":   func(t *testing.T, dir, _ string, _ *journal.Repo) { write(t, filepath.Join(dir, "none"), "x") },
		"another working tree":      func(_ *testing.T, _, _ string, repo *journal.Repo) { repo.Root += "x" },
		"another repository":        func(_ *testing.T, _, _ string, repo *journal.Repo) { repo.Common += "x" },
		"the record is damaged":     func(t *testing.T, _, path string, _ *journal.Repo) { write(t, path, "{") },
		"the record is gone":        func(t *testing.T, _, path string, _ *journal.Repo) { remove(t, path) },
		"the record is another one": func(t *testing.T, _, path string, _ *journal.Repo) { write(t, path, "kitsoki binding 999\nend\n") },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, path, repo := made(t)
			change(t, dir, path, &repo)
			if _, ok := Read(path, repo); ok {
				t.Error("the record is still used")
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func touch(t *testing.T, path string) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
}

func TestWriteLeavesTheSameAlone(t *testing.T) {
	t.Parallel()
	_, path, repo := made(t)
	touch(t, path)
	r, _ := Read(path, repo)
	before := StampOf(path)
	if err := r.Write(path); err != nil || StampOf(path) != before {
		t.Errorf("written anew: %v", err)
	}
	r.Room = "other"
	if err := r.Write(path); err != nil || StampOf(path) == before {
		t.Errorf("not written: %v", err)
	}
}

// TestPathsDiffer: what may differ in what a binding came to has a record of
// its own.
func TestPathsDiffer(t *testing.T) {
	t.Parallel()
	repo := journal.Repo{Dir: "/r", Root: "/r", Common: "/r/.git"}
	place := Place{"/u", "/r/.kitsoki.yaml", "/r/.kitsoki.local.yaml"}
	env := map[string]string{"XDG_CACHE_HOME": filepath.Join(t.TempDir(), "c"), "XDG_DATA_HOME": filepath.Join(t.TempDir(), "d")}
	seen := map[string]string{}
	add := func(name string, p Place, r journal.Repo) {
		path := PathOf(p, r, func(n string) string { return env[n] })
		if other, ok := seen[path]; ok || path == "" {
			t.Errorf("%s and %s have one record %q", name, other, path)
		}
		seen[path] = name
	}
	add("plain", place, repo)
	add("another user file", Place{"/v", place.Repository, place.Local}, repo)
	add("another place", Place{"/u", "/r/s/.kitsoki.yaml", place.Local}, repo)
	add("the primary's local file", Place{"/u", place.Repository, "/p/.kitsoki.local.yaml"}, repo)
	add("another tree", place, journal.Repo{Dir: "/q", Root: "/q", Common: repo.Common})
	env["XDG_DATA_HOME"] += "x"
	add("other data", place, repo)
	if got := PathOf(place, repo, func(string) string { return "" }); got != "" {
		t.Errorf("without a home: %s", got)
	}
}

func TestPlaceOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(rel string) string { return filepath.Join(dir, filepath.FromSlash(rel)) }
	write(t, at("repo/sub/deep/x"), "")
	write(t, at("repo/sub/.kitsoki.local.yaml"), "")
	write(t, at("repo/.kitsoki.yaml"), "")
	write(t, at("linked/sub/x"), "")
	repo := journal.Repo{Dir: at("repo/sub/deep"), Root: at("repo"), Common: at("repo/.git")}
	env := func(name string) string { return map[string]string{"XDG_CONFIG_HOME": at("xdg")}[name] }
	got := PlaceOf(repo, env)
	if want := (Place{at("xdg/kitsoki/config.yaml"), at("repo/sub/.kitsoki.yaml"), at("repo/sub/.kitsoki.local.yaml")}); got != want {
		t.Errorf("expected %v, observed %v", want, got)
	}
	linked := journal.Repo{Dir: at("linked/sub"), Root: at("linked"), Common: at("repo/.git"), Primary: at("repo")}
	if got := PlaceOf(linked, env); got.Local != at("repo/sub/.kitsoki.local.yaml") || got.Repository != at("linked/sub/.kitsoki.yaml") {
		t.Errorf("linked: observed %v", got)
	}
	outside := journal.Repo{Dir: at("repo/sub/deep")}
	if got := PlaceOf(outside, env); got.Repository != at("repo/sub/deep/.kitsoki.yaml") || len(got.Files()) != 3 {
		t.Errorf("outside: observed %v", got)
	}
}

// TestEncode: every field comes back, whatever bytes it holds, and a record
// that is cut anywhere is none.
func TestEncode(t *testing.T) {
	t.Parallel()
	odd := "a b\n\"c\\\x00\xff\u2028ü"
	r := Record{
		Root: odd, Common: "", Files: []Digest{{odd, "01"}, {"/x", ""}}, Stamps: []Stamp{{odd, 1 << 40, -5}, {"/y", 0, 0}},
		Reason: "untrusted", Detail: odd, TraceOff: true, TracePath: odd, Artifact: odd, Tool: "v1", Sources: "ff",
		Room: "a.b", Intents: []uint32{0, 4294967295}, Bar: 0.93, Escape: "//",
	}
	data := string(r.encode())
	if got, ok := decode(data); !ok || !reflect.DeepEqual(*got, r) {
		t.Errorf("observed %v %+v", ok, got)
	}
	var empty Record
	if got, ok := decode(string(empty.encode())); !ok || !reflect.DeepEqual(*got, empty) {
		t.Errorf("empty: observed %v %+v", ok, got)
	}
	for i := range len(data) {
		if _, ok := decode(data[:i]); ok {
			t.Errorf("a record that is cut after %d bytes is read", i)
		}
	}
	for _, line := range []string{"unknown 1", "bar x", "trace_off 7", "stamp \"a\" 1", "file \"a\" \"b\" \"c\"", "intent 1 2", "root a", ""} {
		if _, ok := decode(strings.Replace(data, "end\n", line+"\nend\n", 1)); ok {
			t.Errorf("a record with the line %q is read", line)
		}
	}
}

func FuzzDecode(f *testing.F) {
	r := Record{Root: "/r", Files: []Digest{{"/x", "1"}}, Stamps: []Stamp{{"/y", 1, 2}}, Intents: []uint32{1}}
	f.Add(string(r.encode()))
	f.Add("kitsoki binding 1\nend\n")
	f.Fuzz(func(t *testing.T, data string) {
		r, ok := decode(data)
		if !ok {
			return
		}
		again, ok := decode(string(r.encode()))
		if !ok || again.Root != r.Root || len(again.Files) != len(r.Files) || len(again.Stamps) != len(r.Stamps) {
			t.Errorf("%+v is not %+v", again, r)
		}
	})
}
