package spec

import (
	"slices"

	"kitsoki/runtime/artifact"
)

// gitHead are the facts about the last commit, and about who would make the
// next one.
func gitHead() []Result {
	rows := []Result{
		{Name: "parent", Type: artifact.TypeString, Doc: "The last commit's first parent, in full; empty when there is none here."},
		{Name: "parents", Type: artifact.TypeInt, Doc: "How many parents the last commit has here: 0 for the first one and at the edge of a shallow clone, 2 or more for a merge."},
		{Name: "subject", Type: artifact.TypeString, Doc: "The first line of the last commit's message."},
		{Name: "reachable", Type: artifact.TypeBool, Doc: "A branch or a tag has the last commit; true before the first."},
	}
	who := []Result{
		{Name: "identity", Type: artifact.TypeBool, Doc: "git knows whom to name as author and committer."},
	}
	out := []Result{
		{Name: "published", Type: artifact.TypeBool, Doc: "op head: a remote-tracking branch has the last commit. op publish and unpublish: the branch is at the commit it goes to."},
	}
	return slices.Concat(forOps(rows, "head"), forOps(out, "head", "publish", "unpublish"), forOps(who, "identity"))
}

func gitDraft() []Result {
	rows := []Result{
		{Name: "message", Type: artifact.TypeString, Doc: "A commit message made from what the commit would change: the subject, then its files; empty when it would change nothing."},
		{Name: "files", Type: artifact.TypeList, Doc: "The paths that the commit would change."},
	}
	return forOps(rows, "draft")
}

func gitStash() []Result {
	rows := []Result{
		{Name: "stashes", Type: artifact.TypeInt, Doc: "How many stashes there are."},
		{Name: "stash", Type: artifact.TypeString, Doc: "The last stash's commit, in full; empty when there is none."},
		{Name: "stash_paths", Type: artifact.TypeList, Doc: "The paths in the last stash, sorted."},
		{Name: "stash_fits", Type: artifact.TypeBool, Doc: "Into a tree without changes, the last stash comes back without a conflict: none of its paths has changed since."},
		{Name: "stash_why", Type: artifact.TypeString, Doc: "Why it might not, in words; empty when it fits."},
	}
	return forOps(rows, "stash")
}

func gitWorktrees() []Result {
	item := []Result{
		{Name: "path", Type: artifact.TypeString, Doc: "Where it stands, absolute."},
		{Name: "head", Type: artifact.TypeString, Doc: "The commit its HEAD names, in full."},
		{Name: "branch", Type: artifact.TypeString, Doc: "Its branch; empty on a detached HEAD."},
		{Name: "detached", Type: artifact.TypeBool, Doc: "Its HEAD names a commit, not a branch."},
		{Name: "locked", Type: artifact.TypeBool, Doc: "It is locked."},
		{Name: "stale", Type: artifact.TypeBool, Doc: "Only its record is left."},
	}
	rows := []Result{
		{Name: "worktrees", Type: artifact.TypeList, Item: item, Doc: "The worktrees, the primary one first."},
		{Name: "stale", Type: artifact.TypeInt, Doc: "How many worktrees have only a record left."},
		{Name: "primary", Type: artifact.TypeString, Doc: "Where the primary worktree stands, absolute."},
		{Name: "path_free", Type: artifact.TypeBool, Doc: "Nothing stands at path."},
	}
	place := []Result{
		{Name: "path", Type: artifact.TypeString, Doc: "op worktrees: where a worktree for the branch in name would stand, beside the primary one; empty without name. op scratch: where the worktree apart stands."},
	}
	return append(forOps(rows, "worktrees"), forOps(place, "scratch", "worktrees")...)
}
