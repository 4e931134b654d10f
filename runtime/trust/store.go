package trust

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kitsoki/runtime/journal"
)

const (
	// maxGrants is how many closures of one repository stay accepted: the
	// branches that a person goes to and fro between.
	maxGrants = 32
	// maxKept is the size up to which an accepted file is kept, to show what
	// changed, in bytes.
	maxKept  = 1 << 20
	fileType = ".json"
)

// Store is the directory in which it is kept what was accepted. UID is the
// user we run as, -1 where files have no such owner.
type Store struct {
	Dir string
	UID int
}

// Grant is one closure that was accepted.
type Grant struct {
	Config string    `json:"config"`
	Hash   string    `json:"hash"`
	At     time.Time `json:"at"`
	Files  []File    `json:"files"`
}

// Repository is what was said about one repository. Path is the directory
// that all its working trees share, or the directory outside of one. Grants
// are in the order in which they were given.
type Repository struct {
	Path   string  `json:"path"`
	Denied bool    `json:"denied,omitempty"`
	Grants []Grant `json:"grants,omitempty"`
}

// Has says whether a closure was accepted.
func (r Repository) Has(c Closure) bool {
	hash := c.Hash()
	return slices.ContainsFunc(r.Grants, func(g Grant) bool { return g.Config == c.Config && g.Hash == hash })
}

// Last is the closure of a configuration file that was accepted last.
func (r Repository) Last(config string) (Grant, bool) {
	for _, g := range slices.Backward(r.Grants) {
		if g.Config == config {
			return g, true
		}
	}
	return Grant{}, false
}

// Path is the file that says what was accepted of a repository.
func (s Store) Path(repo journal.Repo) string { return filepath.Join(s.Dir, repo.Key()+fileType) }

// Load gives what was said about a repository: nothing, when nothing was. A
// file that somebody else may write is an error.
func (s Store) Load(repo journal.Repo) (Repository, error) {
	r, err := s.read(s.Path(repo))
	if errors.Is(err, fs.ErrNotExist) {
		return Repository{Path: pathOf(repo)}, nil
	}
	if err == nil && r.Path != pathOf(repo) {
		err = errors.New("it speaks of another repository: " + r.Path)
	}
	if err != nil {
		return Repository{}, fmt.Errorf("reading what is trusted: %w", err)
	}
	return r, nil
}

func pathOf(repo journal.Repo) string {
	if repo.Common != "" {
		return repo.Common
	}
	return repo.Dir
}

func (s Store) read(path string) (Repository, error) {
	st, err := os.Stat(path)
	if err != nil {
		return Repository{}, err
	}
	if why := foreign(st, s.UID); why != "" {
		return Repository{}, &RefusedError{path, why}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Repository{}, err
	}
	var r Repository
	if err := json.Unmarshal(data, &r); err != nil {
		return Repository{}, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Accept adds a closure to what is trusted, and keeps its files so that a
// later change can be shown. It takes a denial back.
func (s Store) Accept(repo journal.Repo, c Closure, now time.Time) error {
	r, err := s.Load(repo)
	if err != nil {
		return err
	}
	hash := c.Hash()
	r.Denied = false
	r.Grants = slices.DeleteFunc(r.Grants, func(g Grant) bool { return g.Config == c.Config && g.Hash == hash })
	r.Grants = append(r.Grants, Grant{Config: c.Config, Hash: hash, At: now.UTC(), Files: c.Files})
	r.Grants = r.Grants[max(0, len(r.Grants)-maxGrants):]
	for _, f := range c.Files {
		if err := s.keep(f); err != nil {
			return err
		}
	}
	return s.write(repo, r)
}

// keep copies an accepted file; one that changed meanwhile is an error.
func (s Store) keep(f File) error {
	data, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("keeping what is trusted: %w", err)
	}
	if journal.Sum(data) != f.Sum {
		return &ChangedError{f.Name}
	}
	if len(data) > maxKept {
		return nil
	}
	return journal.Replace(s.kept(f.Sum), data)
}

func (s Store) kept(sum string) string { return filepath.Join(s.Dir, "files", sum) }

// Deny makes a repository inert, whatever else was or is said, and forgets
// what was accepted of it.
func (s Store) Deny(repo journal.Repo) error {
	return s.write(repo, Repository{Path: pathOf(repo), Denied: true})
}

// Revoke forgets all that was said about a repository; false says that
// nothing was.
func (s Store) Revoke(repo journal.Repo) (bool, error) {
	err := os.Remove(s.Path(repo))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (s Store) write(repo journal.Repo, r Repository) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = journal.Replace(s.Path(repo), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keeping what is trusted: %w", err)
	}
	return nil
}

// List gives every repository something was said about, sorted by path. What
// cannot be read is left out, and is its error.
func (s Store) List() ([]Repository, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []Repository
	for _, e := range entries {
		if filepath.Ext(e.Name()) != fileType {
			continue
		}
		r, readErr := s.read(filepath.Join(s.Dir, e.Name()))
		if readErr != nil {
			err = errors.Join(err, readErr)
			continue
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Repository) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

// Prune forgets the repositories that are no longer there, which it gives,
// and the kept files that nothing speaks of.
func (s Store) Prune() ([]string, error) {
	list, err := s.List()
	if err != nil {
		return nil, err
	}
	var gone []string
	used := map[string]bool{}
	for _, r := range list {
		if _, err := os.Stat(r.Path); errors.Is(err, fs.ErrNotExist) {
			if err := os.Remove(s.Path(journal.Repo{Dir: r.Path})); err != nil {
				return gone, err
			}
			gone = append(gone, r.Path)
			continue
		}
		for _, g := range r.Grants {
			for _, f := range g.Files {
				used[f.Sum] = true
			}
		}
	}
	return gone, s.sweep(used)
}

func (s Store) sweep(used map[string]bool) error {
	entries, err := os.ReadDir(filepath.Join(s.Dir, "files"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !used[e.Name()] {
			err = errors.Join(err, os.Remove(s.kept(e.Name())))
		}
	}
	return err
}
