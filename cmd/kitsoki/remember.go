package main

import (
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/binding"
	"kitsoki/runtime/config"
	"kitsoki/runtime/hook"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

// maxFolders bounds how many directories are watched for a story's new files.
const maxFolders = 256

// remember keeps what a binding came to, so that kitsoki-hook need not find
// out again. Where that cannot be kept, or would not be sure to be noticed
// when it changes, nothing is: each prompt is then looked at in full.
func (a *app) remember(b *bound, reason match.Reason, detail string) {
	if b.conf.Off || b.conf.Switched || reason == match.ReasonNotReady || a.env(hook.TrustVariable) != "" {
		return
	}
	repo := b.conf.Repo
	path := binding.PathOf(binding.PlaceOf(repo, a.env), repo, a.env)
	if path == "" {
		return
	}
	r := &binding.Record{Root: repo.Root, Common: repo.Common, Reason: reason, Detail: detail}
	r.TraceOff, r.TracePath = b.conf.Trace.V.Off, b.conf.Trace.V.Path
	r.Prompts, r.Stops = b.conf.Recalls() || b.conf.Captures(), b.conf.Captures() || b.conf.Guards()
	if !a.madeFrom(r, b) || !trustedFrom(r, b) {
		return
	}
	if reason == "" && !a.decidesBy(r, b) {
		return
	}
	_ = r.Write(path) // the next prompt is answered the slow way
}

// madeFrom notes what the binding was made from; false when something has
// changed since.
func (a *app) madeFrom(r *binding.Record, b *bound) bool {
	exe, err := a.exe()
	if err != nil {
		return false
	}
	r.Stamps = append(r.Stamps, binding.StampOf(exe))
	for _, f := range b.conf.Files {
		d, err := binding.DigestOf(f.Path)
		if err != nil || f.Sum != "" && d.Sum != f.Sum {
			return false
		}
		r.Files = append(r.Files, d)
		if f.Layer == config.LayerLocal && f.State != config.FileAbsent {
			r.Stamps = append(r.Stamps, indexes(b.conf.Repo)...)
		}
	}
	return true
}

// indexes are where git says whether it tracks a local file: that of this
// working tree, or of the primary checkout.
func indexes(repo journal.Repo) []binding.Stamp {
	var out []binding.Stamp
	for _, dir := range []string{repo.Git, repo.Common} {
		if dir != "" {
			out = append(out, binding.StampOf(filepath.Join(dir, "index")))
		}
	}
	return out
}

// trustedFrom notes what the trust in a repository's binding hangs on; false
// when the binding could not be looked at, which nothing that is noted shows.
func trustedFrom(r *binding.Record, b *bound) bool {
	if !b.conf.NeedsTrust() {
		return true
	}
	if b.trust == nil {
		return false
	}
	d, err := binding.DigestOf(b.trust.store.Path(b.conf.Repo))
	r.Files = append(r.Files, d)
	if b.trust.collector == nil { // denied, or never looked at
		return err == nil
	}
	for _, path := range b.trust.closure.Paths() {
		r.Stamps = append(r.Stamps, binding.StampOf(path))
	}
	return err == nil && len(b.trust.closure.Files) > 0 && b.trust.collector.Verify(b.trust.closure) == nil
}

// decidesBy notes what decides about a prompt.
func (a *app) decidesBy(r *binding.Record, b *bound) bool {
	if !filepath.IsAbs(b.file.Path()) { // it could not be cached
		return false
	}
	r.Artifact, r.Tool, r.Sources = b.file.Path(), b.file.Tool(), binding.SourcesOf(b.file)
	r.Room, r.Intents, r.Bar, r.Escape = b.gate.Room, b.gate.IntentIDs(), b.gate.Bar, b.gate.Escape
	stamps, ok := storyStamps(b.conf.App.V, b.file.Sources())
	r.Stamps = append(r.Stamps, stamps...)
	return ok
}

// storyStamps notes the files of a story, each proved to be the one that was
// compiled, and the directories in which another file would be one of its.
func storyStamps(app config.App, sources []artifact.Source) ([]binding.Stamp, bool) {
	if app.Kind == config.AppArtifact {
		return []binding.Stamp{binding.StampOf(app.Path)}, true
	}
	var out []binding.Stamp
	folders := map[string]bool{}
	for path, sum := range sourceFiles(app, sources) {
		stamp := binding.StampOf(path)
		if d, err := binding.DigestOf(path); err != nil || d.Sum != sum {
			return nil, false
		}
		out = append(out, stamp)
		if !below(filepath.Dir(path), folders) {
			return nil, false
		}
	}
	for dir := range folders {
		out = append(out, binding.StampOf(dir))
	}
	slices.SortFunc(out, func(x, y binding.Stamp) int { return strings.Compare(x.Path, y.Path) })
	return out, true
}

// sourceFiles gives the digest of each file on disk that a story was compiled
// from. What ships with kitsoki changes with kitsoki only.
func sourceFiles(app config.App, sources []artifact.Source) map[string]string {
	out := map[string]string{}
	if app.Kind != config.AppStory {
		return out
	}
	dir := storyDir(app.Path)
	for _, s := range sources {
		if !strings.HasPrefix(s.Path, artifact.LibraryPrefix) {
			out[filepath.Join(dir, filepath.FromSlash(s.Path))] = hex.EncodeToString(s.Sum[:])
		}
	}
	return out
}

// storyDir is the directory of a story's manifest.
func storyDir(path string) string {
	if st, err := os.Stat(path); err == nil && !st.IsDir() {
		return filepath.Dir(path)
	}
	return path
}

// below adds a directory with all that lie in it; false when there are too
// many.
func below(dir string, seen map[string]bool) bool {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case seen[path], path != dir && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case len(seen) == maxFolders:
			return fs.SkipAll
		}
		seen[path] = true
		return nil
	})
	return err == nil && len(seen) < maxFolders
}
