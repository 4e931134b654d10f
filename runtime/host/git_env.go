package host

import (
	"slices"
	"strings"
)

// leading are the variables that lead git to another repository, index or
// store than those of the directory that it works in; see
// git rev-parse --local-env-vars. What only configures git is not among them.
func leading() []string {
	return []string{
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE",
		"GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
		"GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
	}
}

// LedElsewhere is the first variable of an environment that leads git away
// from the directory it works in, "" for none. Git sets some of the others for
// what it starts.
func LedElsewhere(env []string) string {
	away := []string{"GIT_COMMON_DIR", "GIT_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE"}
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); value != "" && slices.Contains(away, name) {
			return name
		}
	}
	return ""
}

// Unled is an environment in which git works where it is started.
func Unled(env []string) []string {
	var out []string
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); !slices.Contains(leading(), name) {
			out = append(out, kv)
		}
	}
	return out
}
