//go:build unix

package taskagent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// linked is a working tree apart of a place's repository, which becomes the
// place's directory; the person's tree is the result.
func (p *place) linked() (main string) {
	p.t.Helper()
	p.repository()
	dir, err := filepath.EvalSymlinks(p.t.TempDir())
	must(p.t, err)
	scratch := filepath.Join(dir, "scratch")
	p.git("worktree", "add", "-q", "--detach", "--lock", scratch)
	p.env.Vars = append(p.env.Vars, "MAIN="+p.dir, "SCRATCH="+scratch)
	main, p.dir = p.dir, scratch
	return main
}

// TestNoWayOut: however an agent leaves the tree, putting it back ends soon,
// and touches nothing elsewhere.
func TestNoWayOut(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ script, put, fails string }{
		"replaced by a link":       {`mv "$SCRATCH" "$SCRATCH.old"; ln -s "$MAIN" "$SCRATCH"`, ". .git .gitattributes .gitignore a.txt dir/sub/deep.txt link mixed.crlf modified.txt run.sh staged.txt", ""},
		"replaced by a file":       {`cd ..; rm -rf "$SCRATCH"; echo x > "$SCRATCH"`, ". .git .gitattributes .gitignore a.txt dir/sub/deep.txt link mixed.crlf modified.txt run.sh staged.txt", ""},
		"deleted":                  {`cd ..; rm -rf "$SCRATCH"`, ". .git .gitattributes .gitignore a.txt dir/sub/deep.txt link mixed.crlf modified.txt run.sh staged.txt", ""},
		"above it a link":          {`d=$(dirname "$SCRATCH"); mv "$d" "$d.old"; ln -s "$d.old" "$d"`, "", "is no directory any more"},
		"git leads elsewhere":      {`echo "gitdir: $MAIN/.git" > .git`, ".git", ""},
		"git is a link":            {`rm .git; ln -s "$MAIN/.git" .git`, ".git", ""},
		"git is another":           {`rm .git; git init -q .; git add .; git commit -qm x`, ".git", ""},
		"closed":                   {`chmod 000 dir/sub dir; chmod 755 .`, "dir dir/sub", ""},
		"fifo for a file":          {`rm a.txt; mkfifo a.txt`, "a.txt", ""},
		"new and closed":           {`mkdir -p n2/x; echo x > n2/x/f; chmod 000 n2/x n2`, "n2/x/f", ""},
		"hides what it plants":     {`echo '*' >.gitignore; echo '* merge=union' >.gitattributes; mkdir n; echo '*' >n/.gitignore; echo x >n/x`, ".gitattributes .gitignore n/.gitignore n/x", ""},
		"fifo":                     {`mkfifo dir/new`, "", ""},
		"fifo that git reads":      {`mkdir n; mkfifo n/.gitignore n/.gitattributes; rm .gitignore; mkfifo .gitignore`, ".gitignore n/.gitattributes n/.gitignore", ""},
		"a file of many gigabytes": {`truncate -s 4T huge; rm a.txt; truncate -s 4T a.txt`, "a.txt huge", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, tc.script)
			main := p.linked()
			scratch := p.dir
			kept := []string{p.tree()}
			p.dir = main
			kept = append(kept, p.tree())
			p.dir = scratch
			begun := time.Now()
			res, err := p.call(taskName, map[string]any{"working_dir": scratch, "files": []any{}})
			if time.Since(begun) > 30*time.Second {
				t.Errorf("it took %v", time.Since(begun))
			}
			if tc.fails != "" {
				if err == nil || !strings.Contains(err.Msg, tc.fails) {
					t.Fatalf("observed %v, %+v", res, err)
				}
				must(t, os.Remove(filepath.Dir(scratch)))
				must(t, os.Rename(filepath.Dir(scratch)+".old", filepath.Dir(scratch)))
			} else if strings.HasPrefix(tc.put, ". ") {
				if err == nil || err.Msg != "its working directory was taken away, with the files that it was to change" || list(err.Result["put_back"]) != tc.put {
					t.Errorf("observed %v, %+v", res, err)
				}
			} else if err != nil || list(res["put_back"]) != tc.put {
				t.Errorf("observed %v, %+v", res, err)
			}
			for i, dir := range []string{scratch, main} {
				_ = os.Remove(filepath.Join(dir, "dir/new"))
				_ = os.Remove(filepath.Join(dir, "n"))
				if p.dir = dir; p.tree() != kept[i] {
					t.Errorf("%s: before:\n%s\nafter:\n%s", dir, kept[i], p.tree())
				}
			}
		})
	}
}
