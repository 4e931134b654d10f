package host

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// unmarked refuses a file that holds a conflict marker which none of the sides
// brought: a line of equals signs may well be a heading. The file is looked at
// as it stands, and as git would keep it: that of another encoding shows its
// markers only then.
func (r repo) unmarked(path string, sides []side) error {
	at := filepath.Join(r.env.Dir, filepath.FromSlash(path))
	info, err := os.Lstat(at)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return failf(gitName, "%v", err)
	}
	kept, err := r.kept(path, data)
	if err != nil {
		return err
	}
	size, err := r.markerSize(path)
	if err != nil {
		return err
	}
	found := append(markers(data, size), markers(kept, size)...)
	if len(found) == 0 {
		return nil
	}
	known, err := r.knownMarkers(sides, size)
	if err != nil {
		return err
	}
	for _, m := range found {
		if !slices.Contains(known, m.text) {
			return failf(gitName, "a conflict marker is left in %s, line %d: %s", path, m.line, clipped(m.text))
		}
	}
	return nil
}

// kept is a file as git would keep it, nil when that is no other than it is.
func (r repo) kept(path string, data []byte) ([]byte, error) {
	plain, err := r.hash(string(data), "--stdin", "--no-filters")
	if err != nil {
		return nil, err
	}
	id, err := r.changeWith(data, "hash-object", "-w", "--stdin", "--path="+path)
	if id = strings.TrimSpace(id); err != nil || id == plain {
		return nil, err
	}
	out, err := r.must("cat-file", "blob", id)
	return []byte(out), err
}

// usualMarker is how long git's markers are where nothing else is set.
const usualMarker = 7

// markerSize is how long they are at least in a file; see conflict-marker-size
// in gitattributes(5).
func (r repo) markerSize(path string) (int, error) {
	set, err := r.attribute(path, "conflict-marker-size")
	if n, bad := strconv.Atoi(set); bad == nil && n > 0 {
		return min(n, usualMarker), err
	}
	return usualMarker, err
}

// attribute is what gitattributes say of a file: a value, set, unset or
// unspecified.
func (r repo) attribute(path, name string) (string, error) {
	out, err := r.must("check-attr", "-z", name, "--", path)
	if f := strings.Split(out, "\x00"); err == nil && len(f) > 2 {
		return f[2], nil
	}
	return "", err
}

// knownMarkers are lines of the sides that look like markers.
func (r repo) knownMarkers(sides []side, size int) ([]string, error) {
	var out []string
	for _, s := range sides {
		if isLink(s.mode) {
			continue
		}
		data, err := r.must("cat-file", "blob", s.id)
		if err != nil {
			return nil, err
		}
		for _, m := range markers([]byte(data), size) {
			out = append(out, m.text)
		}
	}
	return out, nil
}

// decided refuses what nobody has resolved and no marker shows: where git can't
// merge contents, it leaves one side, or both under other names, and that is no
// resolution unless somebody has changed it. That a side has removed what the
// other one changed is decided by keeping it or not.
func (r repo) decided(path string, sides []side) error {
	if slices.ContainsFunc(sides, func(s side) bool { return isLink(s.mode) }) {
		return failf(gitName, "%s is a submodule with a conflict, which a person has to resolve", path)
	}
	stages := stagesOf(sides)
	if stages == "12" || stages == "13" {
		return nil
	}
	if strings.HasSuffix(stages, "23") && !exists(filepath.Join(r.env.Dir, filepath.FromSlash(path))) {
		return failf(gitName, "%s is gone, and both sides have it; nobody has resolved it", path)
	}
	if stages == "123" || stages == "23" {
		if merged, err := r.mergesText(path, sides); err != nil || merged {
			return err
		}
	}
	ids, err := r.contents([]entry{{path: path}})
	if err != nil {
		return err
	}
	for _, s := range sides {
		if s.stage != "1" && ids[path] == s.id {
			return failf(gitName, "%s stands as git has left it, which is one of its sides; nobody has resolved it", path)
		}
	}
	return nil
}

func stagesOf(sides []side) string {
	var out string
	for _, s := range sides {
		out += s.stage
	}
	return out
}

// mergesText tells a path whose two sides git merges line by line, so that it
// marks where they differ.
func (r repo) mergesText(path string, sides []side) (bool, error) {
	driver, err := r.attribute(path, "merge")
	if err != nil || driver == "unset" || driver == "binary" {
		return false, err
	}
	for _, s := range sides {
		data, err := r.must("cat-file", "blob", s.id)
		if err != nil || s.mode == "120000" || strings.Contains(data[:min(len(data), binarySample)], "\x00") {
			return false, err
		}
	}
	return true, nil
}

// binarySample is how much of a file git looks at for a NUL.
const binarySample = 8000

// marker is a line, counted from 1, that looks like a conflict marker.
type marker struct {
	line int
	text string
}

// markers finds the lines that begin as git's markers do; see
// "How conflicts are presented" in git-merge(1).
func markers(data []byte, size int) []marker {
	var out []marker
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if text := strings.TrimRight(string(line), "\r\n"); looksMarked(text, size) {
			out = append(out, marker{n, text})
		}
	}
	return out
}

// looksMarked: so many or more of one sign, then a blank or the end.
func looksMarked(line string, size int) bool {
	for _, sign := range "<|=>" {
		rest := strings.TrimLeft(line, string(sign))
		if len(line)-len(rest) >= size && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

func clipped(line string) string {
	const most = 60
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
