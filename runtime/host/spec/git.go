package spec

import "kitsoki/runtime/artifact"

// gitRow is host.git: facts about the repository, from plumbing.
func gitRow() Call {
	return Call{
		Name:   "host.git",
		Effect: Write,
		Reads:  []string{"branches", "in_progress", "status"},
		Doc:    "Typed facts about the git repository around the working directory. Outside a repository it returns repository: false and empty facts.",
		Params: []Param{
			{
				Name: "op", Type: artifact.TypeString, Required: true, Enum: []string{"branches", "in_progress", "status"},
				Doc: "Which facts.",
			},
		},
		Results: append(append(gitCommon(), gitStatus()...), append(gitProgress(), gitBranches()...)...),
	}
}

func gitCommon() []Result {
	return []Result{{Name: "repository", Type: artifact.TypeBool, Doc: "The working directory is inside a repository's working tree."}}
}

func gitStatus() []Result {
	rows := []Result{
		{Name: "branch", Type: artifact.TypeString, Doc: "The current branch; empty on a detached HEAD."},
		{Name: "head", Type: artifact.TypeString, Doc: "The commit HEAD names, in full; empty before the first commit."},
		{Name: "detached", Type: artifact.TypeBool, Doc: "HEAD names a commit, not a branch."},
		{Name: "unborn", Type: artifact.TypeBool, Doc: "The current branch has no commit yet."},
		{Name: "upstream", Type: artifact.TypeString, Doc: "The branch's upstream, such as origin/main; empty when it has none."},
		{Name: "ahead", Type: artifact.TypeInt, Doc: "Commits the upstream lacks; 0 without upstream."},
		{Name: "behind", Type: artifact.TypeInt, Doc: "Commits the branch lacks; 0 without upstream."},
		{Name: "remote", Type: artifact.TypeString, Doc: "The branch's remote, else origin, else the only one; empty when none is the obvious one."},
		{Name: "has_remote", Type: artifact.TypeBool, Doc: "There is at least one remote."},
		{Name: "staged", Type: artifact.TypeList, Doc: "Paths with staged changes, sorted."},
		{Name: "unstaged", Type: artifact.TypeList, Doc: "Tracked paths with changes that are not staged, sorted."},
		{Name: "untracked", Type: artifact.TypeList, Doc: "Paths git does not track, ignored ones left out, sorted."},
		{Name: "unmerged", Type: artifact.TypeList, Doc: "Paths with unresolved conflicts, sorted."},
		{Name: "clean", Type: artifact.TypeBool, Doc: "Nothing staged, unstaged, untracked or unmerged."},
	}
	return forOp("status", rows)
}

func gitProgress() []Result {
	rows := []Result{
		{Name: "in_progress", Type: artifact.TypeBool, Doc: "An operation waits to be continued or aborted in this worktree."},
		{Name: "operation", Type: artifact.TypeString, Doc: "rebase, merge, cherry-pick, revert, bisect or am; empty when there is none."},
	}
	return forOp("in_progress", rows)
}

func gitBranches() []Result {
	rows := []Result{
		{Name: "current", Type: artifact.TypeString, Doc: "The current branch; empty on a detached HEAD."},
		{Name: "local", Type: artifact.TypeList, Doc: "Local branches, sorted."},
		{Name: "remote_branches", Type: artifact.TypeList, Doc: "Remote-tracking branches such as origin/main, sorted."},
		{Name: "default", Type: artifact.TypeString, Doc: "The default branch: what the remote's HEAD names, else main or master when that exists; empty when not known."},
	}
	return forOp("branches", rows)
}

func forOp(op string, rows []Result) []Result {
	for i := range rows {
		rows[i].Ops = []string{op}
	}
	return rows
}
