package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStore makes the edits on disk: through a link, with a copy, and the
// file's mode kept.
func TestStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
	before := "{\n  \"a\": 1\n}\n"
	if os.WriteFile(file, []byte(before), 0o640) != nil || os.Symlink("real.json", link) != nil {
		t.Fatal("cannot prepare")
	}
	store := Store{filepath.Join(dir, "state")}
	s := read(t, link)
	e, err := Install(s, claude(), program(), store.Recall(s.Path, claude()))
	if err != nil {
		t.Fatal(err)
	}
	backup, err := store.Apply(e)
	if kept, _ := os.ReadFile(backup); err != nil || string(kept) != before {
		t.Errorf("copy %q: %v %q", backup, err, kept)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	s = read(t, file)
	if e, err = Uninstall(s, claude(), store.Recall(s.Path, claude()), false); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Apply(e); err != nil || string(read(t, file).Data) != before {
		t.Errorf("back: %v %s", err, read(t, file).Data)
	}
	if store.Recall(s.Path, claude()) != nil {
		t.Error("the record is still there")
	}
}

func read(t *testing.T, path string) Settings {
	t.Helper()
	s, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStoreCreates makes a file and removes it again.
func TestStoreCreates(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, file := Store{filepath.Join(dir, "state")}, filepath.Join(dir, ".claude", "settings.json")
	e, err := Install(read(t, file), claude(), program(), nil)
	if err != nil || !strings.HasPrefix(e.Diff(), "--- /dev/null\n+++ "+e.Settings.Path+"\n@@ -0,0 +1,") {
		t.Fatalf("%v\n%s", err, e.Diff())
	}
	if backup, err := store.Apply(e); err != nil || backup != "" {
		t.Fatalf("%q %v", backup, err)
	}
	s := read(t, file)
	if e, err = Uninstall(s, claude(), store.Recall(s.Path, claude()), false); err != nil || !e.Remove {
		t.Fatalf("%v\n%s", err, e.Diff())
	}
	if _, err := store.Apply(e); err != nil || read(t, file).Exists {
		t.Errorf("the file is still there: %v", err)
	}
}

func TestStoreRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "s.json")
	if err := os.WriteFile(file, []byte("{}"), 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(read(t, file), claude(), program(), nil); err == nil || !strings.Contains(err.Error(), "read-only\n  hint: chmod u+w") {
		t.Errorf("read-only: %v", err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := Install(read(t, file), claude(), program(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"a": 1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	store := Store{filepath.Join(dir, "state")}
	if _, err := store.Apply(e); err == nil || !strings.Contains(err.Error(), "changed since") || string(read(t, file).Data) != `{"a": 1}` {
		t.Errorf("a file that changed: %v", err)
	}
	for name, prepare := range map[string]func(string) error{
		"dangling":  func(p string) error { return os.Symlink("nowhere", p) },
		"directory": func(p string) error { return os.Mkdir(p, 0o755) },
		"large":     func(p string) error { return os.WriteFile(p, make([]byte, maxFile+1), 0o644) },
	} {
		path := filepath.Join(dir, name)
		if err := prepare(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
