package host

import (
	"os"
	"strings"
)

func emptyWorktrees() map[string]any {
	return map[string]any{"worktrees": []any{}, "stale": 0, "primary": "", "path": "", "path_free": false}
}

// fillWorktrees lists the worktrees, the primary one first, and says where a
// new one for the branch that was asked for would stand: beside the primary.
func fillWorktrees(r repo, q question, out map[string]any) error {
	raw, err := r.must("worktree", "list", "--porcelain")
	if err != nil {
		return err
	}
	var list []any
	stale := 0
	for _, block := range strings.Split(strings.TrimSpace(raw), "\n\n") {
		w := readWorktree(block)
		if w["stale"] == true {
			stale++
		}
		if len(list) == 0 {
			out["primary"] = w["path"]
		}
		list = append(list, w)
	}
	out["worktrees"], out["stale"] = list, stale
	if q.name != "" {
		place := out["primary"].(string) + "-" + plainName(q.name)
		_, err := os.Lstat(place)
		out["path"], out["path_free"] = place, os.IsNotExist(err)
	}
	return nil
}

// readWorktree reads one block of "git worktree list --porcelain".
func readWorktree(block string) map[string]any {
	w := map[string]any{"path": "", "head": "", "branch": "", "detached": false, "locked": false, "stale": false}
	for line := range strings.SplitSeq(block, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "worktree":
			w["path"] = value
		case "HEAD":
			w["head"] = value
		case "branch":
			w["branch"] = strings.TrimPrefix(value, "refs/heads/")
		case "detached", "locked":
			w[key] = true
		case "prunable":
			w["stale"] = true
		}
	}
	return w
}

// plainName makes one path element of a branch's name.
func plainName(branch string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
			return c
		}
		return '-'
	}, branch)
}
