package host

import (
	"path/filepath"
	"slices"
	"strings"
)

// replay lets git rerere put in what the person has resolved before, where
// they let git remember that. It stages nothing, and what is resolved now is
// not remembered: nobody has looked at it yet.
func replay(r repo, _ map[string]any) (map[string]any, error) {
	all, err := r.unmerged()
	if err != nil {
		return nil, err
	}
	out := map[string]any{"unmerged": Anys(all), "remaining": Anys(all)}
	if remembers, err := r.remembers(); err != nil || !remembers {
		return out, err
	}
	if _, err := r.change("-c", "rerere.autoUpdate=false", "rerere"); err != nil {
		return nil, err
	}
	left, err := r.must("rerere", "remaining")
	if err != nil {
		return nil, err
	}
	var remaining []string
	for _, p := range all {
		if slices.Contains(lines(left), p) {
			remaining = append(remaining, p)
		}
	}
	out["remaining"] = Anys(remaining)
	return out, nil
}

// remembers tells whether git remembers resolutions here: as configured, else
// when there are some; see rerere.enabled in git-config(1).
func (r repo) remembers() (bool, error) {
	set, err := r.ask("config", "--type=bool", "--get", "rerere.enabled")
	if err != nil || set != "" {
		return set == "true", err
	}
	common, err := r.common()
	return err == nil && exists(filepath.Join(common, "rr-cache")), err
}

// addResolved stages paths that had a conflict, those and no others, once no
// conflict marker is left in any of them.
func addResolved(r repo, args map[string]any) (map[string]any, error) {
	paths, err := list(args, "paths")
	if err != nil {
		return nil, failf(gitName, "%v", err)
	}
	top, err := r.root()
	if err != nil {
		return nil, err
	}
	r = r.at(top)
	sides, err := r.sides()
	if err != nil {
		return nil, err
	}
	if paths == nil {
		if paths, err = r.unmerged(); err != nil {
			return nil, err
		}
	}
	slices.Sort(paths)
	for _, p := range paths {
		if len(sides[p]) == 0 {
			return nil, failf(gitName, "%s had no conflict; only what had one is added", p)
		}
		if err := r.unmarked(p, sides[p]); err != nil {
			return nil, err
		}
		if err := r.decided(p, sides[p]); err != nil {
			return nil, err
		}
	}
	if err := r.addAll(paths); err != nil {
		return nil, err
	}
	return map[string]any{"added": Anys(paths)}, nil
}

func (r repo) addAll(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	input := strings.Join(paths, "\x00") + "\x00"
	if _, err := r.changeWith([]byte(input), "update-index", "--add", "--remove", "-z", "--stdin"); err != nil {
		return err
	}
	if remembers, err := r.remembers(); err != nil || !remembers {
		return err
	}
	_, err := r.change("rerere", "clear")
	return err
}

// side is what one side of a conflict has: stage 1 is what both come from.
type side struct{ mode, id, stage string }

// sides are what met in each path with a conflict, in the order of the stages,
// also in one that was staged since.
func (r repo) sides() (map[string][]side, error) {
	out := map[string][]side{}
	for _, which := range []string{"--unmerged", "--resolve-undo"} {
		raw, err := r.must("ls-files", which, "-z", "--full-name")
		if err != nil {
			return nil, err
		}
		for _, line := range Records(raw) {
			what, path, _ := strings.Cut(line, "\t")
			if f := strings.Fields(what); len(f) == 3 && f[2] != "0" {
				out[path] = append(out[path], side{f[0], f[1], f[2]})
			}
		}
	}
	return out, nil
}

// unmerged are the paths with conflicts, sorted.
func (r repo) unmerged() ([]string, error) {
	out := emptyUnmerged()
	if err := fillUnmerged(r, question{}, out); err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range out["unmerged"].([]any) {
		paths = append(paths, p.(string))
	}
	slices.Sort(paths)
	return paths, nil
}
