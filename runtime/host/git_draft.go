package host

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a drafted message: a subject of up to 72 characters is shown
// whole by every tool, and nobody reads more than a screen or two of files.
const (
	maxSubject = 72
	maxListed  = 100
)

func emptyDraft() map[string]any {
	return map[string]any{"message": "", "files": []any{}}
}

// fillDraft makes a commit message from nothing but what the commit would
// change: what is staged, every change of a tracked file, or the untracked
// files too.
func fillDraft(r repo, q question, out map[string]any) error {
	list, err := r.changes(q.include)
	if err != nil || len(list) == 0 {
		return err
	}
	var files []string
	for _, c := range list {
		files = append(files, c.path)
	}
	subject := subjectOf(list)
	out["files"] = Anys(files)
	out["message"] = subject + "\n\n" + listing(list)
	return nil
}

// change is one changed path. Kind is git's letter; from is the old path of
// a rename.
type change struct {
	kind       byte
	from, path string
}

func (r repo) changes(include string) ([]change, error) {
	args := []string{"diff", "--name-status", "-z", "-M", "--no-ext-diff", "--no-textconv", "--no-relative"}
	head, err := r.ask("rev-parse", "-q", "--verify", "HEAD")
	if err != nil {
		return nil, err
	}
	switch include {
	case "staged":
		args = append(args, "--cached", "--")
	case "tracked", "all":
		against := "HEAD"
		if head == "" {
			against = "--cached"
		}
		args = append(args, against, "--")
	default:
		return nil, failf(gitName, "include is staged, tracked or all, and %q is none of them", include)
	}
	raw, err := r.must(args...)
	if err != nil || include != "all" {
		return readChanges(raw), err
	}
	untracked, err := r.must("status", "--porcelain=v2", "-z", "--untracked-files=all")
	list := readChanges(raw)
	for _, p := range readStatus(untracked).untracked {
		list = append(list, change{kind: 'A', path: p})
	}
	return list, err
}

func readChanges(raw string) []change {
	var out []change
	f := Records(raw)
	for i := 0; i+1 < len(f); i += 2 {
		c := change{kind: f[i][0], path: f[i+1]}
		if (c.kind == 'R' || c.kind == 'C') && i+2 < len(f) {
			c.from, c.path = f[i+1], f[i+2]
			i++
		}
		out = append(out, c)
	}
	return out
}

// subjectOf names up to three files, else their number and where they lie.
func subjectOf(list []change) string {
	verb := commonVerb(list)
	if len(list) == 1 && list[0].kind == 'R' {
		return fitting("Rename "+shown(list[0].from)+" to "+shown(list[0].path), verb+" "+shown(path.Base(list[0].path)))
	}
	var names, bases []string
	for _, c := range list {
		names, bases = append(names, shown(c.path)), append(bases, shown(path.Base(c.path)))
	}
	count := fmt.Sprintf("%s %d files%s", verb, len(list), within(list))
	switch {
	case len(list) == 1:
		return fitting(verb+" "+names[0], verb+" "+bases[0])
	case len(list) <= 3:
		return fitting(verb+" "+enumerate(bases), count)
	}
	return fitting(count, fmt.Sprintf("%s %d files", verb, len(list)))
}

// fitting is the first text when it is short enough, else the second, cut.
func fitting(long, short string) string {
	if utf8.RuneCountInString(long) <= maxSubject {
		return long
	}
	if r := []rune(short); len(r) > maxSubject {
		return string(r[:maxSubject-1]) + "…"
	}
	return short
}

func commonVerb(list []change) string {
	for _, c := range list[1:] {
		if c.kind != list[0].kind {
			return "Change"
		}
	}
	switch list[0].kind {
	case 'A', 'C':
		return "Add"
	case 'D':
		return "Delete"
	case 'M':
		return "Update"
	case 'R':
		return "Rename"
	}
	return "Change"
}

func enumerate(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// within names the directory that holds all of the files, when there is one
// below the top.
func within(list []change) string {
	dir := path.Dir(list[0].path)
	for _, c := range list[1:] {
		for dir != "." && !strings.HasPrefix(c.path, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	if dir == "." {
		return ""
	}
	return " in " + shown(dir)
}

func listing(list []change) string {
	var out []string
	for i, c := range list {
		if i == maxListed {
			out = append(out, fmt.Sprintf("- and %d more", len(list)-i))
			break
		}
		out = append(out, "- "+c.line())
	}
	return strings.Join(out, "\n")
}

func (c change) line() string {
	switch c.kind {
	case 'A', 'C':
		return "added " + shown(c.path)
	case 'D':
		return "deleted " + shown(c.path)
	case 'R':
		return "renamed " + shown(c.from) + " to " + shown(c.path)
	}
	return "changed " + shown(c.path)
}

// shown is a path in a message: quoted when it holds what is no text.
func shown(p string) string {
	if !utf8.ValidString(p) || strings.ContainsFunc(p, unicode.IsControl) {
		return strconv.Quote(p)
	}
	return p
}
