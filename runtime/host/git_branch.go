package host

import (
	"fmt"
	"strings"
)

func emptyBranch() map[string]any {
	return map[string]any{
		"name": "", "valid": false, "exists": false, "is_default": false, "elsewhere": "",
		"remote": "", "remote_ref": "", "means": "", "upstream": "", "upstream_remote": "", "upstream_branch": "",
		"upstream_head": "", "upstream_gone": false, "ahead": 0, "behind": 0,
	}
}

// fillBranch tells about the branch that was asked for, else the current one.
func fillBranch(r repo, q question, out map[string]any) error {
	current, err := r.currentBranch()
	if err != nil {
		return err
	}
	name := q.name
	if name == "" {
		name = current
	}
	byDefault, err := r.defaultBranch(current)
	if err != nil {
		return err
	}
	out["is_default"] = name != "" && name == byDefault
	return r.branchFacts(name, out)
}

// fillDefault tells the same about the default branch.
func fillDefault(r repo, _ question, out map[string]any) error {
	current, err := r.currentBranch()
	if err != nil {
		return err
	}
	name, err := r.defaultBranch(current)
	if err != nil {
		return err
	}
	out["is_default"] = name != ""
	return r.branchFacts(name, out)
}

func (r repo) branchFacts(name string, out map[string]any) error {
	valid, err := r.validBranch(name)
	if err != nil || !valid {
		out["name"] = name
		return err
	}
	names, remote, err := r.remotes(name)
	if err != nil {
		return err
	}
	out["name"], out["valid"], out["remote"] = name, true, remote
	if remote != "" {
		ref := "refs/remotes/" + remote + "/" + name
		found, err := r.anyRef(ref)
		if err != nil {
			return err
		}
		if found {
			out["remote_ref"] = ref
		}
	}
	if err := r.tracking(name, out); err != nil {
		return err
	}
	if out["exists"] == false {
		out["means"], err = r.means(name, names)
	}
	return err
}

// means tells what a name that is no branch stands for all the same: a branch
// made under it would be taken for that, and was hardly meant.
func (r repo) means(name string, remotes []string) (string, error) {
	for _, remote := range remotes {
		if strings.HasPrefix(name, remote+"/") {
			return "remote branch", nil
		}
	}
	if found, err := r.anyRef("refs/tags/" + name); found || err != nil {
		return "tag", err
	}
	res, err := r.run("rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil || res.ExitCode != 0 {
		return "", err
	}
	return "commit", nil
}

// validBranch asks git about a name. What git calls a branch by more than its
// name (HEAD, @{-1}) is none.
func (r repo) validBranch(name string) (bool, error) {
	if name == "" || name == "HEAD" {
		return false, nil
	}
	res, err := r.run("check-ref-format", "refs/heads/"+name)
	return err == nil && res.ExitCode == 0, err
}

// tracking reads how a local branch stands to its upstream, and which other
// worktree has it checked out.
func (r repo) tracking(name string, out map[string]any) error {
	const fields = "%(refname)%00%(upstream)%00%(upstream:short)%00%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream:track,nobracket)%00%(worktreepath)"
	raw, err := r.must("for-each-ref", "--format="+fields, "refs/heads/"+name)
	if err != nil {
		return err
	}
	f := strings.Split(strings.TrimSuffix(raw, "\n"), "\x00")
	if len(f) != 7 || f[0] != "refs/heads/"+name {
		return nil
	}
	out["exists"] = true
	out["upstream"], out["upstream_remote"], out["upstream_branch"] = f[2], f[3], strings.TrimPrefix(f[4], "refs/heads/")
	out["upstream_gone"] = f[5] == "gone"
	out["ahead"], out["behind"] = distance(f[5])
	if f[1] != "" {
		if out["upstream_head"], err = r.ask("rev-parse", "-q", "--verify", f[1]+"^{commit}"); err != nil {
			return err
		}
	}
	root, err := r.root()
	if f[6] != root {
		out["elsewhere"] = f[6]
	}
	return err
}

// distance reads "ahead 1, behind 2" and its parts.
func distance(track string) (ahead, behind int) {
	for _, part := range strings.Split(track, ", ") {
		var n int
		if _, err := fmt.Sscanf(part, "ahead %d", &n); err == nil {
			ahead = n
		}
		if _, err := fmt.Sscanf(part, "behind %d", &n); err == nil {
			behind = n
		}
	}
	return ahead, behind
}
