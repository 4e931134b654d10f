package host

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// scratch makes the drive's worktree apart, detached at a commit, and links
// ignored files of the person's tree into it that a build needs.
func scratch(r repo, args map[string]any) (map[string]any, error) {
	name, err := str(args, "name")
	if err != nil {
		return nil, failf(gitName, "%v", err)
	}
	links, err := list(args, "links")
	if err != nil {
		return nil, failf(gitName, "%v", err)
	}
	place, err := scratchPlace(r.env)
	if err != nil {
		return nil, err
	}
	commit, err := r.commitOf(name)
	if err != nil {
		return nil, err
	}
	if err := r.addWorktree(place, commit); err != nil {
		return nil, err
	}
	linked, err := r.link(place, links)
	return map[string]any{"path": place, "head": commit, "linked": Anys(linked)}, err
}

// addWorktree locks the worktree, so that no tidying takes its record.
func (r repo) addWorktree(place, commit string) error {
	if exists(place) {
		return failf(gitName, "%s stands already", place)
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return failf(gitName, "%v", err)
	}
	_, err := r.change("worktree", "add", "--quiet", "--detach", "--lock", place, commit)
	return err
}

// link puts links to ignored files into the worktree apart; what is not there
// is left out.
func (r repo) link(place string, links []string) ([]string, error) {
	top, err := r.root()
	if err != nil || len(links) == 0 {
		return nil, err
	}
	in, err := os.OpenRoot(place)
	if err != nil {
		return nil, failf(gitName, "%v", err)
	}
	defer in.Close()
	var linked []string
	for _, l := range links {
		name := path.Clean(l)
		if err := r.mayLink(name); err != nil {
			return linked, err
		}
		from := filepath.Join(top, filepath.FromSlash(name))
		if _, err := in.Lstat(filepath.FromSlash(name)); err == nil || !exists(from) {
			continue
		}
		if err := linkIn(in, from, filepath.FromSlash(name)); err != nil {
			return linked, failf(gitName, "%v", err)
		}
		linked = append(linked, name)
	}
	return linked, nil
}

func linkIn(in *os.Root, from, name string) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := in.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return in.Symlink(from, name)
}

// mayLink refuses what leads out of the tree, git's own directory, and what
// git does not ignore: a link in its place would be a change.
func (r repo) mayLink(name string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) || name == "." || name == ".git" || strings.HasPrefix(name, ".git/") {
		return failf(gitName, "%q can't be linked: it is no path below the top of the working tree", name)
	}
	top, err := r.root()
	if err != nil {
		return err
	}
	res, err := r.at(top).run("check-ignore", "--quiet", "--", name)
	if err != nil {
		return err
	}
	if res.ExitCode != 0 {
		return failf(gitName, "%s can't be linked: git does not ignore it", name)
	}
	return nil
}
