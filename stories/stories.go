// Package stories holds the stories that ship with kitsoki, embedded: each is
// a directory here and is named builtin:NAME. It hands out file systems; what
// they mean is the compiler's.
package stories

import (
	"embed"
	"io/fs"
	"strings"
)

// Documents and flow tests stay out of the program: nothing reads them there.
//
//go:embed */*.yaml */rooms */intents */prompts */schemas
var files embed.FS

// Prefix stands before the name of a story that ships with kitsoki.
const Prefix = "builtin:"

// Names lists the stories, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// Files are the files of all stories, each in a directory of its name.
func Files() fs.FS { return files }

// Open gives the files of a story, its manifest app.yaml at the top, false
// for an unknown name. The name may carry Prefix.
func Open(name string) (fs.FS, bool) {
	sub, err := fs.Sub(files, strings.TrimPrefix(name, Prefix))
	if err != nil {
		return nil, false
	}
	if _, err := fs.Stat(sub, "app.yaml"); err != nil {
		return nil, false
	}
	return sub, true
}
