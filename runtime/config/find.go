package config

import (
	"kitsoki/runtime/binding"
	"kitsoki/runtime/journal"
)

// UserFile is the path of the user's own configuration, "" when the
// environment names no home.
func UserFile(env func(string) string) string { return binding.UserFile(env) }

// find lists the files to read, in rising precedence.
func find(repo journal.Repo, src Sources) []File {
	var list []File
	p := binding.PlaceOf(repo, src.Env)
	if p.User != "" {
		list = append(list, File{Path: p.User, Layer: LayerUser, State: stateOf(p.User)})
	}
	list = append(list, File{Path: p.Repository, Layer: LayerRepository, State: stateOf(p.Repository)})
	f := File{Path: p.Local, Layer: LayerLocal, State: stateOf(p.Local)}
	if f.State == FileRead && src.Tracked != nil && src.Tracked(f.Path) {
		f.State = FileTracked
	}
	return append(list, f)
}

func stateOf(path string) FileState {
	if binding.Exists(path) {
		return FileRead
	}
	return FileAbsent
}
