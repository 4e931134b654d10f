package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kitsoki/compiler"
	"kitsoki/compiler/diag"
	"kitsoki/compiler/source"
	"kitsoki/runtime/artifact"
	"kitsoki/runtime/binding"
	"kitsoki/stories"
)

// storySource is where a story lies.
type storySource struct {
	fsys     fs.FS  // its directory
	root     fs.FS  // what its imports may be read from
	manifest string // the manifest's path in root
	shown    string // what stands before its file names in messages
	dir      string // where they are, absolute; "" for a story that is built in
}

// compile compiles a story with all it imports.
func (s storySource) compile() (*compiler.Output, diag.List) {
	return compiler.Compile(s.root, s.manifest, compiler.Options{
		Tool: version, Library: source.Library{Open: stories.Open, Names: stories.Names},
	})
}

// story finds the story that an argument names: builtin:NAME, a directory
// that holds app.yaml, or the manifest itself.
func (a *app) story(ref string) (storySource, error) {
	if strings.HasPrefix(ref, stories.Prefix) {
		fsys, ok := stories.Open(ref)
		if !ok {
			return storySource{}, fmt.Errorf("there is no story %s; there are: %s%s", ref, stories.Prefix, strings.Join(stories.Names(), ", "+stories.Prefix))
		}
		return storySource{fsys, fsys, "app.yaml", ref, ""}, nil
	}
	path, err := a.abs(ref)
	if err != nil {
		return storySource{}, err
	}
	st, err := os.Stat(path)
	if err != nil {
		return storySource{}, fmt.Errorf("opening the story: %w", err)
	}
	switch err := readable(st); {
	case st.IsDir():
		path, ref = filepath.Join(path, "app.yaml"), filepath.Join(ref, "app.yaml")
	case err != nil:
		return storySource{}, fmt.Errorf("opening the story: %s: %w", ref, err)
	}
	return onDisk(path, filepath.ToSlash(filepath.Dir(ref))), nil
}

// onDisk is the story of a manifest, which may import from anywhere on its
// volume.
func onDisk(manifest, shown string) storySource {
	top := filepath.VolumeName(manifest) + string(filepath.Separator)
	inTop := filepath.ToSlash(strings.TrimPrefix(manifest, top))
	return storySource{filesIn(filepath.Dir(manifest)), filesIn(top), inTop, shown, filepath.Dir(manifest)}
}

// storyError says that a story does not compile; the list says why.
type storyError struct {
	shown string
	list  diag.List
}

func (e *storyError) Error() string {
	for _, d := range e.list {
		if d.Severity == diag.Error {
			return fmt.Sprintf("the story does not compile: %s/%s:%d:%d: %s (and %d more); run kitsoki compile",
				e.shown, d.Pos.File, d.Pos.Line, d.Pos.Col, d.Message, e.list.Count(diag.Error)-1)
		}
	}
	return "the story does not compile"
}

// openApp opens what --app or a binding names: an artifact as it is, a story
// compiled into the user's cache.
func (a *app) openApp(ref string) (*artifact.File, error) {
	if strings.HasSuffix(ref, artifact.Extension) {
		path, err := a.abs(ref)
		if err != nil {
			return nil, err
		}
		return artifact.Open(path)
	}
	src, err := a.story(ref)
	if err != nil {
		return nil, err
	}
	known := ""
	if strings.HasPrefix(ref, stories.Prefix) {
		if known, err = a.builtinPath(ref); err == nil {
			if f, err := artifact.Open(known); err == nil {
				return f, nil
			}
		}
	}
	out, ds := src.compile()
	if out.Image == nil {
		return nil, &storyError{src.shown, ds}
	}
	return a.cached(out.Image, known)
}

// builtinPath is where the cache keeps a story that ships with kitsoki: its
// name holds the tool's version and the digest of every file that ships, one
// story of which may import another, so that what stands there needs no
// compiling to be known for good.
func (a *app) builtinPath(ref string) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(stories.Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(stories.Files(), path)
		fmt.Fprintf(h, "%s\x00%d\x00", path, len(data))
		h.Write(data)
		return err
	})
	if err != nil {
		return "", err
	}
	return a.cachePath(strings.TrimPrefix(ref, stories.Prefix), h.Sum(nil))
}

// cached keeps an image in the cache, by the digest of its sources unless a
// path is given, and opens it there. Where the cache cannot be written the
// bytes are used as they are: what is opened is the same.
func (a *app) cached(img *artifact.Image, path string) (*artifact.File, error) {
	data, err := artifact.Encode(img)
	if err != nil {
		return nil, err
	}
	if path == "" {
		digest := artifact.SourceDigest(img.Sources)
		path, err = a.cachePath(img.Program.App.ID, digest[:])
	}
	if err == nil {
		if old, err := os.ReadFile(path); err == nil && string(old) == string(data) {
			return artifact.Open(path)
		}
		if os.MkdirAll(filepath.Dir(path), 0o700) == nil && artifact.WriteFile(path, data) == nil {
			return artifact.Open(path)
		}
	}
	return artifact.Decode(img.Program.App.ID, data)
}

// cachePath is where the cache keeps an artifact.
func (a *app) cachePath(name string, digest []byte) (string, error) {
	base, err := binding.CacheDir(a.env)
	if err != nil {
		return "", err
	}
	file := fmt.Sprintf("%s-%s-%s%s", name, hex.EncodeToString(digest[:8]), version, artifact.Extension)
	return filepath.Join(base, "artifacts", file), nil
}
