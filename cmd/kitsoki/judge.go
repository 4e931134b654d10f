package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kitsoki/runtime/binding"
	"kitsoki/runtime/config"
	"kitsoki/runtime/hook"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
	"kitsoki/runtime/trust"
)

// standing is what is known of the trust in a repository's binding.
type standing struct {
	store     trust.Store
	collector *trust.Collector
	closure   trust.Closure
	said      trust.Repository
	attested  bool // KITSOKI_TRUST_HASH is the closure's hash
}

// settle says why a binding is inert, and judges the trust in what is a
// repository's: where that is the binding, the story is then open, and what was
// compiled is what was judged.
func (a *app) settle(b *bound) (match.Reason, string) {
	reason, detail := b.conf.Inert()
	if !b.conf.NeedsTrust() || b.conf.Off || b.conf.Switched || b.conf.Broken != "" {
		return reason, detail
	}
	var err error
	if b.trust, err = a.judge(b); err != nil {
		var broken *storyError
		if errors.As(err, &broken) && reason == match.ReasonUntrusted {
			return match.ReasonNotReady, err.Error()
		}
		b.conf.Doubt = err.Error()
	}
	return b.conf.Inert()
}

// judge holds a repository's binding against what was accepted. It sets
// Trusted or Doubt; the error says why the binding cannot be looked at.
func (a *app) judge(b *bound) (*standing, error) {
	s, err := a.trustStore()
	if err != nil {
		return nil, err
	}
	st := &standing{store: s}
	if st.said, err = s.Load(b.conf.Repo); err != nil {
		return st, err
	}
	config, attested := configOf(b.conf), a.env(hook.TrustVariable)
	last, ok := st.said.Last(nameOf(b.conf.Repo, config))
	switch {
	case st.said.Denied:
		b.conf.Doubt = "you denied this repository; to look at it again: kitsoki trust"
		return st, nil
	case !ok && attested == "":
		return st, nil
	}
	if err := a.closure(b, st, config); err != nil {
		return st, err
	}
	st.attested = attested == st.closure.Hash()
	b.conf.Trusted = st.attested || st.said.Has(st.closure)
	switch {
	case b.conf.Trusted:
	case last.Hash == "":
		b.conf.Doubt = fmt.Sprintf("%s is not the hash of this repository's binding, %s", hook.TrustVariable, st.closure.Hash())
	default:
		b.conf.Doubt = "it has changed since you trusted it; see how: kitsoki trust --diff"
	}
	return st, nil
}

func (a *app) trustStore() (trust.Store, error) {
	dir, err := binding.DataDir(a.env)
	if err != nil {
		return trust.Store{}, fmt.Errorf("finding what is trusted: %w", err)
	}
	return trust.Store{Dir: filepath.Join(dir, "trust"), UID: a.uid}, nil
}

// closure opens the story and gathers all that the binding is made of, by the
// digests of the bytes that were read and compiled.
func (a *app) closure(b *bound, st *standing, config string) error {
	st.collector = collector(b.conf.Repo, a.uid)
	for _, f := range b.conf.Files {
		if theirs(f.Layer) && f.Sum != "" {
			if err := st.collector.Add(f.Path, f.Sum); err != nil {
				return err
			}
		}
	}
	if b.conf.Claims() {
		if err := a.openStory(b, ""); err != nil {
			return err
		}
		if err := addStory(st.collector, b); err != nil {
			return err
		}
		if err := addScripts(st.collector, b, filepath.Dir(config)); err != nil {
			return err
		}
	}
	var err error
	st.closure, err = st.collector.Closure(config)
	return err
}

// collector takes files of the working tree, and of the primary checkout,
// where a linked worktree finds the local file.
func collector(repo journal.Repo, uid int) *trust.Collector {
	c := &trust.Collector{Roots: []string{repo.Top()}, UID: uid}
	if repo.Primary != "" {
		c.Roots = append(c.Roots, repo.Primary)
	}
	return c
}

func theirs(l config.Layer) bool { return l == config.LayerRepository || l == config.LayerLocal }

// addStory adds the story's files, unless the story is the person's own or
// ships with kitsoki: then the repository only names it.
func addStory(c *trust.Collector, b *bound) error {
	app := b.conf.App
	if !theirs(app.Origin.Layer) {
		return nil
	}
	if app.V.Kind == config.AppArtifact {
		sum := b.file.Sum()
		return c.Add(app.V.Path, hex.EncodeToString(sum[:]))
	}
	for path, sum := range sourceFiles(app.V, b.file.Sources()) {
		if err := c.Add(path, sum); err != nil {
			return err
		}
	}
	return nil
}

// addScripts adds the files of the repository that the commands name by a
// relative path: from its root, or from where its configuration lies.
func addScripts(c *trust.Collector, b *bound, dir string) error {
	p, err := b.file.Program()
	if err != nil {
		return err
	}
	for _, script := range trust.Scripts(p) {
		for _, base := range []string{b.conf.Repo.Top(), dir} {
			path := filepath.Join(base, filepath.FromSlash(script))
			if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
				continue
			}
			if err := c.Add(path, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// configOf is the file that a repository's binding is written in.
func configOf(conf config.Resolved) string {
	found := ""
	for _, f := range conf.Files {
		if theirs(f.Layer) && f.State == config.FileRead && (found == "" || f.Layer == config.LayerRepository) {
			found = f.Path
		}
	}
	return found
}

// nameOf is how a closure names a configuration file.
func nameOf(repo journal.Repo, path string) string {
	c, err := collector(repo, -1).Closure(path)
	if err != nil {
		return ""
	}
	return c.Config
}

// unchanged looks at everything again that a repository's binding is made of,
// right before its first effect.
func (b *bound) unchanged() error {
	if b.trust == nil || b.trust.collector == nil || !b.conf.Claims() {
		return nil
	}
	return b.trust.collector.Verify(b.trust.closure)
}

// attested says that an unattended run may execute here.
func (b *bound) attested() bool {
	return b.trust != nil && b.trust.attested && b.conf.Trusted && b.conf.Claims()
}
