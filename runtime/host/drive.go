package host

import "context"

// driven refuses a call that only a drive makes, wherever it came from.
func driven(name string) call {
	return func(context.Context, map[string]any, Env) (map[string]any, error) {
		return nil, failf(name, "only a drive makes this call")
	}
}
