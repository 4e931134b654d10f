package taskagent

import (
	"context"
	"crypto/sha1" //nolint:gosec // the digest that git names contents by
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"

	"kitsoki/runtime/host"
	"kitsoki/runtime/proc"
)

// maxListing is the most that git may list, in bytes.
const maxListing = 256 << 20

// openRepository finds the working tree around the task's directory, and
// notes the state of its repository. Without one there is nothing to note.
func (s *snapshot) openRepository(ctx context.Context) error {
	res, err := s.task.git(ctx, s.root, "rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--git-common-dir", "--show-toplevel", "--show-prefix", "--show-object-format")
	if err != nil {
		return err
	}
	if saysNone(res) {
		return nil
	}
	if !res.OK() {
		return gitError("rev-parse", res)
	}
	said := strings.Split(string(res.Stdout), "\n")
	if said[0] != "true" {
		return nil
	}
	if len(said) != 7 {
		return errors.New("a path with a line break can't be watched")
	}
	common := filepath.FromSlash(said[2])
	if !filepath.IsAbs(common) {
		common = filepath.Join(s.root, common)
	}
	s.root = filepath.FromSlash(said[3])
	if s.base = strings.TrimSuffix(said[4], "/"); s.base == "" {
		s.base = "."
	}
	s.git = &gitState{task: s.task, root: s.root, dir: filepath.FromSlash(said[1]), common: common, sha256: said[5] == "sha256"}
	if err := s.git.note(ctx); err != nil {
		return err
	}
	ignored, err := s.git.must(ctx, "ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory")
	s.ignored = map[string]bool{}
	for _, name := range host.Records(ignored) {
		s.ignored[name] = true
	}
	return err
}

// saysNone tells that git found no working tree. A git that was killed found
// nothing out.
func saysNone(res proc.Result) bool {
	said := string(res.Stderr)
	return res.Signal == "" && (strings.Contains(said, "not a git repository") || strings.Contains(said, "must be run in a work tree"))
}

// git runs git in a directory, without locks, in the C locale, and
// without programs that the repository names.
func (t *task) git(ctx context.Context, dir string, args ...string) (proc.Result, error) {
	env := t.env
	env.ReadOnly = true
	res := proc.Run(ctx, proc.Cmd{
		Argv: append([]string{"git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"}, args...),
		Dir:  dir, Env: host.Environ(env, dir, []string{"LC_ALL=C"}), Grace: env.Grace, Limit: maxListing,
	})
	switch {
	case errors.Is(res.Err, proc.ErrNotFound):
		return proc.Result{Stderr: []byte("not a git repository"), ExitCode: -1}, nil
	case res.Err != nil:
		return res, res.Err
	case res.TimedOut || res.Cancelled:
		return res, fmt.Errorf("git %s: %s", args[0], host.Ending(res))
	case res.Cut:
		return res, fmt.Errorf("git %s says more than %d MiB", args[0], maxListing>>20)
	}
	return res, nil
}

// run runs git on this repository, whatever an agent made of what leads there.
func (g *gitState) run(ctx context.Context, args ...string) (proc.Result, error) {
	return g.task.git(ctx, g.root, append([]string{"--git-dir=" + g.dir, "--work-tree=" + g.root}, args...)...)
}

// must runs git and wants success.
func (g *gitState) must(ctx context.Context, args ...string) (string, error) {
	res, err := g.run(ctx, args...)
	if err == nil && !res.OK() {
		err = gitError(args[0], res)
	}
	return string(res.Stdout), err
}

func gitError(verb string, res proc.Result) error {
	return errors.New("git " + verb + ": " + withDetail(host.Ending(res), "", res))
}

// gitNames lists the tracked files and those that git would take, below root.
func (s *snapshot) gitNames(ctx context.Context) ([]string, error) {
	tracked, err := s.git.must(ctx, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	others, err := s.git.must(ctx, "ls-files", "-z", "-o", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return append(host.Records(tracked), host.Records(others)...), nil
}

// blobs are the digests of the contents in the index: the repository has
// them, so that a file whose bytes are one of them need not be copied.
func (g *gitState) blobs() map[string]bool {
	out := map[string]bool{}
	if g == nil {
		return out
	}
	for _, rec := range host.Records(g.entries) {
		before, _, _ := strings.Cut(rec, "\t")
		if f := strings.Fields(before); len(f) == 4 {
			out[f[2]] = true
		}
	}
	return out
}

// digest is git's name for a file's bytes as they are.
func (s *snapshot) digest(ctx context.Context, name string, size int64) (string, error) {
	f, err := os.Open(s.path(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := s.hash(size)
	if err := copyAll(ctx, h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hash is a digest that is begun for so many bytes.
func (s *snapshot) hash(size int64) hash.Hash {
	var h hash.Hash = sha1.New() //nolint:gosec // see the import
	if s.git == nil || s.git.sha256 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	return h
}

// sum is git's name for bytes.
func (s *snapshot) sum(data []byte) string {
	h := s.hash(int64(len(data)))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// blob reads a content out of the repository.
func (g *gitState) blob(ctx context.Context, f file) ([]byte, error) {
	out, err := g.must(ctx, "cat-file", "blob", f.sum)
	if err == nil && int64(len(out)) != f.size {
		err = fmt.Errorf("git has %d bytes of %d", len(out), f.size)
	}
	return []byte(out), err
}
