// Package binding knows where bindings are written, and keeps what one came
// to: a record that the hook reads instead of any configuration.
//
// In go a directory's repository and the environment; out come the paths of
// the configuration files, and a Record with a proof of what it was made
// from. A record is used only while every file it was made from is as it was:
// configuration by digest, all else by size and time of change. It stands in
// the cache; losing it costs one slow answer.
//
// It reads no YAML, decides nothing about a prompt, and grants nothing: a
// record can make a prompt pass or have it looked at again, never executed.
package binding

import (
	"errors"
	"os"
	"path/filepath"

	"kitsoki/runtime/journal"
)

const (
	repositoryName = ".kitsoki.yaml"
	// LocalName is the name of one person's own file beside the repository's.
	LocalName = ".kitsoki.local.yaml"
)

// ErrNoHome says that the environment names no place for a directory.
var ErrNoHome = errors.New("the environment names no home directory")

// Place is where the configuration of a directory is written, be the files
// there or not. All paths are absolute; User is "" without a home.
type Place struct {
	User, Repository, Local string
}

// PlaceOf finds the configuration files of a repository's directory. It walks
// up to the repository's root and stops at the first directory that has a
// file of either name. Outside a repository only the directory itself is
// looked at: what lies above belongs to nobody in particular. When there is
// none, the paths are those at the top.
func PlaceOf(repo journal.Repo, env func(string) string) Place {
	p := Place{User: UserFile(env)}
	for at := repo.Dir; ; at = filepath.Dir(at) {
		p.Repository, p.Local = filepath.Join(at, repositoryName), localAt(repo, at)
		if Exists(p.Repository) || Exists(p.Local) || at == repo.Top() || at == filepath.Dir(at) {
			return p
		}
	}
}

// Files are the paths of a place, in rising precedence.
func (p Place) Files() []string {
	list := []string{p.Repository, p.Local}
	if p.User != "" {
		list = append([]string{p.User}, list...)
	}
	return list
}

// localAt is the local file of a directory. A linked worktree that has none
// falls back to the same place in the primary checkout.
func localAt(repo journal.Repo, dir string) string {
	own := filepath.Join(dir, LocalName)
	if Exists(own) || repo.Primary == "" {
		return own
	}
	rel, err := filepath.Rel(repo.Root, dir)
	if err != nil {
		return own
	}
	if theirs := filepath.Join(repo.Primary, rel, LocalName); Exists(theirs) {
		return theirs
	}
	return own
}

// Exists tells whether something stands at a path, be it a link to nowhere.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// UserFile is the path of the user's own configuration: under
// $XDG_CONFIG_HOME, else under ~/.config; "" when the environment names no
// home.
func UserFile(env func(string) string) string {
	dir, err := baseDir(env, "XDG_CONFIG_HOME", ".config")
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "config.yaml")
}

// CacheDir is kitsoki's cache: under $XDG_CACHE_HOME, else under ~/.cache.
// The error is ErrNoHome.
func CacheDir(env func(string) string) (string, error) {
	return baseDir(env, "XDG_CACHE_HOME", ".cache")
}

// DataDir is where kitsoki keeps what a person decided: under
// $XDG_DATA_HOME, else under ~/.local/share. The error is ErrNoHome.
func DataDir(env func(string) string) (string, error) {
	return baseDir(env, "XDG_DATA_HOME", filepath.Join(".local", "share"))
}

// baseDir is kitsoki's directory below one of the XDG base directories. A
// relative XDG path is ignored, as the specification asks.
func baseDir(env func(string) string, xdg, below string) (string, error) {
	if dir := env(xdg); filepath.IsAbs(dir) {
		return filepath.Join(dir, "kitsoki"), nil
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := env(name); filepath.IsAbs(home) {
			return filepath.Join(home, below, "kitsoki"), nil
		}
	}
	return "", ErrNoHome
}
