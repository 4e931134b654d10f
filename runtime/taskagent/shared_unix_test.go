//go:build unix

package taskagent

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// wiredUp is what a repository's working trees share: what git reads to know
// what to run and where to look, and the refs.
func wiredUp(p *place, main string) string {
	p.t.Helper()
	var out strings.Builder
	top := filepath.Join(main, ".git")
	must(p.t, filepath.WalkDir(top, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(top, at)
		first, _, _ := strings.Cut(rel, "/")
		last := filepath.Base(rel)
		switch {
		case first == "logs", first == asideDir, last == "logs", rel == "refs", first == "objects" && strings.Count(rel, "/") > 0 && !strings.HasPrefix(rel, "objects/info"):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() && rel != "hooks", first == "COMMIT_EDITMSG", last == "index", last == "ORIG_HEAD", last == "packed-refs", first == "objects" && !strings.HasPrefix(rel, "objects/info"):
			return nil
		}
		info, err := d.Info()
		must(p.t, err)
		to, _ := os.Readlink(at)
		var data []byte
		if info.Mode().IsRegular() {
			data, err = os.ReadFile(at)
		}
		fmt.Fprintf(&out, "%s %v %q %s\n", rel, info.Mode(), data, to)
		return err
	}))
	for line := range strings.Lines(p.git("for-each-ref")) {
		if !strings.Contains(line, keptRefs) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestSharedIsPutBack: what an agent plants in the repository is gone before
// any git of ours could run it, and its attempt has failed.
func TestSharedIsPutBack(t *testing.T) {
	t.Parallel()
	own := `"$MAIN/.git/worktrees/scratch"`
	for name, tc := range map[string]struct{ script, put string }{
		"config":               {`git config core.hooksPath "$SCRATCH/evil"; git config core.fsmonitor "touch $RAN"; git config alias.status '!touch $RAN'; git config filter.x.clean "touch $RAN"`, ".git/config"},
		"an included config":   {`git config --file "$MAIN/.git/more" core.fsmonitor "touch $RAN"`, ".git/more"},
		"shallow":              {`git rev-parse HEAD > "$MAIN/.git/shallow"`, ".git/shallow"},
		"config mode":          {`chmod 666 "$MAIN/.git/config"`, ".git/config"},
		"no config":            {`rm "$MAIN/.git/config"`, ".git/config"},
		"config is a pipe":     {`rm "$MAIN/.git/config"; mkfifo "$MAIN/.git/config"`, ".git/config"},
		"config is a link":     {`cp "$MAIN/.git/config" "$SCRATCH/run.sh"; ln -sf "$SCRATCH/run.sh" "$MAIN/.git/config"`, ".git/config run.sh"},
		"config is a dir":      {`rm "$MAIN/.git/config"; mkdir "$MAIN/.git/config"; touch "$MAIN/.git/config/x"`, ".git/config"},
		"worktree config":      {`printf '[core]\n\tfsmonitor = "touch $RAN"\n' > ` + own + `/config.worktree`, ".git/config.worktree"},
		"hook":                 {`for h in post-checkout post-commit post-index-change reference-transaction; do printf '#!/bin/sh\ntouch "%s"\n' "$RAN" > "$MAIN/.git/hooks/$h"; chmod +x "$MAIN/.git/hooks/$h"; done`, ".git/hooks/post-checkout .git/hooks/post-commit .git/hooks/post-index-change .git/hooks/reference-transaction"},
		"hook changed":         {`echo 'touch "$RAN"' >> "$MAIN/.git/hooks/pre-push"`, ".git/hooks/pre-push"},
		"hook switched on":     {`chmod 755 "$MAIN/.git/hooks/off"`, ".git/hooks/off"},
		"hook gone":            {`rm "$MAIN/.git/hooks/pre-push"`, ".git/hooks/pre-push"},
		"hooks gone":           {`rm -r "$MAIN/.git/hooks"`, ".git/hooks/off .git/hooks/pre-push"},
		"hooks a link":         {`mv "$MAIN/.git/hooks" "$SCRATCH.hooks"; ln -s "$SCRATCH.hooks" "$MAIN/.git/hooks"`, ".git/hooks .git/hooks/off .git/hooks/pre-push"},
		"hooks closed":         {`chmod 000 "$MAIN/.git/hooks"`, ".git/hooks"},
		"huge hook":            {`truncate -s 4T "$MAIN/.git/hooks/post-commit"`, ".git/hooks/post-commit"},
		"attributes":           {`mkdir -p "$MAIN/.git/info"; echo '* filter=x' > "$MAIN/.git/info/attributes"`, ".git/info/attributes"},
		"exclude":              {`echo '*' >> "$MAIN/.git/info/exclude"`, ".git/info/exclude"},
		"alternates":           {`echo /nowhere > "$MAIN/.git/objects/info/alternates"`, ".git/objects/info/alternates"},
		"common directory":     {`git init -q ../other; cd ../other; git config core.fsmonitor "touch $RAN"; echo "$PWD/.git" > ` + own + `/commondir`, ".git/commondir"},
		"a way from main":      {`git init -q --bare ../other; echo "$PWD/../other" > "$MAIN/.git/commondir"`, ".git/commondir"},
		"own directory":        {`rm -r ` + own, ".git/HEAD .git/ORIG_HEAD .git/commondir .git/gitdir .git/index .git/locked"},
		"worktree removed":     {`cd "$MAIN"; git worktree remove -f -f "$SCRATCH"`, ". .git .git/HEAD .git/ORIG_HEAD .git/commondir .git/gitdir .git/index .git/locked .gitattributes .gitignore a.txt dir/sub/deep.txt link mixed.crlf modified.txt run.sh staged.txt"},
		"HEAD a pipe":          {`rm "$MAIN/.git/HEAD" ` + own + `/HEAD; mkfifo "$MAIN/.git/HEAD" ` + own + `/HEAD`, ".git/HEAD"},
		"index a pipe":         {`rm ` + own + `/index; mkfifo ` + own + `/index`, ".git/index"},
		"endless":              {`ln -s /dev/zero ` + own + `/MERGE_HEAD; mkfifo ` + own + `/MERGE_MSG`, ".git/MERGE_HEAD .git/MERGE_MSG"},
		"a ref that is a pipe": {`rm "$MAIN/.git/refs/heads/side"; mkfifo "$MAIN/.git/refs/heads/side"`, ".git/refs/heads/side"},
		"no packed refs":       {`rm "$MAIN/.git/packed-refs"`, ".git/packed-refs"},
		"submodule config":     {`git --git-dir="$MAIN/.git/modules/hooks" config core.fsmonitor "touch $RAN"`, ".git/modules/hooks/config"},
		"submodule hook":       {`mkdir "$MAIN/.git/modules/hooks/hooks"; echo x > "$MAIN/.git/modules/hooks/hooks/post-commit"`, ".git/modules/hooks/hooks/post-commit"},
		"branch moved":         {`git branch -f side HEAD~1; git branch -f packed HEAD~1`, ".git/refs/heads/packed .git/refs/heads/side"},
		"branch gone":          {`git branch -q -D side packed`, ".git/refs/heads/packed .git/refs/heads/side"},
		"branch a link":        {`git symbolic-ref refs/heads/side refs/heads/main`, ".git/refs/heads/side"},
		"tag moved":            {`git tag -f v1 HEAD~1; git tag -d v2`, ".git/refs/tags/v1 .git/refs/tags/v2"},
		"tag like a branch":    {`git tag side HEAD~1`, ".git/refs/tags/side"},
		"replaced":             {`git replace HEAD HEAD~1`, ".git/refs/replace/"},
		"top ref":              {`git update-ref refs/side HEAD~1`, ".git/refs/side"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, tc.script)
			main := p.linked()
			ran := filepath.Join(t.TempDir(), "ran")
			p.env.Vars = append(p.env.Vars, "RAN="+ran)
			scratch := p.dir
			p.dir = main
			p.git("branch", "packed")
			p.git("tag", "v1")
			p.git("tag", "-a", "-m", "two", "v2")
			p.git("pack-refs", "--all")
			p.git("branch", "side")
			p.git("config", "include.path", "more")
			p.write(".git/more", "[user]\n\tname = more\n", 0o644)
			p.git("init", "-q", "--bare", "--template=", ".git/modules/hooks")
			p.write(".git/hooks/pre-push", "#!/bin/sh\nexit 0\n", 0o750)
			p.write(".git/hooks/off", "#!/bin/sh\ntouch \"$RAN\"\n", 0o644)
			entries, err := os.ReadDir(filepath.Join(main, ".git/hooks"))
			must(t, err)
			for _, e := range entries {
				if strings.HasSuffix(e.Name(), ".sample") {
					must(t, os.Remove(filepath.Join(main, ".git/hooks", e.Name())))
				}
			}
			before, tree := wiredUp(p, main), p.tree()
			begun := time.Now()
			_, he := p.call(taskName, map[string]any{"working_dir": scratch, "files": []any{}})
			if time.Since(begun) > 30*time.Second {
				t.Errorf("it took %v", time.Since(begun))
			}
			if he == nil || !strings.HasPrefix(he.Msg, "changed what is not the task's: ") && !strings.Contains(he.Msg, "; changed what is not the task's: ") {
				t.Fatalf("observed %+v", he)
			}
			if got := list(he.Result["put_back"]); got != tc.put && (tc.put != ".git/refs/replace/" || !strings.HasPrefix(got, tc.put)) {
				t.Errorf("put back %s\n%v", got, he)
			}
			if after := wiredUp(p, main); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
			if after := p.tree(); after != tree {
				t.Errorf("before:\n%s\nafter:\n%s", tree, after)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("what it planted was run")
			}
			p.prog.Agents[0].Command[2] = ":"
			if res, he := p.call(taskName, map[string]any{"working_dir": scratch, "files": []any{}}); he != nil || list(res["put_back"]) != "" {
				t.Errorf("afterwards: observed %v, %v", res, he)
			}
		})
	}
}

