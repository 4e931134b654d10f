//go:build unix

package taskagent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatWouldSteerGitIsPutBack: hooks, configuration and attributes that an
// agent plants in the shared git directory are not there for the next git, and
// what was found is kept beside.
func TestWhatWouldSteerGitIsPutBack(t *testing.T) {
	t.Parallel()
	for name, linked := range map[string]bool{"in place": false, "in a linked worktree": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, `c=$(git rev-parse --git-common-dir); git config core.hooksPath /tmp/evil; git config filter.x.clean evil; mkdir -p $c/hooks; `+
				`printf '#!/bin/sh\ntouch %s\n' "$HOME/ran" >$c/hooks/pre-commit; chmod +x $c/hooks/pre-commit; echo '* filter=x' >$c/info/attributes; rm $c/info/exclude; chmod 600 $c/hooks/mine; `+
				submits(`{"verdict":"yes"}`))
			p.repository()
			common := filepath.Join(p.dir, ".git")
			p.write(".git/hooks/mine", "#!/bin/sh\n", 0o755)
			p.write(".git/info/exclude", "x.env\n", 0o644)
			if linked {
				at := filepath.Join(t.TempDir(), "linked")
				if out, err := runGit(p, "worktree", "add", "-q", "--detach", at); err != nil {
					t.Fatal(out)
				}
				p.env.Dir = at
			}
			config, err := os.ReadFile(filepath.Join(common, "config"))
			must(t, err)
			res, failed := p.call(decideName, map[string]any{"schema": "schemas/verdict.json"})
			if failed != nil {
				t.Fatal(failed)
			}
			if got := list(res["put_back"]); got != ".git/config .git/hooks/mine .git/hooks/pre-commit .git/info/attributes .git/info/exclude" {
				t.Errorf("put back: %s", got)
			}
			if now, err := os.ReadFile(filepath.Join(common, "config")); err != nil || string(now) != string(config) {
				t.Errorf("config: %q %v", now, err)
			}
			if now, err := os.ReadFile(filepath.Join(common, "config"+putAway)); err != nil || !strings.Contains(string(now), "evil") {
				t.Errorf("what was found: %q %v", now, err)
			}
			if info, err := os.Stat(filepath.Join(common, "hooks", "mine")); err != nil || info.Mode().Perm() != 0o755 {
				t.Errorf("hooks/mine: %v %v", info, err)
			}
			if now, err := os.ReadFile(filepath.Join(common, "info", "exclude")); err != nil || string(now) != "x.env\n" {
				t.Errorf("info/exclude: %q %v", now, err)
			}
			for _, gone := range []string{"hooks/pre-commit", "info/attributes"} {
				if _, err := os.Lstat(filepath.Join(common, filepath.FromSlash(gone))); err == nil {
					t.Errorf("%s is there", gone)
				}
			}
		})
	}
}

// TestAKilledGitIsNoAnswer: that git was killed does not mean that HEAD is
// detached.
func TestAKilledGitIsNoAnswer(t *testing.T) {
	t.Parallel()
	p := newPlace(t, submits(`{"verdict":"yes"}`))
	p.repository()
	bin := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in *symbolic-ref*) kill -9 $$ ;; esac\nPATH='" + os.Getenv("PATH") + "' exec git \"$@\"\n"
	must(t, os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
	p.env.Vars = append(p.env.Vars, "PATH="+bin+":"+os.Getenv("PATH"))
	if _, err := p.call(decideName, map[string]any{"schema": "schemas/verdict.json"}); err == nil || !strings.Contains(err.Msg, "signal") {
		t.Errorf("observed %+v", err)
	}
}
