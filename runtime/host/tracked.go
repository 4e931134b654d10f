package host

import (
	"context"
	"path/filepath"
	"time"

	"kitsoki/runtime/proc"
)

// Tracked tells whether git tracks a file. Where git cannot answer it says
// no.
func Tracked(ctx context.Context, path string, env []string) bool {
	r := proc.Run(ctx, proc.Cmd{
		Argv: []string{"git", "ls-files", "--error-unmatch", "--", filepath.Base(path)},
		Dir:  filepath.Dir(path), Env: env, Timeout: 2 * time.Second,
	})
	return r.OK()
}