// TestChangedMeanwhile: what the person may have done at the same time is left
// as it is, and named; nothing that was thrown away is lost.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ script, named string }{
		"nothing":            {`:`, ""},
		"files":              {`cd "$MAIN"; echo mine > a.txt; echo n > dir/new.txt; rm untracked.bin; chmod 755 staged.txt; echo i > y.ignored`, "a.txt dir/new.txt staged.txt untracked.bin"},
		"staged":             {`cd "$MAIN"; git add untracked.bin`, ".git/index"},
		"committed":          {`cd "$MAIN"; git commit -qm mine`, ".git/HEAD .git/refs/heads/main"},
		"branch that is out": {`git update-ref refs/heads/main HEAD~1`, ".git/HEAD .git/refs/heads/main"},
		"checked out":        {`cd "$MAIN"; git stash -q; git stash pop -q --index; git checkout -q -b mine`, ".git/HEAD .git/refs/heads/mine"},
		"stashed":            {`cd "$MAIN"; git stash -q`, ".git/index .git/refs/stash modified.txt staged.txt"},
		"stash dropped":      {`git stash drop -q "stash@{1}"`, ".git/refs/stash (what was dropped is kept as refs/kitsoki/put-back/*)"},
		"upstream set":       {`git config branch.main.remote origin; git config branch.main.merge refs/heads/main`, ".git/config"},
		"fetched":            {`git update-ref refs/remotes/origin/main HEAD~1; git tag v9`, ".git/refs/remotes/origin/main .git/refs/tags/v9"},
		"new tree":           {`git worktree add -q -b mine "$SCRATCH.other"`, ".git/refs/heads/mine .git/worktrees/scratch.other $SCRATCH.other"},
		"locks":              {`touch "$MAIN/.git/config.lock" "$MAIN/.git/refs/heads/main.lock"`, ".git/config.lock .git/refs/heads/main.lock"},
		"submodule":          {`git init -q --bare "$MAIN/.git/modules/a/b"`, ".git/modules/a/b"},
		"in an operation":    {`cd "$MAIN"; git stash -q; git checkout -q -b s HEAD~1; echo s > a.txt; git commit -qam s; git merge main >/dev/null`, ".git/HEAD .git/MERGE_HEAD .git/MERGE_MSG .git/index .git/refs/heads/s .git/refs/stash a.txt modified.txt staged.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, "{ "+tc.script+"\n} >&2; cd \"$SCRATCH\"; echo own >> a.txt; test -z \"$AFTER\" || exec \"$AFTER\"")
			main := p.linked()
			scratch := p.dir
			p.dir = main
			for _, text := range []string{"first", "second"} {
				p.write("untracked.bin", text, 0o644)
				p.git("stash", "-q", "-u")
				p.git("stash", "apply", "-q", "--index")
			}
			dropped := strings.TrimSpace(p.git("rev-parse", "stash@{1}"))
			state := filepath.Join(t.TempDir(), "state")
			after := filepath.Join(t.TempDir(), "after")
			must(t, os.WriteFile(after, []byte("#!/bin/sh\ncd \"$MAIN\"; { git status --porcelain; git ls-files -s; git for-each-ref; git stash list; cat a.txt; } > \""+state+"\"\n"), 0o700))
			p.env.Vars = append(p.env.Vars, "AFTER="+after)
			res, he := p.call(taskName, map[string]any{"working_dir": scratch, "files": []any{"a.txt"}})
			if he != nil || list(res["put_back"]) != "" || list(res["files_changed"]) != "a.txt" || res["set_aside"] != "" {
				t.Fatalf("observed %v, %v", res, he)
			}
			named, _ := res["changed_meanwhile"].([]any)
			if got := list(named); got != strings.ReplaceAll(tc.named, "$SCRATCH", scratch) {
				t.Errorf("changed meanwhile: %s", got)
			}
			want, err := os.ReadFile(state)
			must(t, err)
			a, _ := os.ReadFile(filepath.Join(main, "a.txt"))
			got := p.git("status", "--porcelain") + p.git("ls-files", "-s")
			for line := range strings.Lines(p.git("for-each-ref")) {
				if !strings.Contains(line, keptRefs) {
					got += line
				}
			}
			if got += p.git("stash", "list") + string(a); got != string(want) {
				t.Errorf("the agent left:\n%s\nobserved:\n%s", want, got)
			}
			if name == "stash dropped" && !strings.Contains(p.git("for-each-ref", keptRefs), dropped) {
				t.Error("the stashed commit is lost")
			}
		})
	}
}

// TestSetAside: what the person may have written at the same time where
// something is put back is still to be had.
func TestSetAside(t *testing.T) {
	t.Parallel()
	p := newPlace(t, `git config mine.key value; echo mine > "$MAIN/.git/hooks/mine"; git branch -f side HEAD~1`)
	main := p.linked()
	scratch := p.dir
	p.dir = main
	p.git("branch", "side")
	_, he := p.call(taskName, map[string]any{"working_dir": scratch})
	if he == nil {
		t.Fatal("it was accepted")
	}
	aside, ok := he.Result["set_aside"].(string)
	if !ok || aside == "" {
		t.Fatalf("observed %v", he.Result)
	}
	var all strings.Builder
	must(t, filepath.WalkDir(aside, func(at string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, _ := os.ReadFile(at)
			fmt.Fprintf(&all, "%s\n%s\n", at, data)
		}
		return err
	}))
	for _, want := range []string{"/config\n", "key = value", "/hooks/mine\nmine"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q is not kept in\n%s", want, all.String())
		}
	}
	if commit := strings.TrimSpace(p.git("rev-parse", "main~1")); strings.TrimSpace(p.git("rev-parse", keptRefs+commit)) != commit {
		t.Error("the commit is not kept")
	}
}
