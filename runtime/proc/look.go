package proc

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// ErrNotFound is the reason when a program is not on the PATH.
var ErrNotFound = errors.New("no such program on the PATH")

// Look finds the file of a command's program: a name on the PATH of the
// command's environment, in absolute directories only; a path relative to
// the command's directory.
func Look(c Cmd) (string, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return "", errors.New("start a command: there is no program name")
	}
	name := c.Argv[0]
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		return lookPath(c.Dir, name)
	}
	for _, dir := range filepath.SplitList(variable(c.Env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, ok := executable(filepath.Join(dir, name), c.Env); ok {
			return path, nil
		}
	}
	return "", fmt.Errorf("start %s: %w", name, ErrNotFound)
}

func lookPath(dir, name string) (string, error) {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		abs, err := filepath.Abs(filepath.Join(dir, path))
		if err != nil {
			return "", fmt.Errorf("start %s: %w", name, err)
		}
		path = abs
	}
	if found, ok := executable(path, nil); ok {
		return found, nil
	}
	return "", fmt.Errorf("start %s: no program at %s", name, path)
}

// variable is the last value of a key in an environment.
func variable(env []string, key string) string {
	for i := len(env) - 1; i >= 0; i-- {
		k, v, ok := strings.Cut(env[i], "=")
		if ok && sameKey(k, key) {
			return v
		}
	}
	return ""
}
