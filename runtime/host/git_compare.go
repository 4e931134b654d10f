package host

import (
	"strconv"
	"strings"
)

func emptyCompare() map[string]any {
	return map[string]any{"name": "", "commit": "", "ref": "", "base": "", "mine": 0, "theirs": 0, "merges": 0, "subjects": []any{}}
}

// fillCompare tells how HEAD stands to another revision, the default branch
// when none is named.
func fillCompare(r repo, q question, out map[string]any) error {
	current, err := r.currentBranch()
	if err != nil {
		return err
	}
	if q.name == "" {
		if q.name, err = r.defaultBranch(current); err != nil {
			return err
		}
	}
	out["name"] = q.name
	commit, ref, err := r.lookUp(q.name, current)
	if err != nil || commit == "" {
		return err
	}
	out["commit"], out["ref"] = commit, ref
	base, err := r.ask("merge-base", "HEAD", commit)
	if err != nil || base == "" {
		return err
	}
	out["base"] = base
	for key, revs := range map[string][]string{
		"mine": {commit + "..HEAD"}, "theirs": {"HEAD.." + commit}, "merges": {"--merges", commit + "..HEAD"},
	} {
		n, err := r.must(append([]string{"rev-list", "--count"}, revs...)...)
		if err != nil {
			return err
		}
		if out[key], err = strconv.Atoi(strings.TrimSpace(n)); err != nil {
			return failf(gitName, "git rev-list says %q", n)
		}
	}
	subjects, err := r.must("log", "--reverse", "--no-show-signature", "--format=%s", base+"..HEAD")
	out["subjects"] = Anys(lines(subjects))
	return err
}

// lookUp finds a revision: a local branch, else one of the branch's remote,
// else a remote-tracking one, else whatever git takes the name for. Ref is its
// full name, "" when it has none.
func (r repo) lookUp(name, current string) (commit, ref string, err error) {
	if name == "" || strings.HasPrefix(name, "-") {
		return "", "", nil
	}
	if plain, err := r.validBranch(name); err != nil {
		return "", "", err
	} else if plain {
		_, remote, err := r.remotes(current)
		if err != nil {
			return "", "", err
		}
		for _, prefix := range []string{"refs/heads/", "refs/remotes/" + remote + "/", "refs/remotes/"} {
			commit, err = r.ask("rev-parse", "-q", "--verify", prefix+name+"^{commit}")
			if err != nil || commit != "" {
				return commit, prefix + name, err
			}
		}
	}
	if commit, err = r.ask("rev-parse", "-q", "--verify", "--end-of-options", name+"^{commit}"); err != nil || commit == "" {
		return "", "", err
	}
	ref, err = r.ask("rev-parse", "--symbolic-full-name", "--end-of-options", name)
	if !strings.HasPrefix(ref, "refs/") {
		ref = ""
	}
	return commit, ref, err
}
