package host

import (
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

func emptyStash() map[string]any {
	return map[string]any{"stashes": 0, "stash": "", "stash_paths": []any{}, "stash_fits": false, "stash_why": ""}
}

// fillStash tells about the last stash, and whether it would come back
// without a conflict into a tree without changes.
func fillStash(r repo, _ question, out map[string]any) error {
	list, err := r.must("stash", "list", "--format=%H")
	if err != nil {
		return err
	}
	ids := lines(list)
	if len(ids) == 0 {
		return nil
	}
	s, err := r.readStash(ids[0])
	if err != nil {
		return err
	}
	out["stashes"], out["stash"], out["stash_paths"] = len(ids), ids[0], Anys(s.paths)
	why, err := r.misfit(s)
	out["stash_why"], out["stash_fits"] = why, err == nil && why == ""
	return err
}

// stash is a stash's commit with the paths it changes and those it creates,
// both sorted.
type stash struct {
	id             string
	paths, created []string
}

// readStash compares a stash's three trees: the working tree's, the index's,
// and that of the untracked files, which most have not.
func (r repo) readStash(id string) (stash, error) {
	s := stash{id: id}
	seen := map[string]bool{}
	for _, tree := range []string{id, id + "^2"} {
		if err := r.addPaths(&s, seen, id+"^1", tree); err != nil {
			return s, err
		}
	}
	third, err := r.ask("rev-parse", "-q", "--verify", id+"^3")
	if err != nil || third == "" {
		return s, err
	}
	raw, err := r.must("ls-tree", "-r", "-z", "--full-tree", "--name-only", third)
	for _, p := range Records(raw) {
		s.paths, s.created = append(s.paths, p), append(s.created, p)
	}
	sort.Strings(s.paths)
	return s, err
}

func (r repo) addPaths(s *stash, seen map[string]bool, from, to string) error {
	raw, err := r.must("diff-tree", "-r", "-z", "--no-renames", "--name-status", from, to)
	fields := Records(raw)
	for i := 0; i+1 < len(fields); i += 2 {
		if p := fields[i+1]; !seen[p] {
			seen[p] = true
			s.paths = append(s.paths, p)
			if fields[i] == "A" {
				s.created = append(s.created, p)
			}
		}
	}
	sort.Strings(s.paths)
	return err
}

// misfit says why a stash might not come back as it was, "" when it must: no
// path of it has changed since, and nothing stands where it makes a file.
func (r repo) misfit(s stash) (string, error) {
	raw, err := r.must("diff-tree", "-r", "-z", "--no-renames", "--name-only", s.id+"^1", "HEAD")
	if err != nil {
		return "", err
	}
	for _, changed := range Records(raw) {
		for _, p := range s.paths {
			if touch(changed, p) {
				return p + " has changed since it was stashed", nil
			}
		}
	}
	root, err := r.root()
	if err != nil {
		return "", err
	}
	for _, p := range s.created {
		if at := occupied(root, p); at != "" {
			return at + " stands where the stash has a file", nil
		}
	}
	return "", nil
}

// occupied names what keeps a file from being made at a path: something there
// already, or a file where a directory is needed.
func occupied(root, p string) string {
	if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(p))); err == nil {
		return p
	}
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(dir)))
		if err == nil && !info.IsDir() {
			return strings.TrimSuffix(dir, "/")
		}
	}
	return ""
}
