package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inConflict is a worktree apart in which a merge has stopped at a.txt.
func inConflict(t *testing.T) (r, s *repoAt) {
	r = forked(t)
	r.do("scratch", map[string]any{"name": "main"})
	s = r.in(r.place())
	s.try("merge", "side")
	s.expect("unmerged", map[string]any{"unmerged": []any{"a.txt"}})
	return r, s
}

func at(s *repoAt, paths ...any) map[string]any { return map[string]any{"cwd": s.dir, "paths": paths} }

func TestAddResolved(t *testing.T) {
	t.Parallel()
	r, s := inConflict(t)
	r.refuse("add_resolved", at(s, "a.txt"), "a conflict marker is left in a.txt, line 1: <<<<<<<")
	r.refuse("add_resolved", at(s, "side.txt"), "side.txt had no conflict")
	s.write("a.txt", "main and side\n")
	s.write("stray.txt", "stray\n")
	s.write("side.txt", "touched\n")
	r.same("added", r.do("add_resolved", at(s, "a.txt"))["added"], []any{"a.txt"})
	r.same("status", s.git("status", "--porcelain"), "M  a.txt\nAM side.txt\n?? stray.txt")
	r.same("again", r.do("add_resolved", at(s, "a.txt"))["added"], []any{"a.txt"})
	s.write("a.txt", "main\n=======\nside\n")
	s.git("add", "a.txt")
	r.refuse("add_resolved", at(s, "a.txt"), "line 2: =======")
	r.expect("status", map[string]any{"clean": true})
}

func TestAddResolvedEveryPath(t *testing.T) {
	t.Parallel()
	r, s := inConflict(t)
	s.write("a.txt", "both\n")
	r.same("added", r.do("add_resolved", map[string]any{"cwd": s.dir})["added"], []any{"a.txt"})
	r.same("nothing", r.do("add_resolved", map[string]any{"cwd": s.dir, "paths": []any{}})["added"], []any{})
}

// TestMarkersOfTheSides: what looks like a marker and stood in one of the
// sides is text.
func TestMarkersOfTheSides(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("doc *.md", "Title\n========\n\nbase\n")
	r.git("checkout", "-q", "-b", "side")
	r.commit("doc *.md", "Title\n========\n\nside\n\nMore\n=======\n")
	r.git("checkout", "-q", "main")
	r.commit("doc *.md", "Title\n========\n\nmain\n")
	r.commit("doc x.md", "another\n")
	r.try("merge", "side")
	r.refuse("add_resolved", map[string]any{"paths": []any{"doc *.md"}}, "line 4: <<<<<<<")
	r.write("doc *.md", "Title\r\n========\r\n\r\nboth\r\n\r\nMore\r\n=======\r\n")
	r.write("doc x.md", "changed\n")
	r.do("add_resolved", map[string]any{"paths": []any{"doc *.md"}})
	r.same("status", r.git("status", "--porcelain"), "M  \"doc *.md\"\n M \"doc x.md\"")
	r.write("doc *.md", "Title\n========\n\nboth\n>>>>>>> side\n")
	r.refuse("add_resolved", map[string]any{"paths": []any{"doc *.md"}}, "line 5: >>>>>>> side")
	r.write("doc *.md", "Title\n\n||||||| 1234567\n")
	r.refuse("add_resolved", map[string]any{"paths": []any{"doc *.md"}}, "line 3: |||||||")
}

// TestAddResolvedDeletions: a file that one side has deleted is kept or goes,
// as it stands in the tree.
func TestAddResolvedDeletions(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]bool{"kept": true, "gone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			r.commit("a.txt", "base\n")
			r.git("checkout", "-q", "-b", "side")
			r.commit("a.txt", "side\n")
			r.git("checkout", "-q", "main")
			r.git("rm", "-q", "a.txt")
			r.git("commit", "-q", "-m", "delete a.txt")
			r.try("merge", "side")
			if !keep {
				if err := os.Remove(filepath.Join(r.dir, "a.txt")); err != nil {
					t.Fatal(err)
				}
			}
			r.do("add_resolved", map[string]any{"paths": []any{"a.txt"}})
			r.same("in the index", r.git("ls-files") != "", keep)
			r.expect("unmerged", map[string]any{"unmerged": []any{}})
		})
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	r, s := inConflict(t)
	args := map[string]any{"cwd": s.dir}
	got := r.do("replay", args)
	r.same("unmerged", got["unmerged"], []any{"a.txt"})
	r.same("remaining", got["remaining"], []any{"a.txt"})
	if exists(filepath.Join(r.dir, ".git", "rr-cache")) {
		t.Error("git remembers now, which nobody has asked for")
	}
	r.do("discard", nil)

	// The person resolves it, where git is to remember.
	r.git("config", "rerere.enabled", "true")
	r.try("merge", "side")
	r.write("a.txt", "both\n")
	r.git("commit", "-q", "-a", "-m", "merged")
	r.git("reset", "-q", "--hard", "HEAD~1")
	r.do("scratch", map[string]any{"name": "main"})
	s.try("-c", "rerere.enabled=false", "merge", "side")
	got = r.do("replay", args)
	r.same("unmerged", got["unmerged"], []any{"a.txt"})
	r.same("remaining", got["remaining"], []any{})
	r.same("a.txt", s.read("a.txt"), "both\n")
	r.do("add_resolved", at(s, "a.txt"))
}

// TestResolutionsAreNotRemembered: what was resolved in a drive is not
// replayed in the next one.
func TestResolutionsAreNotRemembered(t *testing.T) {
	t.Parallel()
	r := forked(t)
	r.git("config", "rerere.enabled", "true")
	for _, content := range []string{"first\n", "second\n"} {
		r.do("scratch", map[string]any{"name": "main"})
		s := r.in(r.place())
		s.try("-c", "rerere.enabled=false", "merge", "side")
		got := r.do("replay", map[string]any{"cwd": s.dir})
		r.same("remaining", got["remaining"], []any{"a.txt"})
		s.write("a.txt", content)
		r.do("add_resolved", at(s, "a.txt"))
		s.git("-c", "rerere.enabled=false", "commit", "-q", "--no-edit")
		r.do("discard", nil)
	}
	left, _ := os.ReadDir(filepath.Join(r.dir, ".git", "rr-cache"))
	r.same("remembered", len(left), 0)
}

func TestMarkers(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"<<<<<<< HEAD": true, "|||||||": true, "||||||| 12 base": true, "=======": true, ">>>>>>> a b": true, "<<<<<<<<<<<<< wide": true,
		"======": false, " =======": false, "<<<<<<<x": false, "=======x": false, "a <<<<<<< b": false, "": false, "-------": false,
	} {
		if got := looksMarked(line, usualMarker); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	if found := markers([]byte("a\x00\n=======\n"), usualMarker); len(found) != 1 {
		t.Error("what stands beside a NUL is not seen")
	}
	if got := clipped(strings.Repeat("é", 100)); len(got) > 70 {
		t.Errorf("%d bytes", len(got))
	}
}
