package host

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func emptyProgress() map[string]any {
	return map[string]any{"operation": "", "in_progress": false}
}

// fillProgress looks for the marks an operation leaves. They lie in the
// worktree's own git directory, so that another worktree's rebase is not
// ours.
func fillProgress(r repo, _ question, out map[string]any) error {
	op, err := r.operation()
	out["operation"], out["in_progress"] = op, op != ""
	return err
}

// operation names what is in progress. A rebase comes first: it leaves the
// marks of a cherry-pick or merge too.
func (r repo) operation() (string, error) {
	switch {
	case r.marked("rebase-apply/applying"):
		return "am", nil
	case r.marked("rebase-merge"), r.marked("rebase-apply"):
		return "rebase", nil
	case r.marked("MERGE_HEAD"):
		return "merge", nil
	}
	for _, pair := range [][2]string{{"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"}} {
		id, err := r.ask("rev-parse", "-q", "--verify", pair[0])
		if err != nil || id != "" {
			return pair[1], err
		}
	}
	return r.sequence(), nil
}

// sequence finds a cherry-pick or revert of several commits that stands
// between two of them, and a bisection.
func (r repo) sequence() string {
	todo, err := os.ReadFile(filepath.Join(r.dir, "sequencer", "todo"))
	word, _, _ := strings.Cut(strings.TrimSpace(string(todo)), " ")
	switch {
	case err == nil && word == "revert":
		return "revert"
	case err == nil:
		return "cherry-pick"
	case r.marked("BISECT_LOG"):
		return "bisect"
	}
	return ""
}

func (r repo) marked(name string) bool {
	_, err := os.Stat(filepath.Join(r.dir, filepath.FromSlash(name)))
	return err == nil
}

func emptyBranches() map[string]any {
	return map[string]any{"current": "", "local": []any{}, "remote_branches": []any{}, "default": ""}
}

func fillBranches(r repo, _ question, out map[string]any) error {
	refs, err := r.must("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes")
	if err != nil {
		return err
	}
	current, err := r.currentBranch()
	if err != nil {
		return err
	}
	local, remote := sortRefs(lines(refs))
	out["current"], out["local"], out["remote_branches"] = current, Anys(local), Anys(remote)
	out["default"], err = r.defaultBranch(current)
	return err
}

// sortRefs parts local branches from remote-tracking ones; a remote's HEAD
// is no branch.
func sortRefs(refs []string) (local, remote []string) {
	for _, ref := range refs {
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
			local = append(local, name)
		}
		if name, ok := strings.CutPrefix(ref, "refs/remotes/"); ok && !strings.HasSuffix(name, "/HEAD") {
			remote = append(remote, name)
		}
	}
	sort.Strings(local)
	sort.Strings(remote)
	return local, remote
}

// defaultBranch is what the remote's HEAD names, else main or master, here or
// on the remote; "" when there is none of them.
func (r repo) defaultBranch(current string) (string, error) {
	_, remote, err := r.remotes(current)
	if err != nil {
		return "", err
	}
	tracking := "refs/remotes/" + remote + "/"
	if remote != "" {
		ref, err := r.ask("symbolic-ref", "-q", tracking+"HEAD")
		if err != nil || ref != "" {
			return strings.TrimPrefix(ref, tracking), err
		}
	}
	for _, name := range []string{"main", "master"} {
		refs := []string{"refs/heads/" + name}
		if remote != "" {
			refs = append(refs, tracking+name)
		}
		found, err := r.anyRef(refs...)
		if err != nil || found {
			return name, err
		}
	}
	return "", nil
}

// anyRef tells whether one of the refs, named in full, exists.
func (r repo) anyRef(refs ...string) (bool, error) {
	for _, ref := range refs {
		id, err := r.ask("rev-parse", "-q", "--verify", ref)
		if err != nil || id != "" {
			return id != "", err
		}
	}
	return false, nil
}
