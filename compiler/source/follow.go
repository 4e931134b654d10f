package source

import (
	"io/fs"
	"path"
	"strings"

	"kitsoki/compiler/diag"
	"kitsoki/runtime/artifact"
)

// Library is the stories that are named and not found by a path: what stands
// behind artifact.LibraryPrefix. Names lists them for hints. The zero Library has
// none.
type Library struct {
	Open  func(name string) (fs.FS, bool)
	Names func() []string
}

// maxImports bounds the stories that one story imports, directly or not:
// imports that share imports multiply.
const maxImports = 64

// home is where a story lies: a directory of the caller's files, or of a
// story of the library.
type home struct {
	base    fs.FS
	library string // its name with the prefix, "" for the caller's files
	dir     string
}

// link is one story on the way from the outermost to this one.
type link struct {
	id  string // of the manifest
	app diag.Pos
}

// shown is a file's name in positions: relative to the outermost manifest's
// directory, or with the library's name in front.
func (l *loader) shown(name string) string {
	if l.home.library != "" {
		return path.Join(l.home.library, l.home.dir, name)
	}
	return path.Join(relative(l.from, l.home.dir), name)
}

// relative is the path from one directory to another, both clean.
func relative(from, to string) string {
	a, b := segmentsOf(from), segmentsOf(to)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	return path.Clean(strings.Repeat("../", len(a)) + strings.Join(b, "/"))
}

func segmentsOf(dir string) []string {
	if dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}

// follow reads the stories that a story imports.
func (l *loader) follow(st *Story) {
	for i := range st.Imports {
		imp := &st.Imports[i]
		if imp.Story = l.story(imp, st.App.Pos); imp.Story == nil {
			l.fail = true
			continue
		}
		l.fail = l.fail || imp.Story.Incomplete
		for _, f := range imp.Story.Files {
			l.keep(f)
		}
	}
}

// keep notes a source file once.
func (l *loader) keep(f File) {
	for _, have := range l.files {
		if have.Path == f.Path {
			return
		}
	}
	l.files = append(l.files, f)
}

func (l *loader) story(imp *Import, app diag.Pos) *Story {
	to, name, ok := l.locate(imp)
	if !ok {
		return nil
	}
	child := &loader{
		opt: l.opt, check: l.check, ds: l.ds, home: to, from: l.from, imported: l.imported,
		id:    to.library + "\x00" + path.Join(to.dir, name),
		chain: append(l.chain[:len(l.chain):len(l.chain)], link{l.id, app}),
	}
	if child.circle(imp) || child.tooMany(imp) {
		return nil
	}
	child.swaps = l.swapsOf(imp)
	st := child.open(name)
	if st != nil {
		child.stateAssets(st, imp.States)
		imp.Story = st
		child.unusedSwaps(imp)
		st.Files = child.files
	}
	return st
}

// circle reports a story that would contain itself.
func (l *loader) circle(imp *Import) bool {
	for _, above := range l.chain {
		if above.id == l.id {
			l.ds.Addf(diag.ImportCycle, imp.Source.Pos, "importing %s goes in a circle", imp.Source.Val).
				Hintf("a story can't contain itself; move what both need into a third one").
				Also(above.app, "the story that would contain itself")
			return true
		}
	}
	return false
}

func (l *loader) tooMany(imp *Import) bool {
	if *l.imported++; *l.imported <= maxImports {
		return false
	}
	l.ds.Addf(diag.TooLarge, imp.Source.Pos, "more than %d stories are imported, one through another", maxImports).
		Hintf("import fewer stories; one that two others import counts twice")
	return true
}

// locate finds the story that an import names: where it lies and the name of
// its manifest there.
func (l *loader) locate(imp *Import) (home, string, bool) {
	src := imp.Source.Val
	switch {
	case src == "":
		return home{}, "", false // reported by the schema
	case strings.HasPrefix(src, artifact.LibraryPrefix):
		return l.fromLibrary(imp)
	case badSource(src) != "":
		return l.badImport(imp, badSource(src), "name a directory relative to this file, such as ../other, or "+artifact.LibraryPrefix+"NAME")
	}
	to := l.home
	to.dir = path.Join(l.home.dir, imp.dir, src)
	if !fs.ValidPath(to.dir) {
		return l.badImport(imp, "it leads out of what can be read here", "move the story nearer, or name one that ships: "+artifact.LibraryPrefix+"NAME")
	}
	return l.manifest(imp, to)
}

func badSource(src string) string {
	switch {
	case strings.Contains(src, `\`):
		return "a path has forward slashes"
	case path.IsAbs(src) || strings.ContainsAny(src, ":@"):
		return "it is no relative path"
	}
	return ""
}

// badImport reports an import and finds nothing.
func (l *loader) badImport(imp *Import, why, hint string) (home, string, bool) {
	l.ds.Addf(diag.BadImport, imp.Source.Pos, "can't import %q: %s", imp.Source.Val, why).Hintf("%s", hint)
	return home{}, "", false
}

func (l *loader) fromLibrary(imp *Import) (home, string, bool) {
	lib := l.opt.Library
	if lib.Open != nil {
		if fsys, ok := lib.Open(strings.TrimPrefix(imp.Source.Val, artifact.LibraryPrefix)); ok {
			return home{base: fsys, library: imp.Source.Val, dir: "."}, "app.yaml", true
		}
	}
	hint := "name a directory relative to this file"
	if lib.Names != nil {
		hint = "the stories that ship are " + artifact.LibraryPrefix + strings.Join(lib.Names(), ", "+artifact.LibraryPrefix)
	}
	return l.badImport(imp, "no such story ships", hint)
}

// manifest tells a directory with its app.yaml from a manifest's own path.
func (l *loader) manifest(imp *Import, to home) (home, string, bool) {
	info, err := fs.Stat(to.base, to.dir)
	if err != nil {
		return l.badImport(imp, "there is no such story", "a source is relative to the file that names it")
	}
	if !info.IsDir() {
		return home{to.base, to.library, path.Dir(to.dir)}, path.Base(to.dir), true
	}
	if _, err := fs.Stat(to.base, path.Join(to.dir, "app.yaml")); err != nil {
		return l.badImport(imp, "the directory holds no app.yaml", "name the story's directory, or its manifest")
	}
	return to, "app.yaml", true
}
