package host

import "time"

func abortCommand(operation string) []string {
	switch operation {
	case "":
		return nil
	case "bisect":
		return []string{"bisect", "reset"}
	}
	return []string{operation, "--abort"}
}

// abort ends the operation in progress, so that all is as before it. Without
// one there is nothing to do.
func abort(r repo, _ map[string]any) (map[string]any, error) {
	operation, err := r.operation()
	if err != nil || operation == "" {
		return map[string]any{"aborted": ""}, err
	}
	places, err := r.places()
	if err != nil {
		return nil, err
	}
	if err := FreeLocks(r.ctx, time.Time{}, places, r.inDir("index.lock"), r.inDir("HEAD.lock")); err != nil {
		return nil, err
	}
	_, err = r.change(abortCommand(operation)...)
	if err != nil && operation == "rebase" && !r.marked("rebase-merge/head-name") && !r.marked("rebase-apply/head-name") {
		// It was killed before it had noted where it began, and so before it
		// moved anything.
		_, err = r.change("rebase", "--quit")
	}
	if err != nil {
		return nil, err
	}
	if left, err := r.operation(); err != nil || left != "" {
		return nil, failf(gitName, "a %s is still in progress", left)
	}
	return map[string]any{"aborted": operation}, nil
}
