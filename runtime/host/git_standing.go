package host

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// fileClock is the coarsest unit in which file systems in use count time.
const fileClock = time.Second

// standing says what a path of a move holds in the working tree.
type standing uint8

const (
	untouched standing = iota // what the first commit has
	written                   // what git has written of the second, or taken away for it
	foreign                   // neither
)

// standing looks at one path, whose content is called id. Git makes room for a
// file before it writes it, and may have written the beginning of it.
func (r repo) standing(m move, e entry, id string) (standing, error) {
	at := filepath.Join(r.env.Dir, filepath.FromSlash(e.path))
	info, err := os.Lstat(at)
	switch {
	case err != nil && e.added(), isLink(e.fromMode), isLink(e.toMode):
		return untouched, nil
	case err != nil:
		return written, nil
	case info.IsDir():
		return underDirectory(e), nil
	}
	switch {
	case id == e.fromID && id == e.toID:
		return byMode(e, info), nil
	case id == e.toID && !e.deleted():
		return written, nil
	case id == e.fromID && !e.added():
		return untouched, nil
	case e.deleted():
		return foreign, nil
	}
	begun, err := r.begins(m, e, at, info)
	if begun {
		return written, err
	}
	return foreign, err
}

// isLink tells the mode of a submodule: its files are its own.
func isLink(mode string) bool { return mode == "160000" }

// byMode tells apart two entries of one content: one may be run, or they are
// no two files.
func byMode(e entry, info os.FileInfo) standing {
	const runnable = "100755"
	if e.toMode != e.fromMode && (e.toMode == runnable) == (info.Mode()&0o100 != 0) {
		return written
	}
	return untouched
}

// underDirectory: where a file was to be there is a directory. The files below
// it are paths of the move themselves.
func underDirectory(e entry) standing {
	if e.added() {
		return untouched
	}
	return written
}

// contents are what git would call the contents of a move's paths, those of
// plain files all at once.
func (r repo) contents(changes []entry) (map[string]string, error) {
	out := map[string]string{}
	var plain []string
	for _, e := range changes {
		at := filepath.Join(r.env.Dir, filepath.FromSlash(e.path))
		info, err := os.Lstat(at)
		switch {
		case err != nil:
		case info.Mode()&os.ModeSymlink != 0:
			to, err := os.Readlink(at)
			if err != nil {
				return nil, failf(gitName, "%v", err)
			}
			if out[e.path], err = r.hash(to, "--stdin", "--no-filters"); err != nil {
				return nil, err
			}
		case info.Mode().IsRegular() && strings.ContainsAny(e.path, "\n\""):
			data, err := os.ReadFile(at)
			if err != nil {
				return nil, failf(gitName, "%v", err)
			}
			if out[e.path], err = r.hash(string(data), "--stdin", "--path="+e.path); err != nil {
				return nil, err
			}
		case info.Mode().IsRegular():
			plain = append(plain, e.path)
		}
	}
	ids, err := r.hash(strings.Join(append(plain, ""), "\n"), "--stdin-paths")
	if err != nil {
		return nil, err
	}
	if got := lines(ids); len(got) == len(plain) {
		for i, p := range plain {
			out[p] = got[i]
		}
		return out, nil
	}
	return nil, failf(gitName, "git hash-object names %d of %d contents", len(lines(ids)), len(plain))
}

func (r repo) hash(input string, how ...string) (string, error) {
	r.env.ReadOnly, r.env.Started = true, nil
	res, err := r.start([]byte(input), append([]string{"hash-object"}, how...)...)
	if err != nil {
		return "", err
	}
	if !res.OK() {
		return "", gitError(res)
	}
	return strings.TrimSpace(string(res.Stdout)), nil
}

// begins tells whether a file is the beginning of what git would write.
func (r repo) begins(m move, e entry, at string, info os.FileInfo) (bool, error) {
	if !info.Mode().IsRegular() || isLink(e.toMode) {
		return false, nil
	}
	have, err := os.ReadFile(at)
	if err != nil {
		return false, failf(gitName, "%v", err)
	}
	whole, err := r.must("cat-file", "--filters", m.to+":"+e.path)
	return err == nil && bytes.HasPrefix([]byte(whole), have), err
}

// rewrite removes files with the directories that are empty then, and writes
// others as the index has them.
func (r repo) rewrite(gone, write []string) error {
	for _, p := range gone {
		if err := os.Remove(filepath.Join(r.env.Dir, filepath.FromSlash(p))); err != nil && !os.IsNotExist(err) {
			return failf(gitName, "%v", err)
		}
		for dir := path.Dir(p); dir != "." && os.Remove(filepath.Join(r.env.Dir, filepath.FromSlash(dir))) == nil; dir = path.Dir(dir) {
		}
	}
	if len(write) > 0 {
		input := strings.Join(write, "\x00") + "\x00"
		if _, err := r.changeWith([]byte(input), "checkout-index", "--force", "--index", "-z", "--stdin"); err != nil {
			return err
		}
	}
	_, _ = r.change("update-index", "-q", "--refresh") // status 1 says that something differs
	return nil
}
