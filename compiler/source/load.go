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

// Options changes how a story is read. A nil Schema is the embedded one;
// without a Library no story is imported by name.
type Options struct {
	Schema  []byte
	Library Library
}

// Load reads the manifest, all it includes and all it imports. The list
// holds every diagnostic, sorted. The Story is nil only when the manifest
// itself could not be read as a map; with errors it is partial, and
// Incomplete says that names may be missing from it.
func Load(fsys fs.FS, manifest string, opt Options) (*Story, diag.List) {
	manifest = path.Clean(manifest)
	l := &loader{opt: opt, ds: &diag.List{}, imported: new(int)}
	var story *Story
	if l.prepare(fsys, manifest) {
		story = l.open(path.Base(manifest))
	}
	l.ds.Sort()
	return story, *l.ds
}

// loader reads one story.
type loader struct {
	opt      Options
	check    *checker
	ds       *diag.List
	home     home
	from     string // directory of the outermost manifest in the caller's files
	id       string // of this story's manifest, to find circles
	chain    []link // the stories around this one, outermost first
	imported *int   // stories imported so far, shared by all

	swaps map[string]*swap // prompt files that the importing story replaces, by name

	fsys  fs.FS // the manifest's directory
	files []File
	fail  bool // a file could not be read
}

// open reads the story whose manifest is that file of its home.
func (l *loader) open(name string) *Story {
	var err error
	if l.fsys, err = fs.Sub(l.home.base, l.home.dir); err != nil {
		l.ds.Addf(diag.CannotRead, diag.Pos{File: l.shown(name)}, "can't open the directory of %s: %s", name, err)
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
	if len(story.States) == 0 && len(story.Imports) == 0 && !l.fail {
		l.ds.Addf(diag.MissingKey, root.Pos, "the story has no states").
			Hintf("add states: {%s: {}}, here or in an included file", or(story.Root.Val, "home"))
	}
	l.assets(story)
	l.follow(story)
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

// prepare compiles the schema and finds the manifest's directory.
func (l *loader) prepare(fsys fs.FS, manifest string) bool {
	at := diag.Pos{File: path.Base(manifest)}
	data := l.opt.Schema
	if data == nil {
		data = schema.Story()
	}
	var err error
	if l.check, err = newChecker(data); err != nil {
		l.ds.Addf(diag.BadSchema, at, "%s", err)
		return false
	}
	if !fs.ValidPath(manifest) {
		l.ds.Addf(diag.CannotRead, at, "%s is not a path inside the given directory", manifest).
			Hintf("give the path of a story's app.yaml")
		return false
	}
	l.from = path.Dir(manifest)
	l.home = home{base: fsys, dir: l.from}
	l.id = "\x00" + manifest
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
	shown := l.shown(name)
	l.files = append(l.files, File{Path: shown, Data: data})
	root := parse(shown, data, l.ds)
	if root == nil || !l.isMap(root) {
		l.fail = true
		return nil
	}
	l.validate(root, included)
	return root
}

func (l *loader) cannotRead(name string, err error) {
	l.fail = true
	at := diag.Pos{File: l.shown(name)}
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
