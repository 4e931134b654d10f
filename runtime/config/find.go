package config

import (
	"os"
	"path/filepath"

	"kitsoki/runtime/journal"
)

const (
	repositoryName = ".kitsoki.yaml"
	localName      = ".kitsoki.local.yaml"
)

// UserFile is the path of the user's own configuration: under
// $XDG_CONFIG_HOME, else under ~/.config; "" when the environment names no
// home. A relative XDG path is ignored, as its specification asks.
func UserFile(env func(string) string) string {
	if dir := env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "kitsoki", "config.yaml")
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := env(name); filepath.IsAbs(home) {
			return filepath.Join(home, ".config", "kitsoki", "config.yaml")
		}
	}
	return ""
}

// find lists the files to read, in rising precedence.
func find(repo journal.Repo, src Sources) []File {
	var list []File
	if path := UserFile(src.Env); path != "" {
		list = append(list, File{Path: path, Layer: LayerUser, State: stateOf(path)})
	}
	main, local := nearest(repo)
	list = append(list, File{Path: main, Layer: LayerRepository, State: stateOf(main)})
	f := File{Path: local, Layer: LayerLocal, State: stateOf(local)}
	if f.State == FileRead && src.Tracked != nil && src.Tracked(local) {
		f.State = FileTracked
	}
	return append(list, f)
}

// nearest walks up from the directory to the repository's root and stops at
// the first directory that has a configuration file of either name. Outside a
// repository only the directory itself is looked at: what lies above belongs
// to nobody in particular. When there is none, the paths are those at the top.
func nearest(repo journal.Repo) (main, local string) {
	for at := repo.Dir; ; at = filepath.Dir(at) {
		main, local = filepath.Join(at, repositoryName), localAt(repo, at)
		if exists(main) || exists(local) || at == repo.Top() || at == filepath.Dir(at) {
			return main, local
		}
	}
}

// localAt is the local file of a directory. A linked worktree that has none
// falls back to the same place in the primary checkout.
func localAt(repo journal.Repo, dir string) string {
	own := filepath.Join(dir, localName)
	if exists(own) || repo.Primary == "" {
		return own
	}
	rel, err := filepath.Rel(repo.Root, dir)
	if err != nil {
		return own
	}
	if theirs := filepath.Join(repo.Primary, rel, localName); exists(theirs) {
		return theirs
	}
	return own
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func stateOf(path string) FileState {
	if exists(path) {
		return FileRead
	}
	return FileAbsent
}
