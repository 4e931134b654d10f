package taskagent

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPutBack: whatever an agent does to files that are not the task's, and to
// the repository, all is as it was, byte for byte.
func TestPutBack(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ script, want string }{
		"nothing":          {":", ""},
		"tracked":          {"echo x >> run.sh", "run.sh"},
		"mode":             {"chmod 600 run.sh; chmod 777 a.txt", "a.txt run.sh"},
		"modified":         {"git checkout -q -- modified.txt", "modified.txt"},
		"untracked":        {"printf x > untracked.bin", "untracked.bin"},
		"line endings":     {"printf 'one\\ntwo\\n' > mixed.crlf", "mixed.crlf"},
		"deleted":          {"rm a.txt untracked.bin; rm -r dir", "a.txt dir/sub/deep.txt untracked.bin"},
		"created":          {"mkdir -p new/er; echo x > new/er/file; echo y > dir/y", "dir/y new/er/file"},
		"link":             {"ln -sf run.sh link", "link"},
		"link to file":     {"rm link; echo x > link", "link"},
		"file to link":     {"rm a.txt; ln -s /etc/passwd a.txt", "a.txt"},
		"file to dir":      {"rm a.txt; mkdir a.txt; echo x > a.txt/x", "a.txt a.txt/x"},
		"dir to file":      {"rm -r dir; echo x > dir", "dir dir/sub/deep.txt"},
		"dir to link":      {"mkdir \"$OUT\"; rm -r dir; ln -s \"$OUT\" dir", "dir dir/sub/deep.txt"},
		"hidden":           {"echo '*.new' >> .gitignore; echo x > x.new", ".gitignore x.new"},
		"clone":            {"git init -q sub; echo x > sub/x", "sub/"},
		"staged":           {"git add -A", ".git/index"},
		"staged new":       {"echo x > n; git add n", ".git/index n"},
		"unstaged":         {"git reset -q", ".git/ORIG_HEAD .git/index"},
		"refreshed":        {"touch a.txt; git status >/dev/null", ""},
		"committed":        {"git commit -qam mine", ".git/index .git/refs/heads/main"},
		"committed more":   {"echo x > n; git add -A; git commit -qm mine; git commit -q --allow-empty -m more", ".git/index .git/refs/heads/main n"},
		"amended":          {"git commit -q --amend -m other", ".git/refs/heads/main"},
		"detached":         {"git checkout -q --detach", ".git/HEAD"},
		"other branch":     {"git checkout -q -b other; git commit -qam mine", ".git/HEAD .git/index"},
		"reset":            {"git reset -q --hard HEAD~1", ".git/ORIG_HEAD .git/index .git/refs/heads/main a.txt modified.txt staged.txt"},
		"stashed":          {"git stash -q", ".git/ORIG_HEAD .git/index modified.txt staged.txt"},
		"merge begun":      {"git stash -q; git checkout -q -b side HEAD~1; echo s > a.txt; git commit -qam s; git merge -q main >/dev/null 2>&1; :", ""},
		"killed git":       {"touch .git/index.lock .git/HEAD.lock", ".git/HEAD.lock .git/index.lock"},
		"no directory":     {"rm -rf dir run.sh a.txt .gitignore", ".gitignore a.txt dir/sub/deep.txt run.sh"},
		"dir to inner":     {"mkdir other; echo o > other/deep.txt; rm -r dir/sub; ln -s ../other dir/sub", "dir/sub dir/sub/deep.txt other/deep.txt"},
		"outside and back": {"cp a.txt keep; rm a.txt; mv keep a.txt", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, tc.script+"\necho own > own.txt")
			p.env.Vars = append(p.env.Vars, "OUT="+filepath.Join(t.TempDir(), "out"))
			p.repository()
			before := p.tree()
			res, err := p.call(taskName, map[string]any{"files": []any{"own.txt"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := list(res["put_back"]); tc.want != "" && got != tc.want {
				t.Errorf("put back %s", got)
			}
			if list(res["files_changed"]) != "own.txt" {
				t.Errorf("changed %v", res["files_changed"])
			}
			must(t, os.Remove(filepath.Join(p.dir, "own.txt")))
			if after := p.tree(); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// TestPutBackInAnOperation: an agent that ends a merge finds it begun again.
func TestPutBackInAnOperation(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"aborted":   "git merge --abort",
		"committed": "echo r > a.txt; git commit -qam merged",
		"resolved":  "echo r > a.txt; git add a.txt",
		"quit":      "git merge --quit",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, script+"\necho resolved > a.txt")
			p.git("init", "-q", "-b", "main")
			p.write("a.txt", "base\n", 0o644)
			p.git("add", ".")
			p.git("commit", "-qm", "base")
			p.git("checkout", "-q", "-b", "side")
			p.write("a.txt", "side\n", 0o644)
			p.git("commit", "-qam", "side")
			p.git("checkout", "-q", "main")
			p.write("a.txt", "main\n", 0o644)
			p.git("commit", "-qam", "main")
			if _, err := runGit(p, "merge", "side"); err == nil {
				t.Fatal("there is no conflict")
			}
			want := p.git("ls-files", "-u") + p.git("rev-parse", "HEAD", "MERGE_HEAD")
			res, err := p.call(taskName, map[string]any{"files": []any{"a.txt"}})
			if err != nil || list(res["files_changed"]) != "a.txt" {
				t.Fatalf("observed %v, %v", res, err)
			}
			if got := p.git("ls-files", "-u") + p.git("rev-parse", "HEAD", "MERGE_HEAD"); got != want {
				t.Errorf("expected\n%s\nobserved\n%s", want, got)
			}
			if data, _ := os.ReadFile(filepath.Join(p.dir, "a.txt")); string(data) != "resolved\n" {
				t.Errorf("the task's file holds %q", data)
			}
		})
	}
}

