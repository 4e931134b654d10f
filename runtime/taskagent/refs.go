package taskagent

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// keptRefs is where commits stay that a ref was put back from, each under its
// own name.
const keptRefs = "refs/kitsoki/put-back/"

// refs is where the refs of a repository stood that all working trees share,
// and where each of these trees was.
type refs struct {
	at    map[string]ref
	trees map[string]string // by path: HEAD, and the branch it names
	out   map[string]bool   // the branches that some working tree has checked out
	stash []string          // the stashed commits
}

// ref is a commit, or the name of another ref.
type ref struct {
	value string
	named bool
}

// noteRefs looks at the refs. Those of one working tree alone are left out.
func (g *gitState) noteRefs(ctx context.Context) (r refs, err error) {
	listed, err := g.must(ctx, "for-each-ref", "--format=%(refname) %(objectname) %(symref)")
	if err != nil {
		return r, err
	}
	r.at = map[string]ref{}
	for line := range strings.Lines(listed) {
		f := strings.Fields(line)
		if len(f) < 2 || slices.ContainsFunc([]string{"refs/bisect/", "refs/worktree/", "refs/rewritten/", keptRefs}, func(p string) bool { return strings.HasPrefix(f[0], p) }) {
			continue
		}
		r.at[f[0]] = ref{value: f[1]}
		if len(f) > 2 {
			r.at[f[0]] = ref{f[2], true}
		}
	}
	if r.trees, r.out, err = g.noteTrees(ctx); err != nil {
		return r, err
	}
	if _, has := r.at[stashRef]; has {
		stashed, err := g.must(ctx, "rev-list", "-g", stashRef)
		r.stash = strings.Fields(stashed)
		return r, err
	}
	return r, nil
}

const stashRef = "refs/stash"

// noteTrees looks where the working trees are.
func (g *gitState) noteTrees(ctx context.Context) (trees map[string]string, out map[string]bool, err error) {
	listed, err := g.must(ctx, "worktree", "list", "--porcelain")
	trees, out = map[string]string{}, map[string]bool{}
	for block := range strings.SplitSeq(listed, "\n\n") {
		first, rest, _ := strings.Cut(block, "\n")
		path := strings.TrimPrefix(first, "worktree ")
		if path == g.root || path == "" {
			continue
		}
		for line := range strings.Lines(rest) {
			line = strings.TrimSpace(line)
			branch, is := strings.CutPrefix(line, "branch ")
			if is {
				out[branch] = true
			}
			if is || strings.HasPrefix(line, "HEAD ") {
				trees[path] += line + " "
			}
		}
	}
	return trees, out, err
}

// putBackRefs sets refs back that an agent moved, unless they may as well
// have been moved by the person at the same time: a branch that one of their
// working trees has checked out, what a fetch brings, a new branch. These are
// named as left. A ref is moved back only from where it was just seen, and
// the commit it is moved from is kept under a ref of ours.
func (g *gitState) putBackRefs(ctx context.Context) (names, left []string, err error) {
	now, err := g.noteRefs(ctx)
	if err != nil {
		return nil, nil, err
	}
	for at := range now.trees {
		if g.refs.trees[at] != now.trees[at] {
			left = append(left, at)
		}
	}
	for at := range g.refs.trees {
		if _, is := now.trees[at]; !is {
			left = append(left, at)
		}
	}
	if !slices.Equal(g.refs.stash, now.stash) {
		var kept int
		kept, err = g.keepStash(ctx, now.stash)
		name := ".git/" + stashRef
		if kept > 0 {
			name += " (what was dropped is kept as " + keptRefs + "*)"
		}
		left = append(left, name)
	}
	all := maps.Clone(now.at)
	maps.Copy(all, g.refs.at)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		old, was := g.refs.at[name]
		r := now.at[name]
		switch {
		case r == old || name == g.ref || name == stashRef:
		case now.out[name] || g.refs.out[name] || g.leaves(name, was):
			left = append(left, ".git/"+name)
		default:
			names = append(names, ".git/"+name)
			if err2 := g.putBackRef(ctx, name, old, r); err == nil {
				err = err2
			}
		}
	}
	return names, left, err
}

// leaves tells of a ref that the person may have moved or made as well. What
// changes the meaning of another name or commit is none.
func (g *gitState) leaves(name string, was bool) bool {
	short, branch := strings.CutPrefix(name, "refs/heads/")
	tagged, tag := strings.CutPrefix(name, "refs/tags/")
	switch {
	case strings.HasPrefix(name, "refs/replace/"), strings.Count(name, "/") == 1:
		return false
	case tag:
		return !was && !g.known("refs/heads/"+tagged, "refs/remotes/"+tagged)
	case branch:
		return !was && !g.known("refs/tags/"+short, "refs/remotes/"+short)
	}
	return true
}

func (g *gitState) known(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, is := g.refs.at[name]; return is })
}

func (g *gitState) putBackRef(ctx context.Context, name string, old, now ref) error {
	if now.value != "" && !now.named {
		if err := g.keepCommit(ctx, now.value); err != nil {
			return err
		}
	}
	if now.named {
		if _, err := g.must(ctx, "symbolic-ref", "-d", name); err != nil {
			return err
		}
		now = ref{}
	}
	args := []string{"update-ref", "-m", reflogLine, "--no-deref", name, old.value, now.value}
	switch {
	case old.value == "" && now.value == "":
		return nil
	case old.value == "":
		args = []string{"update-ref", "-m", reflogLine, "--no-deref", "-d", name, now.value}
	case old.named:
		args = []string{"symbolic-ref", "-m", reflogLine, name, old.value}
	}
	_, err := g.must(ctx, args...)
	return err
}

func (g *gitState) keepCommit(ctx context.Context, commit string) error {
	_, err := g.must(ctx, "update-ref", keptRefs+commit, commit)
	return err
}

// keepStash keeps what is stashed no more, and counts it.
func (g *gitState) keepStash(ctx context.Context, now []string) (kept int, err error) {
	for _, commit := range g.refs.stash {
		if slices.Contains(now, commit) {
			continue
		}
		if err := g.keepCommit(ctx, commit); err != nil {
			return kept, err
		}
		kept++
	}
	return kept, nil
}

// inGit names paths of a git directory, as a working tree sees them.
func inGit(own string, names []string) []string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		if own != "." {
			name = strings.TrimPrefix(name, own+"/")
		}
		out = append(out, ".git/"+name)
	}
	return out
}
