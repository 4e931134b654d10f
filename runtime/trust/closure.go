// Package trust holds a repository's binding against what a person has
// looked at and accepted: a repository that can run commands on a prompt is
// code.
//
// In go the files a binding is made of, with the digests of the bytes that
// would be executed; out comes a Closure with one hash, and a Store of what
// was accepted. One byte more or less is another hash. It refuses files that
// somebody else may write, or that lie outside of the repository. It knows
// neither YAML nor what a story does: cmd brings the files and shows the
// commands.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kitsoki/runtime/journal"
)

// maxFile bounds one file of a closure, in bytes.
const maxFile = 256 << 20

// File is one file of a closure: its path relative to the working tree's
// root, with forward slashes, and the SHA-256 of its bytes in hex.
type File struct {
	Name string `json:"name"`
	Sum  string `json:"sum"`
	path string
}

// Closure is all that a repository's binding is made of. Config names its
// configuration file; Files are sorted by name.
type Closure struct {
	Config string
	Files  []File
}

// Hash stands for the closure: "sha256:" and 64 hex digits.
func (c Closure) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "kitsoki trust 1\n%d:%s\n", len(c.Config), c.Config)
	for _, f := range c.Files {
		fmt.Fprintf(h, "%d:%s %s\n", len(f.Name), f.Name, f.Sum)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Paths are the absolute paths of the files.
func (c Closure) Paths() []string {
	var out []string
	for _, f := range c.Files {
		out = append(out, f.path)
	}
	return out
}

// RefusedError says why a file can be no part of what is trusted.
type RefusedError struct {
	Path, Why string
}

func (e *RefusedError) Error() string { return e.Path + " " + e.Why }

// Collector gathers a closure. Roots are the working trees that its files may
// lie in, the binding's own first; UID is the user we run as, -1 where files
// have no such owner.
type Collector struct {
	Roots []string
	UID   int
	files map[string]File
}

// Add takes a file whose bytes have that SHA-256 in hex; with "" it is read
// now. The error is a *RefusedError, or what reading it came to.
func (c *Collector) Add(path, sum string) error {
	name, err := c.name(path)
	if err != nil {
		return err
	}
	if err := c.check(path); err != nil {
		return err
	}
	if sum == "" {
		if sum, err = digest(path); err != nil {
			return err
		}
	}
	if c.files == nil {
		c.files = map[string]File{}
	}
	c.files[name] = File{name, sum, path}
	return nil
}

// Closure is what was added; config is the path of the configuration file.
func (c *Collector) Closure(config string) (Closure, error) {
	name, err := c.name(config)
	if err != nil {
		return Closure{}, err
	}
	out := Closure{Config: name}
	for _, f := range c.files {
		out.Files = append(out.Files, f)
	}
	slices.SortFunc(out.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// name is a path relative to the root it lies in.
func (c *Collector) name(path string) (string, error) {
	for _, root := range c.Roots {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", &RefusedError{path, "lies outside of the repository"}
}

// check refuses what somebody else may change.
func (c *Collector) check(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("following %s: %w", path, err)
	}
	if _, err := c.name(real); err != nil {
		return &RefusedError{path, "is linked out of the repository, to " + real}
	}
	st, err := os.Stat(real)
	switch {
	case err != nil:
		return err
	case !st.Mode().IsRegular():
		return &RefusedError{path, "is no regular file"}
	case st.Size() > maxFile:
		return &RefusedError{path, fmt.Sprintf("is larger than %d bytes", maxFile)}
	}
	if why := foreign(st, c.UID); why != "" {
		return &RefusedError{path, why}
	}
	return nil
}

func digest(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading what is to be trusted: %w", err)
	}
	return journal.Sum(data), nil
}

// ChangedError says that a file is no longer what was accepted.
type ChangedError struct {
	Name string
}

func (e *ChangedError) Error() string { return e.Name + " has changed since it was looked at" }

// Verify reads every file of a closure again. The error is a *ChangedError, a
// *RefusedError, or what reading a file came to.
func (c *Collector) Verify(closure Closure) error {
	for _, f := range closure.Files {
		if err := c.check(f.path); err != nil {
			return err
		}
		sum, err := digest(f.path)
		if err != nil {
			return err
		}
		if sum != f.Sum {
			return &ChangedError{f.Name}
		}
	}
	return nil
}
