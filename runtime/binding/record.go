package binding

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kitsoki/runtime/artifact"
	"kitsoki/runtime/journal"
	"kitsoki/runtime/match"
)

// maxRecord bounds a record, in bytes.
const maxRecord = 4 << 20

// Record is what a binding came to, and what that was made from.
type Record struct {
	Root   string   // of the working tree; "" outside a repository
	Common string   // the git directory its worktrees share
	Files  []Digest // configuration, and what was said of trust
	Stamps []Stamp  // all else: the story, the program

	Reason match.Reason // why the binding is inert
	Detail string

	TraceOff  bool
	TracePath string // "": the state directory's

	Artifact string
	Tool     string // that compiled it
	Sources  string // digest of what it was compiled from, in hex
	Room     string
	Intents  []uint32 // allowed under the binding's world, ascending
	Bar      float64
	Escape   string

	Prompts bool // prompts that pass are given what is known, or kept
	Stops   bool // ends of turns are kept, or looked at
}

// Digest is a file and the SHA-256 of its bytes in hex, "" when there is
// none.
type Digest struct {
	Path string
	Sum  string
}

// DigestOf digests a file. A file that is there and cannot be read is an
// error.
func DigestOf(path string) (Digest, error) {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !Exists(path):
		return Digest{Path: path}, nil
	case err != nil:
		return Digest{}, err
	}
	return Digest{path, journal.Sum(data)}, nil
}

// SourcesOf is the digest, in hex, of what an artifact was compiled from.
func SourcesOf(f *artifact.File) string {
	sum := artifact.SourceDigest(f.Sources())
	return hex.EncodeToString(sum[:])
}

// Stamp is a file or a directory as the file system describes it: its size
// in bytes and when it changed last, in nanoseconds since 1970. Both are 0
// when there is none.
type Stamp struct {
	Path string
	Size int64
	Time int64
}

// StampOf stamps what stands at a path.
func StampOf(path string) Stamp {
	st, err := os.Stat(path)
	if err != nil {
		return Stamp{Path: path}
	}
	return Stamp{path, st.Size(), st.ModTime().UnixNano()}
}

// PathOf is where the record of a place is kept: one a place, repository and
// directory of data, "" without a home.
func PathOf(p Place, repo journal.Repo, env func(string) string) string {
	cache, err := CacheDir(env)
	if err != nil {
		return ""
	}
	data, _ := DataDir(env) // none is a place as well
	name := journal.Digest(p.User, p.Repository, p.Local, repo.Top(), repo.Common, data)
	return filepath.Join(cache, "bindings", name+".json")
}

// Read gives the record at a path when it is of this version, of this
// repository, and everything it was made from is as it was.
func Read(path string, repo journal.Repo) (*Record, bool) {
	st, err := os.Stat(path)
	if err != nil || st.Size() > maxRecord {
		return nil, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	r, ok := decode(string(data))
	if !ok || r.Root != repo.Root || r.Common != repo.Common {
		return nil, false
	}
	return r, r.fresh()
}

func (r *Record) fresh() bool {
	for _, want := range r.Files {
		if have, err := DigestOf(want.Path); err != nil || have != want {
			return false
		}
	}
	for _, want := range r.Stamps {
		if StampOf(want.Path) != want {
			return false
		}
	}
	return true
}

// Write keeps a record; one that stands there already is left alone.
func (r *Record) Write(path string) error {
	data := r.encode()
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := journal.Replace(path, data); err != nil {
		return fmt.Errorf("keeping the binding's record: %w", err)
	}
	return nil
}
