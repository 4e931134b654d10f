package drive

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/engine"
	"kitsoki/runtime/proc"
)

// giveUp runs the way back and looks whether all is as it was. A tree that
// somebody else has moved on is theirs: then only what the drive made apart
// from it is taken away.
func (d *drive) giveUp(ctx context.Context, r *Result) {
	d.giving = true
	_ = d.write(Event{Kind: AbortStarted, State: d.state}, true) // the way back is run, recorded or not
	d.clearLocks(ctx)
	want := d.start
	if theirs, moved := d.movedOn(ctx); moved {
		r.Moved, want = true, theirs
		d.Site.Host = apart{d.Site.Host}
		r.Aborted = d.backward(ctx).HostCalls
		d.settle(ctx, r, want, d.midOwn(theirs))
		return
	}
	cleared := d.clearTorn(ctx)
	back := d.backward(ctx)
	d.forgetOperation(ctx)
	if cleared {
		d.undoFinished(ctx)
	}
	r.Aborted = back.HostCalls
	why := d.unmet(ctx)
	if why != "" {
		why = cmp.Or(back.Detail, why)
	}
	d.settle(ctx, r, want, why)
}

// movedOn tells whether somebody else has moved the tree on, and where it is.
func (d *drive) movedOn(ctx context.Context) (Tree, bool) {
	now, err := treeOf(ctx, d.Site.Dir, d.Site.Env)
	between := !d.inCall && !now.Torn && now != d.at
	return now, err == nil && (d.moved || between) && now != d.start
}

// midOwn says that the drive's own operation is still in progress in a tree
// that somebody else has moved on.
func (d *drive) midOwn(t Tree) string {
	if t.Operation != "" && d.start.Operation == "" && t.sameOperation(d.at) {
		return "somebody else has moved the " + t.Operation + " on, which waits"
	}
	return ""
}

// settle says how giving up has ended: why is what speaks against it.
func (d *drive) settle(ctx context.Context, r *Result, want Tree, why string) {
	tree, err := treeOf(ctx, d.Site.Dir, d.Site.Env)
	switch {
	case err != nil:
		why = cmp.Or(why, err.Error())
	case tree != want:
		why = cmp.Or(why, "the working tree is not where it was")
	}
	if why == "" {
		r.Outcome.Kind = engine.Aborted
		if !r.Moved {
			r.Changed = changed(d.status, statusOf(ctx, d.Site))
		}
		return
	}
	r.Outcome.Kind = engine.AbortFailed
	r.Remains = tree.wayBack(d.Site.Dir, d.start)
	r.Outcome.Detail = cmp.Or(r.Outcome.Hint, r.Outcome.Detail) + "; and giving it up failed: " + why
	r.Outcome.Hint = ""
}

// clearTorn takes away the rest of a rebase that came to its end, all but the
// clearing up.
func (d *drive) clearTorn(ctx context.Context) bool {
	tree, err := treeOf(ctx, d.Site.Dir, d.Site.Env)
	if err != nil || !tree.Torn || d.start.Operation != "" {
		return false
	}
	_ = os.RemoveAll(filepath.Join(d.repo.Git, "rebase-merge")) // what stays, verifying will find
	_ = os.RemoveAll(filepath.Join(d.repo.Git, "rebase-apply"))
	return true
}

// undoFinished brings the branch back that such a rebase has moved, when
// nothing was done on it since.
func (d *drive) undoFinished(ctx context.Context) {
	tree, err := treeOf(ctx, d.Site.Dir, d.Site.Env)
	if err != nil || tree.Operation != "" || tree.Ref != d.start.Ref || tree.Head == d.start.Head {
		return
	}
	git := func(args ...string) proc.Result {
		return proc.Run(ctx, proc.Cmd{Argv: append([]string{"git"}, args...), Dir: d.Site.Dir, Env: d.Site.Env, Started: d.started})
	}
	last := git("log", "--walk-reflogs", "--max-count=1", "--format=%gs", "HEAD")
	if strings.HasPrefix(string(last.Stdout), "rebase ") {
		git("reset", "--quiet", "--keep", d.start.Head)
	}
}

// forgetOperation takes away what says that an operation waits, when the tree
// is where it was and nothing else of the operation is left: a git that was
// killed leaves such a word, and git's own abort of what is around it does not
// always take it along.
func (d *drive) forgetOperation(ctx context.Context) {
	tree, err := treeOf(ctx, d.Site.Dir, d.Site.Env)
	if err != nil || tree.Operation == "" || d.start.Operation != "" || tree.Head != d.start.Head || tree.Ref != d.start.Ref {
		return
	}
	proc.Run(ctx, proc.Cmd{Argv: []string{"git", tree.Operation, "--quit"}, Dir: d.Site.Dir, Env: d.Site.Env, Started: d.started})
}

// backward runs the way back; a panic there is a way that failed.
func (d *drive) backward(ctx context.Context) (o engine.Outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = engine.Outcome{Kind: engine.Failed, Detail: fmt.Sprint("internal error: ", p)}
		}
	}()
	return engine.Abort(ctx, d.request(), d.world, d.passed)
}

// clearLocks removes what a git of this drive that was killed has left; only
// when something of the drive has run since they were made, and only when they
// stay.
func (d *drive) clearLocks(ctx context.Context) {
	if d.began.IsZero() {
		return
	}
	before := freshLocks(d.repo, d.began)
	if len(before) == 0 {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(lockPatience):
	}
	for _, path := range freshLocks(d.repo, d.began) {
		if slices.Contains(before, path) {
			_ = os.Remove(path) // what can't be removed, git will name
		}
	}
}

// lockPatience is how long a lock file may belong to a git that still works:
// a person's, since ours have ended.
const lockPatience = time.Second
