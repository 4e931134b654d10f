package host

import (
	"context"
	"slices"
	"strings"

	"kitsoki/runtime/host/spec"
	"kitsoki/runtime/proc"
)

const gitName = "host.git"

// git is host.git: facts by plumbing, whose output git keeps stable.
func git(ctx context.Context, args map[string]any, env Env) (map[string]any, error) {
	op, err := str(args, "op")
	if err != nil {
		return nil, failf(gitName, "%v", err)
	}
	if row, _ := spec.Lookup(gitName); !env.Drive && slices.Contains(row.DriveOps, op) {
		return nil, failf(gitName, "only a drive makes the op %s", op)
	}
	if env.Dir, err = Directory(args, "cwd", env); err != nil {
		return nil, failf(gitName, "%v", err)
	}
	if work := gitWork(op); work != nil {
		return doWork(ctx, work, args, env)
	}
	facts := gitFacts(op)
	if facts == nil {
		return nil, failf(gitName, "there is no op %q", op)
	}
	q, err := asked(args)
	if err != nil {
		return nil, failf(gitName, "%v", err)
	}
	repo, err := openRepo(ctx, env)
	if err != nil {
		return nil, err
	}
	out := facts.empty()
	out["repository"] = repo.dir != ""
	if repo.dir == "" {
		return out, nil
	}
	return out, facts.fill(repo, q, out)
}

// question is what an op is asked about: the branch of that name, and what a
// commit would hold.
type question struct{ name, include string }

func asked(args map[string]any) (q question, err error) {
	if q.name, err = str(args, "name"); err != nil {
		return q, err
	}
	q.include, err = str(args, "include")
	return q, err
}

// facts is one op: what it says outside a repository, and how it finds out
// inside one.
type facts struct {
	empty func() map[string]any
	fill  func(repo, question, map[string]any) error
}

func gitFacts(op string) *facts {
	switch op {
	case "branch":
		return &facts{emptyBranch, fillBranch}
	case "branches":
		return &facts{emptyBranches, fillBranches}
	case "compare":
		return &facts{emptyCompare, fillCompare}
	case "default":
		return &facts{emptyBranch, fillDefault}
	case "draft":
		return &facts{emptyDraft, fillDraft}
	case "head":
		return &facts{emptyHead, fillHead}
	case "identity":
		return &facts{emptyIdentity, fillIdentity}
	case "in_progress":
		return &facts{emptyProgress, fillProgress}
	case "stash":
		return &facts{emptyStash, fillStash}
	case "status":
		return &facts{emptyStatus, fillStatus}
	case "unmerged":
		return &facts{emptyUnmerged, fillUnmerged}
	case "worktrees":
		return &facts{emptyWorktrees, fillWorktrees}
	}
	return nil
}

// repo is the repository around the working directory. dir is this
// worktree's own git directory, "" when there is no working tree here.
type repo struct {
	ctx context.Context
	env Env
	dir string
}

// openRepo asks git where it is. Being nowhere is no error; a repository
// git refuses to read is one.
func openRepo(ctx context.Context, env Env) (repo, error) {
	r := repo{ctx: ctx, env: env}
	res, err := r.run("rev-parse", "--is-inside-work-tree", "--absolute-git-dir")
	if err != nil {
		return r, err
	}
	if !res.OK() {
		if strings.Contains(string(res.Stderr), "not a git repository") {
			return r, nil
		}
		return r, gitError(res)
	}
	inside, dir, _ := strings.Cut(strings.TrimRight(string(res.Stdout), "\n"), "\n")
	if inside == "true" {
		r.dir = dir
	}
	return r, nil
}

// run runs git without locks, to read.
func (r repo) run(args ...string) (proc.Result, error) {
	r.env.ReadOnly, r.env.Started = true, nil
	return r.start(nil, args...)
}

// start runs git in the C locale, without the file-system monitor, which is a
// program the repository's configuration names, and without the housekeeping
// that would go on after it.
func (r repo) start(stdin []byte, args ...string) (proc.Result, error) {
	argv := append([]string{"git", "-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false"}, args...)
	res := proc.Run(r.ctx, proc.Cmd{
		Argv: argv, Dir: r.env.Dir, Grace: r.env.Grace, Limit: 8 << 20, Stdin: stdin, Started: r.env.Started,
		Env: Environ(r.env, r.env.Dir, []string{"LC_ALL=C"}),
	})
	switch {
	case res.Err != nil:
		return res, failf(gitName, "%v", res.Err)
	case res.TimedOut || res.Cancelled:
		return res, &Error{Call: gitName, Msg: "git " + args[0] + ": " + Ending(res), TimedOut: res.TimedOut}
	case res.Signal != "": // what it would have said is not known
		return res, failf(gitName, "git %s: %s", args[0], Ending(res))
	case res.Cut:
		return res, failf(gitName, "git %s says more than 8 MiB", args[0])
	}
	return res, nil
}

// must runs git and wants success.
func (r repo) must(args ...string) (string, error) {
	res, err := r.run(args...)
	if err != nil {
		return "", err
	}
	if !res.OK() {
		return "", gitError(res)
	}
	return string(res.Stdout), nil
}

// ask runs git for a value that need not be there: "" then.
func (r repo) ask(args ...string) (string, error) {
	res, err := r.run(args...)
	if err != nil || res.ExitCode != 0 {
		return "", err
	}
	return strings.TrimRight(string(res.Stdout), "\n"), nil
}

func gitError(res proc.Result) error {
	said, _, _ := strings.Cut(strings.TrimSpace(string(res.Stderr)), "\n")
	if said == "" {
		said = Ending(res)
	}
	return failf(gitName, "%s", said)
}

// Records splits output in which every record ends with a NUL.
func Records(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == 0 })
}

// root is the top of the working tree.
func (r repo) root() (string, error) {
	out, err := r.must("rev-parse", "--show-toplevel")
	return strings.TrimSuffix(out, "\n"), err
}

// currentBranch is the branch HEAD names, "" when it is detached.
func (r repo) currentBranch() (string, error) {
	ref, err := r.ask("symbolic-ref", "-q", "HEAD")
	return strings.TrimPrefix(ref, "refs/heads/"), err
}

// remotes are the names of the remotes, and the one a plain push or fetch
// of the branch would mean: the branch's own, else origin, else the only one.
func (r repo) remotes(branch string) (names []string, main string, err error) {
	out, err := r.must("remote")
	if err != nil {
		return nil, "", err
	}
	names = lines(out)
	if branch != "" {
		if main, err = r.ask("config", "--get", "branch."+branch+".remote"); err != nil {
			return nil, "", err
		}
	}
	switch {
	case has(names, main):
	case has(names, "origin"):
		main = "origin"
	case len(names) == 1:
		main = names[0]
	default:
		main = ""
	}
	return names, main, nil
}

func lines(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Anys is a list as a value of a story.
func Anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
