package host

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// worker is an op that changes something, which only a drive makes.
type worker func(repo, map[string]any) (map[string]any, error)

func gitWork(op string) worker {
	switch op {
	case "abort":
		return abort
	case "add_resolved":
		return addResolved
	case "discard":
		return discard
	case "publish":
		return publish
	case "replay":
		return replay
	case "scratch":
		return scratch
	case "unpublish":
		return unpublish
	}
	return nil
}

// doWork makes such an op, which needs a working tree.
func doWork(ctx context.Context, work worker, args map[string]any, env Env) (map[string]any, error) {
	r, err := openRepo(ctx, env)
	if err != nil {
		return nil, err
	}
	if r.dir == "" {
		return nil, failf(gitName, "there is no git working tree here")
	}
	out, err := work(r, args)
	if out != nil {
		out["repository"] = true
	}
	return out, err
}

// change runs git where it changes something, and wants success. A path is
// taken as it stands, not as a pattern.
func (r repo) change(args ...string) (string, error) { return r.changeWith(nil, args...) }

func (r repo) changeWith(stdin []byte, args ...string) (string, error) {
	r.env.ReadOnly = false
	r.env.Vars = append(r.env.Vars[:len(r.env.Vars):len(r.env.Vars)], "GIT_LITERAL_PATHSPECS=1", "GIT_REFLOG_ACTION=kitsoki")
	res, err := r.start(stdin, args...)
	if err != nil {
		return "", err
	}
	if !res.OK() {
		return "", gitError(res)
	}
	return string(res.Stdout), nil
}

// at is the same repository as seen from another of its directories.
func (r repo) at(dir string) repo {
	r.env.Dir = dir
	return r
}

// common is the git directory that all worktrees share, absolute.
func (r repo) common() (string, error) {
	out, err := r.must("rev-parse", "--path-format=absolute", "--git-common-dir")
	return strings.TrimSuffix(out, "\n"), err
}

// commitOf is the commit that a revision names, in full.
func (r repo) commitOf(rev string) (string, error) {
	id, err := r.ask("rev-parse", "-q", "--verify", "--end-of-options", rev+"^{commit}")
	if err == nil && id == "" {
		err = failf(gitName, "%q names no commit", rev)
	}
	return id, err
}

// refAt is what a ref, named in full, stands at; "" when there is none.
func (r repo) refAt(ref string) (string, error) { return r.ask("rev-parse", "-q", "--verify", ref) }

// scratchPlace is where the worktree apart of a drive stands: always the same
// for one drive, so that a later process finds it.
func scratchPlace(env Env) (string, error) {
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(env.Session) {
		return "", failf(gitName, "%q is no name of a drive", env.Session)
	}
	cache := variable(env, "XDG_CACHE_HOME")
	if !filepath.IsAbs(cache) {
		cache = filepath.Join(variable(env, "HOME"), ".cache")
	}
	if !filepath.IsAbs(cache) {
		return "", failf(gitName, "there is no place for a worktree apart: neither XDG_CACHE_HOME nor HOME is set")
	}
	return filepath.Join(cache, "kitsoki", "scratch", env.Session), nil
}

// variable is a variable of the environment; the last one of a name counts.
func variable(env Env, name string) (value string) {
	for _, kv := range env.Vars {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			value = v
		}
	}
	return value
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
