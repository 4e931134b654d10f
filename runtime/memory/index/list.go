package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"kitsoki/runtime/host"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/proc"
)

// maxListing bounds what git may say, in bytes.
const maxListing = 64 << 20

// list gives the paths below the root that a glob names, sorted, with /, and
// that git does not ignore.
func list(ctx context.Context, o Options) ([]string, error) {
	globs, err := cleanGlobs(o.Sources)
	if err != nil {
		return nil, err
	}
	all, err := candidates(ctx, o)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(p string) bool {
		return !slices.ContainsFunc(globs, func(g string) bool { return doublestar.MatchUnvalidated(g, p) })
	})
	slices.Sort(all)
	return slices.Compact(all), nil
}

// cleanGlobs refuses what can't be a glob below the root.
func cleanGlobs(globs []string) ([]string, error) {
	var out []string
	for _, g := range globs {
		clean := path.Clean(filepath.ToSlash(g))
		switch {
		case g == "" || !doublestar.ValidatePattern(clean):
			return nil, fmt.Errorf("the source %q is no glob", g)
		case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../"):
			return nil, fmt.Errorf("the source %q lies outside of the repository", g)
		}
		out = append(out, clean)
	}
	return out, nil
}

// candidates asks git, which knows what is ignored. Where there is no git, or
// no repository, all files count but hidden ones.
func candidates(ctx context.Context, o Options) ([]string, error) {
	if journal.Locate(o.Root).Root == "" {
		return walk(o.Root)
	}
	r := proc.Run(ctx, proc.Cmd{
		Argv: []string{"git", "ls-files", "-co", "--exclude-standard", "-z"}, Dir: o.Root, Limit: maxListing,
		Env: host.Environ(host.Env{Vars: host.Unled(o.Env), ReadOnly: true}, o.Root, []string{"LC_ALL=C"}),
	})
	switch {
	case r.Err != nil:
		return walk(o.Root)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !r.OK() || r.Cut:
		return nil, fmt.Errorf("git could not list the files of %s: %s", o.Root, firstLine(r.Stderr))
	}
	return strings.FieldsFunc(string(r.Stdout), func(c rune) bool { return c == 0 }), nil
}

func firstLine(b []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	return line
}

// walk lists all files that are not hidden. Links to directories are not
// followed, and what can't be read is left out.
func walk(root string) ([]string, error) {
	var out []string
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		switch hidden := p != "." && strings.HasPrefix(d.Name(), "."); {
		case err != nil && p == ".":
			return err
		case d.IsDir() && (hidden || err != nil):
			return fs.SkipDir
		case err == nil && !d.IsDir() && !hidden:
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing files: %w", err)
	}
	return out, nil
}

// errUnfit is why a file has no place in an index.
type errUnfit string

func (e errUnfit) Error() string { return string(e) }

// maxFile is the largest file that is indexed, in bytes.
const maxFile = 1 << 20

// fit looks at a file without opening it.
func fit(root *os.Root, p string) (fs.FileInfo, error) {
	if secretName(p) {
		return nil, errUnfit("its name is one of a secret")
	}
	st, err := root.Stat(filepath.FromSlash(p))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errUnfit("it is not there")
	case err != nil:
		return nil, errUnfit("it can't be reached inside of the repository")
	case !st.Mode().IsRegular():
		return nil, errUnfit("it is no file")
	case st.Size() > maxFile:
		return nil, errUnfit("it is larger than 1 MiB")
	}
	return st, nil
}

// secretName tells files whose names promise secrets, whatever they hold.
func secretName(p string) bool {
	for _, dir := range strings.Split(path.Dir(strings.ToLower(p)), "/") {
		if slices.Contains([]string{".ssh", ".aws", ".gnupg", ".kube", ".docker", "secrets", ".secrets"}, dir) {
			return true
		}
	}
	name := strings.ToLower(path.Base(p))
	for _, glob := range []string{
		".env*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "id_rsa*", "id_dsa*", "id_ecdsa*",
		"id_ed25519*", ".netrc*", "_netrc*", ".npmrc*", ".pypirc*", ".htpasswd*", ".pgpass*", "*credential*", "secret.*", "secrets.*",
		"*password*", "*passwd*", "*api_key*", "*apikey*", "*token.md", "*tokens.md",
	} {
		if ok, err := path.Match(glob, name); ok && err == nil {
			return true
		}
	}
	return false
}
