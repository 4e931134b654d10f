package source

import (
	"io/fs"
	"path"
	"sort"
	"strings"

	"kitsoki/compiler/diag"
)

// includes lists the files that the manifest's include patterns match,
// sorted, each once, without the manifest itself.
func (l *loader) includes(root *Node, manifest string) []string {
	seen := map[string]bool{manifest: true}
	var out []string
	list := root.Get("include")
	if list == nil {
		return nil
	}
	for _, item := range list.Items {
		if item.Kind != KindString {
			continue
		}
		for _, f := range l.include(item) {
			if !seen[f] {
				seen[f] = true
				out = append(out, f)
			}
		}
	}
	sort.Strings(out)
	return out
}

func (l *loader) include(item *Node) []string {
	pattern := item.Text
	if why := badPattern(pattern); why != "" {
		l.ds.Addf(diag.BadInclude, item.Pos, "can't include %q: %s", pattern, why).
			Hintf("name files inside the manifest's directory, such as rooms/*.yaml")
		return nil
	}
	g := &glob{fsys: l.fsys, at: item.Pos, ds: l.ds}
	g.walk(".", strings.Split(path.Clean(pattern), "/"))
	switch {
	case len(g.found) > 0 || g.reported:
	case strings.ContainsAny(pattern, "*?["):
		l.ds.Addf(diag.IncludesNothing, item.Pos, "%q matches no file", pattern).
			Hintf("remove it, or correct the path: it is relative to the manifest's directory")
	default:
		l.fail = true
		l.ds.Addf(diag.BadInclude, item.Pos, "there is no file %s", pattern).
			Hintf("paths are relative to the manifest's directory")
	}
	return g.found
}

func badPattern(p string) string {
	switch {
	case strings.Contains(p, `\`):
		return `a path has forward slashes`
	case path.IsAbs(p) || strings.Contains(p, ":"):
		return "it is not relative"
	case path.Clean(p) == ".." || strings.HasPrefix(path.Clean(p), "../"):
		return "it leaves the manifest's directory"
	}
	if _, err := path.Match(p, ""); err != nil {
		return "the pattern is malformed"
	}
	return ""
}

// glob finds files by walking the directory listings, never by opening a
// path, so that no symbolic link is followed. Names that begin with a dot
// need a pattern that does.
type glob struct {
	fsys     fs.FS
	at       diag.Pos
	ds       *diag.List
	found    []string
	reported bool
}

func (g *glob) walk(dir string, segments []string) {
	entries, err := fs.ReadDir(g.fsys, dir)
	if err != nil {
		g.refuse("can't read the directory %s: %s", dir, cause(err))
		return
	}
	for _, e := range entries {
		g.entry(dir, e, segments)
	}
	if segments[0] == "**" && len(segments) > 1 {
		g.walk(dir, segments[1:])
	}
}

func (g *glob) entry(dir string, e fs.DirEntry, segments []string) {
	name := path.Join(dir, e.Name())
	deep := segments[0] == "**"
	if !matches(segments[0], e.Name()) {
		return
	}
	last := len(segments) == 1
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		if last || !deep {
			g.refuse("%s is a symbolic link; includes follow none", name)
		}
	case e.IsDir() && deep:
		g.walk(name, segments)
	case e.IsDir() && !last:
		g.walk(name, segments[1:])
	case !e.IsDir() && last:
		g.found = append(g.found, name)
	}
}

func matches(segment, name string) bool {
	if segment == "**" {
		segment = "*"
	}
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(segment, ".") {
		return false
	}
	ok, err := path.Match(segment, name)
	return ok && err == nil
}

func (g *glob) refuse(format string, args ...any) {
	g.reported = true
	g.ds.Addf(diag.BadInclude, g.at, format, args...).
		Hintf("put the file itself inside the manifest's directory")
}
