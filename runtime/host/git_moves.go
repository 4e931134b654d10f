package host

import "strings"

// move is a branch that goes from one commit to another.
type move struct{ name, from, to string }

// moveOf reads the arguments. Both commits are given, in full or not.
func (r repo) moveOf(args map[string]any) (move, error) {
	var m move
	for key, at := range map[string]*string{"name": &m.name, "from": &m.from, "to": &m.to} {
		v, err := str(args, key)
		if err == nil && v == "" {
			err = failf(gitName, "argument %s: it is missing", key)
		}
		if err != nil {
			return m, failf(gitName, "%v", err)
		}
		*at = v
	}
	valid, err := r.validBranch(m.name)
	if err != nil {
		return m, err
	}
	if !valid {
		return m, failf(gitName, "%q is no branch", m.name)
	}
	if m.from, err = r.commitOf(m.from); err != nil {
		return m, err
	}
	m.to, err = r.commitOf(m.to)
	return m, err
}

func (m move) ref() string { return "refs/heads/" + m.name }

// entry is one path in which two trees differ: what each has there. A mode of
// zeros says that it has nothing.
type entry struct {
	path             string
	fromMode, toMode string
	fromID, toID     string
}

const noMode = "000000"

func (e entry) added() bool   { return e.fromMode == noMode }
func (e entry) deleted() bool { return e.toMode == noMode }

// between lists the paths in which the commits of a move differ; see
// "Raw Output Format" in git-diff-tree(1).
func (r repo) between(m move) ([]entry, error) {
	raw, err := r.must("diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", "--raw", m.from, m.to)
	if err != nil {
		return nil, err
	}
	var out []entry
	fields := Records(raw)
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(f) != 5 {
			return nil, failf(gitName, "git diff-tree says %q", fields[i])
		}
		out = append(out, entry{path: fields[i+1], fromMode: f[0], toMode: f[1], fromID: f[2], toID: f[3]})
	}
	return out, nil
}

func short(commit string) string { return commit[:min(7, len(commit))] }

// some names the first of many.
func some(paths []string) string {
	const most = 5
	if len(paths) > most {
		return strings.Join(paths[:most], ", ") + " and more"
	}
	return strings.Join(paths, ", ")
}
