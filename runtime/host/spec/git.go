package spec

import "kitsoki/runtime/artifact"

// gitRow is host.git: facts about the repository, from plumbing.
func gitRow() Call {
	ops := []string{"branch", "branches", "compare", "default", "draft", "head", "identity", "in_progress", "stash", "status", "unmerged", "worktrees"}
	drives := []string{"abort", "add_resolved", "discard", "publish", "replay", "scratch", "unpublish"}
	results := gitCommon()
	for _, rows := range [][]Result{
		gitStatus(), gitShared(), gitProgress(), gitBranches(), gitBranch(), gitHead(), gitDraft(), gitStash(), gitWorktrees(), gitCompare(), gitWork(),
	} {
		results = append(results, rows...)
	}
	return Call{
		Name:     "host.git",
		Effect:   Write,
		Reads:    ops,
		DriveOps: drives,
		Doc:      "Typed facts about the git repository around the working directory. Outside a repository it returns repository: false and empty facts.",
		Params:   gitParams(append(drives, ops...)),
		Results:  results,
	}
}

func gitCommon() []Result {
	return []Result{{Name: "repository", Type: artifact.TypeBool, Doc: "The working directory is inside a repository's working tree."}}
}

func gitStatus() []Result {
	rows := []Result{
		{Name: "branch", Type: artifact.TypeString, Doc: "The current branch; empty on a detached HEAD."},
		{Name: "detached", Type: artifact.TypeBool, Doc: "HEAD names a commit, not a branch."},
		{Name: "unborn", Type: artifact.TypeBool, Doc: "The current branch has no commit yet."},
		{Name: "has_remote", Type: artifact.TypeBool, Doc: "There is at least one remote."},
		{Name: "remotes", Type: artifact.TypeList, Doc: "The remotes, sorted."},
		{Name: "root", Type: artifact.TypeString, Doc: "The top of the working tree, absolute; paths are relative to it."},
		{Name: "staged", Type: artifact.TypeList, Doc: "Paths with staged changes, sorted."},
		{Name: "unstaged", Type: artifact.TypeList, Doc: "Tracked paths with changes that are not staged, sorted."},
		{Name: "untracked", Type: artifact.TypeList, Doc: "Paths git does not track, ignored ones left out, a directory of nothing else as one path with / at its end, sorted."},
		{Name: "shadowed", Type: artifact.TypeList, Doc: "Untracked paths that stand where a tracked path was: bringing that back would overwrite them."},
		{Name: "clean", Type: artifact.TypeBool, Doc: "Nothing staged, unstaged, untracked or unmerged."},
	}
	return forOps(rows, "status")
}

// gitShared are the facts that several ops tell.
func gitShared() []Result {
	var out []Result
	out = append(out, forOps([]Result{
		{Name: "upstream", Type: artifact.TypeString, Doc: "The branch's upstream, such as origin/main; empty when it has none."},
		{Name: "ahead", Type: artifact.TypeInt, Doc: "Commits the upstream lacks; 0 without upstream."},
		{Name: "behind", Type: artifact.TypeInt, Doc: "Commits the branch lacks; 0 without upstream."},
		{Name: "remote", Type: artifact.TypeString, Doc: "The branch's remote, else origin, else the only one; empty when none is the obvious one."},
	}, "branch", "default", "status")...)
	out = append(out, forOps([]Result{
		{Name: "unmerged", Type: artifact.TypeList, Doc: "Paths with unresolved conflicts, sorted."},
	}, "replay", "status", "unmerged")...)
	return append(out, forOps([]Result{
		{Name: "head", Type: artifact.TypeString, Doc: "The commit HEAD names, in full; empty before the first commit."},
	}, "head", "scratch", "status")...)
}

func gitProgress() []Result {
	rows := []Result{
		{Name: "in_progress", Type: artifact.TypeBool, Doc: "An operation waits to be continued or aborted in this worktree."},
		{Name: "operation", Type: artifact.TypeString, Doc: "rebase, merge, cherry-pick, revert, bisect or am; empty when there is none."},
	}
	return forOps(rows, "in_progress")
}

func gitBranches() []Result {
	rows := []Result{
		{Name: "current", Type: artifact.TypeString, Doc: "The current branch; empty on a detached HEAD."},
		{Name: "local", Type: artifact.TypeList, Doc: "Local branches, sorted."},
		{Name: "remote_branches", Type: artifact.TypeList, Doc: "Remote-tracking branches such as origin/main, sorted."},
		{Name: "default", Type: artifact.TypeString, Doc: "The default branch: what the remote's HEAD names, else main or master where that exists, here or on the remote; empty when not known."},
	}
	return forOps(rows, "branches")
}

func gitBranch() []Result {
	rows := []Result{
		{Name: "valid", Type: artifact.TypeBool, Doc: "git takes the name for a branch's."},
		{Name: "exists", Type: artifact.TypeBool, Doc: "There is a local branch of that name, with a commit."},
		{Name: "is_default", Type: artifact.TypeBool, Doc: "It is the default branch."},
		{Name: "elsewhere", Type: artifact.TypeString, Doc: "Another worktree that has it checked out; empty when none has."},
		{Name: "remote_ref", Type: artifact.TypeString, Doc: "The branch of that name on the remote, such as refs/remotes/origin/main; empty when none is known."},
		{Name: "means", Type: artifact.TypeString, Doc: "What a name that is no local branch stands for instead: remote branch, tag or commit; empty when nothing."},
		{Name: "upstream_remote", Type: artifact.TypeString, Doc: "The upstream's remote; . for a local branch, empty without upstream."},
		{Name: "upstream_branch", Type: artifact.TypeString, Doc: "The upstream's name on its remote; empty without upstream."},
		{Name: "upstream_head", Type: artifact.TypeString, Doc: "The commit the upstream is known to be at, in full; empty when not known."},
		{Name: "upstream_gone", Type: artifact.TypeBool, Doc: "An upstream is configured and not there."},
	}
	name := []Result{
		{Name: "name", Type: artifact.TypeString, Doc: "The branch that is told about, or the revision; empty when there is none."},
	}
	return append(forOps(name, "branch", "compare", "default"), forOps(rows, "branch", "default")...)
}

func forOps(rows []Result, ops ...string) []Result {
	for i := range rows {
		rows[i].Ops = ops
	}
	return rows
}
