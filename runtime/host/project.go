package host

import (
	"context"
	"os"
	"path/filepath"

	"kitsoki/runtime/host/project"
)

const projectName = "host.project"

// findProject is host.project: the repository's own command for a job.
func findProject(_ context.Context, args map[string]any, env Env) (map[string]any, error) {
	job, err := str(args, "find")
	if err != nil {
		return nil, failf(projectName, "%v", err)
	}
	f := project.Find(env.Dir, repositoryRoot(env.Dir), job)
	argv := make([]any, len(f.Argv))
	for i, a := range f.Argv {
		argv[i] = a
	}
	return map[string]any{
		"found": len(f.Argv) > 0, "command": f.Command(), "argv": argv, "dir": f.Dir, "tool": f.Tool, "reason": f.Reason,
	}, nil
}

// repositoryRoot is the nearest directory upwards that git would take for a
// working tree, "" when there is none.
func repositoryRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}
