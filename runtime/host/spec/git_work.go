package spec

import "kitsoki/runtime/artifact"

func gitParams(ops []string) []Param {
	return []Param{
		{
			Name: "op", Type: artifact.TypeString, Required: true, Enum: ops,
			Doc: "Which facts, or which work. Work is done in a drive alone: abort ends the operation in progress; scratch makes a worktree apart for the drive and discard removes it; replay puts in what git rerere remembers of conflicts; add_resolved stages paths that had one; publish moves a branch with its files to what was made apart, in one step, and unpublish takes back one that stopped half way.",
		},
		{Name: "name", Type: artifact.TypeString, Doc: "op branch: the branch, the current one when absent; op worktrees: the branch a new worktree is for; op compare: a branch or another revision, the default branch when absent; op scratch: a branch or another revision; op publish and unpublish: the branch."},
		{Name: "include", Type: artifact.TypeString, Doc: "op draft: what the commit would hold: staged, tracked (every change of a tracked file) or all (untracked files too)."},
		{Name: "paths", Type: artifact.TypeList, Doc: "op add_resolved: the paths, every one with a conflict when absent."},
		{Name: "from", Type: artifact.TypeString, Doc: "op publish and unpublish: the commit the branch was found at."},
		{Name: "to", Type: artifact.TypeString, Doc: "op publish and unpublish: the commit it goes to."},
		{Name: "links", Type: artifact.TypeList, Doc: "op scratch: ignored files and directories of the working tree that are linked into it, relative to the top."},
		{Name: "cwd", Type: artifact.TypeString, Doc: "Where to look or work; relative to the working directory and inside it, or absolute. The working directory when absent."},
	}
}

func gitCompare() []Result {
	return forOps([]Result{
		{Name: "commit", Type: artifact.TypeString, Doc: "The commit that name stands for, in full; empty when it stands for none. A branch comes before all else of that name."},
		{Name: "ref", Type: artifact.TypeString, Doc: "The full name of what name stands for, such as refs/heads/main; empty when it has none."},
		{Name: "base", Type: artifact.TypeString, Doc: "The last commit that both have, in full; empty when there is none."},
		{Name: "mine", Type: artifact.TypeInt, Doc: "Commits that HEAD alone has."},
		{Name: "theirs", Type: artifact.TypeInt, Doc: "Commits that HEAD lacks."},
		{Name: "merges", Type: artifact.TypeInt, Doc: "How many of those that HEAD alone has are merges."},
		{Name: "subjects", Type: artifact.TypeList, Doc: "The first lines of HEAD's own commits since base, the oldest first."},
	}, "compare")
}

// gitWork is what the ops of a drive return.
func gitWork() []Result {
	rows := forOps([]Result{
		{Name: "aborted", Type: artifact.TypeString, Doc: "The operation that was ended; empty when there was none."},
	}, "abort")
	rows = append(rows, forOps([]Result{
		{Name: "added", Type: artifact.TypeList, Doc: "Paths that were staged, sorted."},
	}, "add_resolved")...)
	rows = append(rows, forOps([]Result{
		{Name: "discarded", Type: artifact.TypeBool, Doc: "There was something to remove."},
	}, "discard")...)
	rows = append(rows, forOps([]Result{
		{Name: "linked", Type: artifact.TypeList, Doc: "What was linked into it, relative to its top."},
	}, "scratch")...)
	rows = append(rows, forOps([]Result{
		{Name: "remaining", Type: artifact.TypeList, Doc: "The unmerged paths that were not resolved before, sorted."},
	}, "replay")...)
	rows = append(rows, forOps([]Result{
		{Name: "here", Type: artifact.TypeBool, Doc: "It is the current branch, so that the files went along."},
	}, "publish")...)
	return append(rows, forOps([]Result{
		{Name: "restored", Type: artifact.TypeList, Doc: "Paths that were taken back, sorted."},
		{Name: "kept", Type: artifact.TypeList, Doc: "Paths that hold neither what was there nor what was to come, and were left."},
	}, "unpublish")...)
}
