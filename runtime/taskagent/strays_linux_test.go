package taskagent

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestStrays: what left the agent's group is ended too, also when it does not
// want to, and another program is not.
func TestStrays(t *testing.T) {
	t.Parallel()
	for name, stray := range map[string]string{
		"asked":  `sleep 0.4; echo late > a.txt`,
		"forced": `trap "" TERM; sleep 0.4; echo late > a.txt; sleep 60`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, `STRAY='`+stray+`' setsid -f sh -c 'echo $$ > pid.txt; eval "$STRAY"' >/dev/null 2>&1 </dev/null
env -u KITSOKI_SUBMIT_FILE setsid -f sh -c 'echo $$ > other.txt; exec sleep 1' >/dev/null 2>&1 </dev/null
while ! test -s pid.txt || ! test -s other.txt; do sleep 0.01; done`)
			p.repository()
			res, err := p.call(taskName, nil)
			if err != nil || list(res["files_changed"]) != "other.txt pid.txt" {
				t.Fatalf("observed %v, %v", res, err)
			}
			mustDie(t, filepath.Join(p.dir, "pid.txt"))
			time.Sleep(500 * time.Millisecond)
			if data, _ := os.ReadFile(filepath.Join(p.dir, "a.txt")); string(data) != "a\nsecond\n" {
				t.Errorf("it wrote %q", data)
			}
			pid, _ := os.ReadFile(filepath.Join(p.dir, "other.txt"))
			if _, err := os.Stat("/proc/" + string(pid[:len(pid)-1])); err != nil {
				t.Errorf("another program: %v", err)
			}
		})
	}
}
