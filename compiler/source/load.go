// Package source reads a story's YAML into a tree in which every scalar
// knows its place. In: a file system, the manifest's path, the JSON Schema.
// Out: a Story and every mistake of the source as diagnostics.
//
// The JSON Schema is the only list of keys: what it does not have is
// refused, and the decoder takes from the same nodes what it asks for. Files
// are UTF-8, one document each, bounded in size and nesting; aliases are
// followed within bounds, merge keys and foreign tags refused. Includes stay
// inside the manifest's directory and follow no symbolic link.
//
// It knows nothing of what names and expressions mean: the compiler checks
// that on the tree, partial or whole.
package source

import (
	"errors"
	"io/fs"
	"path"
	"sort"

	"kitsoki/compiler/diag"
	"kitsoki/schema"
)

// Options changes how a story is read. A nil Schema is the embedded one.
type Options struct {
	Schema []byte
}

// Load reads the manifest and all it includes. The list holds every
// diagnostic, sorted. The Story is nil only when the manifest itself could
// not be read as a map; with errors it is partial, and Incomplete says that
// names may be missing from it.
func Load(fsys fs.FS, manifest string, opt Options) (*Story, diag.List) {
	l := &loader{ds: &diag.List{}}
	story := l.load(fsys, path.Clean(manifest), opt)
	l.ds.Sort()
	return story, *l.ds
}

type loader struct {
	fsys  fs.FS
	check *checker
	ds    *diag.List
	files []File
	fail  bool // a file could not be read
}

func (l *loader) load(fsys fs.FS, manifest string, opt Options) *Story {
	name := path.Base(manifest)
	if !l.prepare(fsys, manifest, opt) {
		return nil
	}
	root := l.read(name, false)
	if root == nil {
		return nil
	}
	files := []part{{name, root}}
	for _, inc := range l.includes(root, name) {
		if n := l.read(inc, true); n != nil {
			files = append(files, part{inc, n})
		}
	}
	story := l.merge(files)
	if len(story.States) == 0 && !l.fail {
		l.ds.Addf(diag.MissingKey, root.Pos, "the story has no states").
			Hintf("add states: {%s: {}}, here or in an included file", or(story.Root.Val, "home"))
	}
	sort.Slice(l.files, func(i, j int) bool { return l.files[i].Path < l.files[j].Path })
	story.Files, story.Incomplete = l.files, l.fail
	return story
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// prepare compiles the schema and opens the manifest's directory.
func (l *loader) prepare(fsys fs.FS, manifest string, opt Options) bool {
	at := diag.Pos{File: path.Base(manifest)}
	if opt.Schema == nil {
		opt.Schema = schema.Story()
	}
	var err error
	if l.check, err = newChecker(opt.Schema); err != nil {
		l.ds.Addf(diag.BadSchema, at, "%s", err)
		return false
	}
	if !fs.ValidPath(manifest) {
		l.ds.Addf(diag.CannotRead, at, "%s is not a path inside the given directory", manifest).
			Hintf("give the path of a story's app.yaml")
		return false
	}
	if l.fsys, err = fs.Sub(fsys, path.Dir(manifest)); err != nil {
		l.ds.Addf(diag.CannotRead, at, "can't open the directory of %s: %s", manifest, err)
		return false
	}
	return true
}

// part is one file's tree.
type part struct {
	path string
	root *Node
}

// read parses and validates one file; nil when it is of no use.
func (l *loader) read(name string, included bool) *Node {
	data, err := fs.ReadFile(l.fsys, name)
	if err != nil {
		l.cannotRead(name, err)
		return nil
	}
	l.files = append(l.files, File{Path: name, Data: data})
	root := parse(name, data, l.ds)
	if root == nil || !l.isMap(root) {
		l.fail = true
		return nil
	}
	l.validate(root, included)
	return root
}

func (l *loader) cannotRead(name string, err error) {
	l.fail = true
	at := diag.Pos{File: name}
	info, statErr := fs.Stat(l.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.ds.Addf(diag.CannotRead, at, "there is no file %s", name).
			Hintf("give the path of a story's manifest, usually app.yaml")
	case statErr == nil && info.IsDir():
		l.ds.Addf(diag.CannotRead, at, "%s is a directory, not a manifest", name).
			Hintf("give the manifest in it, such as %s", path.Join(name, "app.yaml"))
	default:
		l.ds.Addf(diag.CannotRead, at, "can't read %s: %s", name, cause(err))
	}
}

// cause is an error without the path, which the diagnostic already has.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

func (l *loader) isMap(root *Node) bool {
	if root.Kind == KindMap {
		return true
	}
	l.ds.Addf(diag.WrongKind, root.Pos, "a story file must be a map of keys such as app, intents and states, not %s", root.kindName()).
		Hintf("begin with a key: a manifest with app: {id: my-story}, an included file with states: or intents:")
	return false
}

func (l *loader) validate(root *Node, included bool) {
	if included {
		l.manifestOnly(root)
	}
	l.check.judge(root, included, l.ds)
}

// manifestOnly refuses the keys of which a story has one.
func (l *loader) manifestOnly(root *Node) {
	for _, p := range root.Pairs {
		switch p.Key.Val {
		case "app", "root", "include":
			l.ds.Addf(diag.ManifestOnly, p.Key.Pos, "%q belongs to the manifest; an included file can't have it", p.Key.Val).
				Hintf("move it to the manifest")
		}
	}
}
