package drive

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kitsoki/runtime/engine"
	"kitsoki/runtime/host"
	"kitsoki/runtime/proc"
)

// giveUp runs the way back and looks whether all is as it was. A tree that
// somebody else has moved on is theirs: then only what the drive made apart
// from it is taken away.
func (d *drive) giveUp(ctx context.Context, r *Result) {
	d.giving = true
	_ = d.write(Event{Kind: AbortStarted, State: d.state}, true) // the way back is run, recorded or not
	d.clearLocks(ctx)
	if theirs, moved := d.movedOn(ctx); moved {
		r.Moved = true
		d.Site.Host = apart{d.Site.Host}
		failed := d.backward(ctx)
		d.settle(ctx, r, theirs, cmp.Or(failed, d.midOwn(theirs)))
		return
	}
	cleared := d.clearTorn(ctx)
	failed := d.backward(ctx)
	d.forgetOperation(ctx)
	if cleared {
		d.undoFinished(ctx)
	}
	d.settle(ctx, r, d.start, cmp.Or(failed, d.unmet(ctx)))
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
	if t.Operation != "" && d.start.Operation == "" && t.sameOperation(d.own) {
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
	last := asked(ctx, d.Site.Dir, d.Site.Env, "log", "--walk-reflogs", "--max-count=1", "--format=%gs", "HEAD")
	if strings.HasPrefix(string(last.Stdout), "rebase ") {
		d.git(ctx, "reset", "--quiet", "--keep", d.start.Head)
	}
}

// git runs a git that changes something; whether it did, verifying will see.
func (d *drive) git(ctx context.Context, args ...string) {
	env := host.Environ(host.Env{Vars: d.Site.Env, Session: d.Session}, d.Site.Dir, []string{"LC_ALL=C"})
	proc.Run(ctx, proc.Cmd{Argv: append([]string{"git"}, args...), Dir: d.Site.Dir, Env: env, Started: d.started})
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
	d.git(ctx, tree.Operation, "--quit")
}

// backward runs the way back and says what of it failed, "" for nothing: what
// failed may have left something that no look at the tree shows.
func (d *drive) backward(ctx context.Context) (failed string) {
	defer func() {
		if p := recover(); p != nil {
			failed = fmt.Sprint("internal error: ", p)
		}
	}()
	o := engine.Abort(ctx, d.request(), d.world, d.passed)
	if o.Kind.Done() || o.Kind == engine.Incomplete { // where it rests is all one
		return ""
	}
	return cmp.Or(o.Hint, o.Detail, "the way back ended with "+string(o.Kind))
}

// clearLocks removes what a git of this drive that was killed has left. What is
// or may be another's stays; where it is in the way, git will name it.
func (d *drive) clearLocks(ctx context.Context) {
	if d.repo.Git == "" || d.began.IsZero() {
		return
	}
	since := d.began.Add(-tick)
	places := append(host.Places(d.repo.Common), d.repo.Root)
	_ = host.FreeLocks(ctx, since, places, freshLocks(d.repo, since)...)
}
