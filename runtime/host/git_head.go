package host

import "strings"

func emptyHead() map[string]any {
	return map[string]any{"head": "", "parent": "", "parents": 0, "subject": "", "published": false, "reachable": true}
}

// fillHead tells about the last commit. In a shallow clone a commit at its
// edge has no parent here.
func fillHead(r repo, _ question, out map[string]any) error {
	line, err := r.ask("rev-list", "--parents", "--max-count=1", "HEAD")
	if err != nil || line == "" {
		return err
	}
	ids := strings.Fields(line)
	out["head"], out["parents"] = ids[0], len(ids)-1
	if len(ids) > 1 {
		out["parent"] = ids[1]
	}
	if out["subject"], err = r.ask("log", "--max-count=1", "--no-show-signature", "--format=%s", "HEAD"); err != nil {
		return err
	}
	if out["published"], err = r.contained("refs/remotes"); err != nil {
		return err
	}
	out["reachable"], err = r.contained("refs/heads", "refs/remotes", "refs/tags")
	return err
}

// contained tells whether a ref under one of the prefixes has the last commit.
func (r repo) contained(prefixes ...string) (bool, error) {
	out, err := r.must(append([]string{"for-each-ref", "--contains=HEAD", "--count=1", "--format=%(refname)"}, prefixes...)...)
	return out != "", err
}

func emptyIdentity() map[string]any { return map[string]any{"identity": false} }

// fillIdentity asks git whether it knows whom to name in a commit: it judges
// by all of its configuration, the environment and the machine.
func fillIdentity(r repo, _ question, out map[string]any) error {
	for _, name := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		res, err := r.run("var", name)
		if err != nil || res.ExitCode != 0 {
			return err
		}
	}
	out["identity"] = true
	return nil
}
