package journal

import (
	"os"
	"path/filepath"
	"strings"
)

// maxPointer bounds a .git or commondir file: a path and nothing else.
const maxPointer = 16 << 10

// Repo is where a directory's repository lies. Outside a repository only Dir
// is set. All paths are absolute and free of symbolic links where those could
// be resolved.
type Repo struct {
	Dir     string // the directory that was asked about
	Root    string // top of the working tree: the directory that holds .git
	Git     string // this working tree's own git directory
	Common  string // the git directory all its working trees share
	Primary string // in a linked worktree: top of the primary checkout, "" when that is bare
}

// Locate finds the repository of an absolute directory by walking up to the
// first .git, a directory or a file that points to one. It runs no program,
// and a broken pointer still ends the walk: what stands above is another
// repository.
func Locate(dir string) Repo {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = filepath.Clean(dir)
	}
	r := Repo{Dir: real}
	for at := r.Dir; ; at = filepath.Dir(at) {
		dotGit := filepath.Join(at, ".git")
		st, gone := os.Lstat(dotGit)
		plain := gone == nil && st.IsDir() && err == nil // no link leads here
		if gone == nil && !st.IsDir() {
			st, gone = os.Stat(dotGit)
		}
		if gone == nil {
			r.Root = at
			r.resolve(st.IsDir(), plain)
			return r
		}
		if filepath.Dir(at) == at {
			return r
		}
	}
}

func (r *Repo) resolve(isDir, plain bool) {
	dotGit := filepath.Join(r.Root, ".git")
	if isDir {
		r.Git = dotGit
		if !plain {
			r.Git = realPath(dotGit)
		}
		r.Common = r.Git
		return
	}
	text, ok := strings.CutPrefix(pointer(dotGit), "gitdir:")
	if !ok {
		return
	}
	r.Git = realPath(from(r.Root, strings.TrimSpace(text)))
	r.Common = r.Git
	if common := pointer(filepath.Join(r.Git, "commondir")); common != "" {
		r.Common = realPath(from(r.Git, common))
		r.Primary = primary(r.Common)
	}
}

// primary is the checkout that a shared git directory belongs to.
func primary(common string) string {
	if filepath.Base(common) != ".git" {
		return ""
	}
	return filepath.Dir(common)
}

// Key names the repository in file names: the first 16 hex digits of the
// SHA-256 of the shared git directory's path, else of the directory's. All
// worktrees of a repository have one key.
func (r Repo) Key() string {
	at := r.Common
	if at == "" {
		at = r.Dir
	}
	return Sum([]byte(at))[:16]
}

// Head is what this working tree's HEAD says: the ref of a branch, or a commit;
// "" outside a repository.
func (r Repo) Head() string {
	if r.Git == "" {
		return ""
	}
	return pointer(filepath.Join(r.Git, "HEAD"))
}

// Top is the working tree's root, or the directory outside a repository.
func (r Repo) Top() string {
	if r.Root != "" {
		return r.Root
	}
	return r.Dir
}

// pointer reads a small file's only line; "" when it can't.
func pointer(path string) string {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxPointer {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

func from(base, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}
