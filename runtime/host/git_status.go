package host

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

func emptyStatus() map[string]any {
	return map[string]any{
		"branch": "", "head": "", "detached": false, "unborn": false,
		"upstream": "", "ahead": 0, "behind": 0, "remote": "", "has_remote": false, "remotes": []any{}, "root": "",
		"staged": []any{}, "unstaged": []any{}, "untracked": []any{}, "unmerged": []any{}, "shadowed": []any{}, "clean": true,
	}
}

// fillStatus reads git status in its second machine format (see "Porcelain
// Format Version 2" in git-status(1)).
func fillStatus(r repo, _ question, out map[string]any) error {
	raw, err := r.must("status", "--porcelain=v2", "-z", "--branch", "--untracked-files=normal")
	if err != nil {
		return err
	}
	branch, err := r.currentBranch()
	if err != nil {
		return err
	}
	names, remote, err := r.remotes(branch)
	if err != nil {
		return err
	}
	s := readStatus(raw)
	out["branch"], out["detached"] = branch, branch == ""
	out["remote"], out["has_remote"], out["remotes"] = remote, len(names) > 0, Anys(names)
	s.into(out)
	out["root"], err = r.root()
	return err
}

// status is what the records of git status say.
type status struct {
	head, upstream                        string
	ahead, behind                         int
	staged, unstaged, untracked, unmerged []string
}

func readStatus(raw string) status {
	var s status
	records := strings.Split(raw, "\x00")
	for i := 0; i < len(records); i++ {
		s.record(records[i])
		if strings.HasPrefix(records[i], "2 ") {
			i++ // a rename's old path is a record of its own
		}
	}
	return s
}

func (s *status) record(rec string) {
	kind, rest, _ := strings.Cut(rec, " ")
	switch kind {
	case "#":
		s.header(rest)
	case "1":
		s.changed(rest, 8)
	case "2":
		s.changed(rest, 9)
	case "u":
		s.unmerged = append(s.unmerged, field(rest, 10))
	case "?":
		s.untracked = append(s.untracked, rest)
	}
}

func (s *status) header(rest string) {
	key, value, _ := strings.Cut(rest, " ")
	switch key {
	case "branch.oid":
		if value != "(initial)" {
			s.head = value
		}
	case "branch.upstream":
		s.upstream = value
	case "branch.ab":
		// Absent when the upstream is gone; then both stay 0.
		_, _ = fmt.Sscanf(value, "+%d -%d", &s.ahead, &s.behind)
	}
}

// changed reads a changed path whose n-th field is the path; the first says
// what changed in the index and in the tree.
func (s *status) changed(rest string, n int) {
	path := field(rest, n)
	if len(rest) < 2 || path == "" {
		return
	}
	if rest[0] != '.' {
		s.staged = append(s.staged, path)
	}
	if rest[1] != '.' {
		s.unstaged = append(s.unstaged, path)
	}
}

// field is the n-th field of a record, from 1, with all that follows: a path
// may hold blanks.
func field(rest string, n int) string {
	parts := strings.SplitN(rest, " ", n)
	if len(parts) < n {
		return ""
	}
	return parts[n-1]
}

func (s *status) into(out map[string]any) {
	out["head"], out["unborn"] = s.head, s.head == ""
	out["upstream"], out["ahead"], out["behind"] = s.upstream, s.ahead, s.behind
	clean := true
	for name, list := range map[string][]string{
		"staged": s.staged, "unstaged": s.unstaged, "untracked": s.untracked, "unmerged": s.unmerged,
	} {
		sort.Strings(list)
		out[name] = Anys(list)
		clean = clean && len(list) == 0
	}
	out["clean"] = clean
	out["shadowed"] = Anys(s.shadowed())
}

// shadowed are the untracked paths that stand where a tracked path was: in
// its very place, below it, or around it. What brings the tracked path back
// would overwrite them.
func (s *status) shadowed() []string {
	var out []string
	for _, path := range s.untracked {
		bare := strings.TrimSuffix(path, "/")
		if slices.ContainsFunc(append(slices.Clone(s.staged), s.unstaged...), func(t string) bool { return touch(bare, t) }) {
			out = append(out, path)
		}
	}
	return out
}

// touch tells whether two paths are one, or one lies below the other.
func touch(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

func emptyUnmerged() map[string]any { return map[string]any{"unmerged": []any{}} }

// fillUnmerged lists the paths with conflicts, without the cost of a whole
// status.
func fillUnmerged(r repo, _ question, out map[string]any) error {
	raw, err := r.must("diff", "--name-only", "--diff-filter=U", "--no-ext-diff", "-z")
	if err != nil {
		return err
	}
	paths := []any{}
	for _, p := range strings.Split(strings.TrimSuffix(raw, "\x00"), "\x00") {
		if p != "" {
			paths = append(paths, p)
		}
	}
	out["unmerged"] = paths
	return nil
}
