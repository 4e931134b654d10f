package host

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// unmarked refuses a file that holds a conflict marker which none of the sides
// brought: a line of equals signs may well be a heading.
func (r repo) unmarked(path string, sides []string) error {
	at := filepath.Join(r.env.Dir, filepath.FromSlash(path))
	info, err := os.Lstat(at)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return failf(gitName, "%v", err)
	}
	found := markers(data)
	if len(found) == 0 {
		return nil
	}
	known, err := r.knownMarkers(sides)
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

// knownMarkers are lines of the sides that look like markers.
func (r repo) knownMarkers(sides []string) ([]string, error) {
	var out []string
	for _, id := range sides {
		kind, err := r.ask("cat-file", "-t", id)
		if err != nil {
			return nil, err
		}
		if kind != "blob" {
			continue // a submodule's commit
		}
		data, err := r.must("cat-file", "blob", id)
		if err != nil {
			return nil, err
		}
		for _, m := range markers([]byte(data)) {
			out = append(out, m.text)
		}
	}
	return out, nil
}

// marker is a line, counted from 1, that looks like a conflict marker.
type marker struct {
	line int
	text string
}

// binarySample is how much of a file git looks at for a NUL.
const binarySample = 8000

// markers finds the lines that begin as git's markers do; see
// "How conflicts are presented" in git-merge(1).
func markers(data []byte) []marker {
	if bytes.IndexByte(data[:min(len(data), binarySample)], 0) >= 0 {
		return nil
	}
	var out []marker
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if text := strings.TrimRight(string(line), "\r\n"); looksMarked(text) {
			out = append(out, marker{n, text})
		}
	}
	return out
}

// looksMarked: seven or more of one sign, then a blank or the end.
func looksMarked(line string) bool {
	for _, sign := range "<|=>" {
		rest := strings.TrimLeft(line, string(sign))
		if len(line)-len(rest) >= 7 && (rest == "" || rest[0] == ' ') {
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
