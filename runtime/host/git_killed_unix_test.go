//go:build unix

package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"kitsoki/runtime/proc"
)

// TestPublishKilled kills git at some moment of publishing, again and again:
// the branch has come to its new commit with all its files, or it is as it was
// before.
func TestPublishKilled(t *testing.T) {
	t.Parallel()
	r, args := wide(t)
	begun := time.Now()
	r.do("publish", args)
	takes := time.Since(begun) // longer than git alone takes
	r.git("reset", "-q", "--hard", args["from"].(string))
	r.do("discard", nil)
	const kills = 16
	ends := map[bool]int{}
	for i := range kills {
		delay := takes * time.Duration(i) / kills
		env := Env{Dir: r.dir, Vars: r.env, Drive: true, Session: "01TEST"}
		env.Started = func(p proc.Process) error {
			time.AfterFunc(delay, func() { _ = syscall.Kill(p.PID, syscall.SIGKILL) })
			return nil
		}
		all := map[string]any{"op": "publish"}
		for k, v := range args {
			all[k] = v
		}
		_, _ = Local{}.Call(context.Background(), gitName, all, env)
		got := r.do("unpublish", args)
		r.same("kept", got["kept"], []any{})
		r.same("status", r.git("status", "--porcelain"), "")
		want := args["from"]
		if got["published"] == true {
			want = args["to"]
		}
		r.same("HEAD", r.head("HEAD"), want)
		r.same("mine", r.read("secret.env"), "s")
		ends[got["published"] == true]++
		r.git("reset", "-q", "--hard", args["from"].(string))
		r.do("discard", nil)
	}
	t.Logf("it takes %s: %d publishings complete, %d taken back", takes, ends[true], ends[false])
}

// wide has a commit to publish that changes, adds and deletes many files.
func wide(t *testing.T) (r *repoAt, args map[string]any) {
	r = newRepo(t)
	r.write(".gitignore", "*.env\n")
	const files = 600
	for i := range files {
		r.write(fmt.Sprintf("d%d/f%d.txt", i%20, i), fmt.Sprintf("one %d\n", i))
	}
	r.commit("last.txt", "one\n")
	from := r.head("HEAD")
	for i := range files {
		name := fmt.Sprintf("d%d/f%d.txt", i%20, i)
		switch i % 3 {
		case 0:
			r.write(name, fmt.Sprintf("two %d\n%s", i, make([]byte, 3000)))
		case 1:
			if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
				t.Fatal(err)
			}
		case 2:
			r.write(fmt.Sprintf("new%d/f.txt", i), "new\n")
		}
	}
	r.commit("last.txt", "two\n")
	args = map[string]any{"name": "main", "from": from, "to": r.head("HEAD")}
	r.git("reset", "-q", "--hard", from)
	r.write("secret.env", "s")
	if err := os.MkdirAll(filepath.Dir(r.place()), 0o700); err != nil {
		t.Fatal(err)
	}
	return r, args
}
