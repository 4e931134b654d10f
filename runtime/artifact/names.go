package artifact

import "strings"

// AliasMark stands between an import's alias and the name of something the
// imported story declares.
const AliasMark = "__"

// LibraryPrefix stands before the name of a story that ships: in an import's
// source, and in the names of its files.
const LibraryPrefix = "builtin:"

// EngineKeys are the world keys that the engine writes itself, sorted. A
// story that uses one without declaring it gets it as text, "" at the start.
func EngineKeys() []string { return []string{"host_error", "last_error", "session_id"} }

// ShownIntent is an intent's name as people read it: that of an imported
// story stands before the path of its aliases, as in "push (gitops)".
func ShownIntent(name string) string { return ShownTitle("", name) }

// ShownTitle is an intent's title with the path of its aliases; without a
// title its name.
func ShownTitle(title, name string) string {
	parts := strings.Split(name, AliasMark)
	last := len(parts) - 1
	if title == "" {
		title = parts[last]
	}
	if last == 0 {
		return title
	}
	return title + " (" + strings.Join(parts[:last], ".") + ")"
}
