//go:build unix

package taskagent

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// withGit puts a script in front of git. It runs before git does, and knows
// git's own path as $GIT.
func (p *place) withGit(script string) {
	p.t.Helper()
	git, err := exec.LookPath("git")
	must(p.t, err)
	dir := p.t.TempDir()
	must(p.t, os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"+script+"\nexec \"$GIT\" \"$@\"\n"), 0o755))
	p.env.Vars = append(p.env.Vars, "PATH="+dir+":"+os.Getenv("PATH"), "GIT="+git)
}

// TestKilledGit: a git that did not come to its end has answered nothing, so
// that nothing may be done upon it.
func TestKilledGit(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]string{"killed": "kill -KILL $$", "terminated": "kill -TERM $$", "died": "echo fatal: why >&2; exit 128"} {
		for _, verb := range []string{"symbolic-ref -q", "rev-parse -q", "rev-parse --is", "ls-files -s"} {
			t.Run(name+" "+verb, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, "touch \"$LATE\"")
				p.repository()
				late := filepath.Join(t.TempDir(), "late")
				p.withGit(`test -e "$LATE" && case "$*" in *"` + verb + `"*) ` + end + `;; esac`)
				p.env.Vars = append(p.env.Vars, "LATE="+late)
				if verb != "rev-parse --is" {
					before := p.tree()
					_, err := p.call(taskName, nil)
					if err == nil || !strings.Contains(err.Msg, "git "+strings.Fields(verb)[0]+": ") || err.Result == nil {
						t.Errorf("after the agent: observed %+v", err)
					}
					if after := p.tree(); after != before {
						t.Errorf("before:\n%s\nafter:\n%s", before, after)
					}
				}
				must(t, os.WriteFile(late, nil, 0o600))
				p.started = 0
				if _, err := p.call(taskName, nil); err == nil || !strings.Contains(err.Msg, "git "+strings.Fields(verb)[0]) || p.started != 0 {
					t.Errorf("before the agent: observed %+v", err)
				}
			})
		}
	}
}
