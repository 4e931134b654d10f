package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ownGroup does nothing: without a job object only the process itself can
// be ended, which is why a drive is refused on Windows.
func ownGroup(*exec.Cmd) {}

func (ch *child) terminate() { _ = ch.cmd.Process.Kill() }

func (ch *child) kill() { _ = ch.cmd.Process.Kill() }

// signalled is never: Windows has exit codes only.
func signalled(*os.ProcessState) (int, string) { return 0, "" }

// executable finds path as it stands or with an ending of PATHEXT.
func executable(path string, env []string) (string, bool) {
	if filepath.Ext(path) != "" && isFile(path) {
		return path, true
	}
	endings := variable(env, "PATHEXT")
	if endings == "" {
		endings = ".COM;.EXE;.BAT;.CMD"
	}
	for _, end := range strings.Split(endings, ";") {
		if end != "" && isFile(path+end) {
			return path + end, true
		}
	}
	return "", false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func sameKey(a, b string) bool { return strings.EqualFold(a, b) }