// TestLinkedWorktree: its HEAD and index are its own.
func TestLinkedWorktree(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x >> a.txt; echo y >> run.sh; git commit -qam mine; git checkout -q -b other")
	p.repository()
	linked := filepath.Join(t.TempDir(), "linked")
	p.git("worktree", "add", "-q", "--detach", linked)
	before := p.tree()
	main := p.dir
	p.dir = linked
	head := p.git("rev-parse", "HEAD")
	res, err := p.call(taskName, map[string]any{"working_dir": linked, "files": []any{"a.txt"}})
	if err != nil || list(res["files_changed"]) != "a.txt" || list(res["put_back"]) != ".git/HEAD .git/index run.sh" {
		t.Fatalf("observed %v, %v", res, err)
	}
	if got := p.git("rev-parse", "HEAD") + p.git("status", "--porcelain"); got != head+" M a.txt\n" {
		t.Errorf("observed %s", got)
	}
	if out, err := runGit(p, "symbolic-ref", "HEAD"); err == nil {
		t.Errorf("HEAD names %s", out)
	}
	p.prog.Agents[0].Command[2] = "rm .git a.txt"
	if res, err = p.call(taskName, map[string]any{"working_dir": linked, "files": []any{}}); err != nil || list(res["put_back"]) != ".git a.txt" {
		t.Errorf("observed %v, %v", res, err)
	}
	p.dir = main
	if after := p.tree(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// TestBelowTheTop: in a directory of a repository, paths are relative to it,
// and what lies beside it is watched.
func TestBelowTheTop(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x > sub/deep.txt; echo x > ../a.txt; echo x > y.txt")
	p.repository()
	res, err := p.call(taskName, map[string]any{"working_dir": "dir"})
	if err != nil || list(res["files_changed"]) != "sub/deep.txt y.txt" || list(res["put_back"]) != "../a.txt" {
		t.Fatalf("observed %v, %v", res, err)
	}
	if data, _ := os.ReadFile(filepath.Join(p.dir, "a.txt")); string(data) != "a\nsecond\n" {
		t.Errorf("observed %q", data)
	}
}

// TestIgnoredFileOfTheTask: what git ignores is watched when the task names it.
func TestIgnoredFileOfTheTask(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x > x.ignored")
	p.repository()
	res, err := p.call(taskName, map[string]any{"files": []any{"x.ignored"}})
	if err != nil || list(res["files_changed"]) != "x.ignored" {
		t.Errorf("observed %v, %v", res, err)
	}
}

// TestIgnoredFilesThatShow: a file that was ignored is nobody's to remove,
// also when the task itself has git ignore it no more.
func TestIgnoredFilesThatShow(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo > .gitignore; echo x > new.txt; echo x > cache/new.txt")
	p.write("cache/kept.txt", "k\n", 0o644)
	p.repository()
	p.write(".gitignore", "*.ignored\ncache\n", 0o644)
	p.git("rm", "-q", "--cached", "cache/kept.txt")
	res, err := p.call(taskName, map[string]any{"files": []any{".gitignore"}})
	if err != nil || list(res["files_changed"]) != ".gitignore" || list(res["put_back"]) != "new.txt" {
		t.Errorf("observed %v, %v", res, err)
	}
	for _, name := range []string{"x.ignored", "cache/kept.txt"} {
		if _, err := os.Stat(filepath.Join(p.dir, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOutsideOfARepository: there all files are watched.
func TestOutsideOfARepository(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x > a; rm b/c; chmod 644 b/d; mkdir e; echo x > e/f; echo own > own")
	p.write("a", "a", 0o604)
	p.write("b/c", "c", 0o644)
	p.write("b/d", "d", 0o755)
	before := p.tree()
	res, err := p.call(taskName, map[string]any{"files": []any{"own"}})
	if err != nil || list(res["files_changed"]) != "own" || list(res["put_back"]) != "a b/c b/d e/f" {
		t.Fatalf("observed %v, %v", res, err)
	}
	must(t, os.Remove(filepath.Join(p.dir, "own")))
	if after := p.tree(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// TestAcceptingCommandChangesNoMore: the command that accepts is held to the
// same files, and sees the tree with the rest put back.
func TestAcceptingCommandChangesNoMore(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x > run.sh")
	p.repository()
	before := p.tree()
	res, err := p.call(taskName, map[string]any{"files": []any{}, "acceptance": map[string]any{"post_cmd": "grep bin run.sh && echo x > a.txt"}})
	if err != nil || list(res["put_back"]) != "a.txt run.sh" {
		t.Fatalf("observed %v, %v", res, err)
	}
	if after := p.tree(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// TestTemporaryFilesInTheTree: our own are no change of anybody.
func TestTemporaryFilesInTheTree(t *testing.T) {
	t.Parallel()
	for name, fill := range map[string]func(*place){"repository": (*place).repository, "none": func(p *place) { p.write("a.txt", "a", 0o644) }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, "echo x > a.txt; echo x > tmp/new; "+submits(`{"verdict":"yes"}`))
			fill(p)
			p.temp = filepath.Join(p.dir, "tmp")
			must(t, os.Mkdir(p.temp, 0o755))
			before := p.tree()
			res, err := p.call(decideName, map[string]any{"schema": "schemas/verdict.json"})
			if err != nil || list(res["put_back"]) != "a.txt tmp/new" {
				t.Fatalf("observed %v, %v", res, err)
			}
			must(t, os.MkdirAll(p.temp, 0o755))
			if after := p.tree(); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// TestRecordsInTheTree: what kitsoki writes down meanwhile stays.
func TestRecordsInTheTree(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x > state/trace; echo x > other")
	p.write("state/trace", "a\n", 0o600)
	r := Runner{Program: &p.prog, Temp: p.temp, Records: filepath.Join(p.dir, "state")}
	_, err := r.Call(t.Context(), decideName, map[string]any{"agent": "sh", "prompt": "x"}, p.env)
	if he := p.ended(err); he == nil || list(he.Result["put_back"]) != "other" {
		t.Errorf("observed %+v", he)
	}
	r.Records = filepath.Join(p.dir, "nowhere")
	if _, err := r.Call(t.Context(), decideName, map[string]any{"agent": "sh", "prompt": "x"}, p.env); p.ended(err).Msg != "did not submit" {
		t.Errorf("observed %v", err)
	}
}

// TestFailedAttemptIsPutBackToo: also when there is nothing to accept.
func TestFailedAttemptIsPutBackToo(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x > run.sh; exit 1")
	p.repository()
	before := p.tree()
	if _, err := p.call(taskName, map[string]any{"files": []any{"a.txt"}}); err == nil || list(err.Result["put_back"]) != "run.sh" {
		t.Errorf("observed %+v", err)
	}
	if after := p.tree(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestTooMuchOutsideOfARepository(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "echo x > a")
	for i := range maxFiles + 1 {
		must(t, os.WriteFile(filepath.Join(p.dir, "f"+strings.Repeat("x", i/1000)+string(rune('0'+i%10))+string(rune('a'+i/10%10))+string(rune('a'+i/100%10))), nil, 0o600))
	}
	if _, err := p.call(decideName, nil); err == nil || !strings.Contains(err.Msg, "more than 20000 files") || err.Result != nil {
		t.Errorf("observed %+v", err)
	}
}

func runGit(p *place, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = p.dir, p.env.Vars
	out, err := cmd.CombinedOutput()
	return string(out), err
}
