package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
)

// terminal is an interactive program, and all that it has shown.
type terminal struct {
	cmd  *exec.Cmd
	line io.ReadWriteCloser

	mu    sync.Mutex
	shown []byte
	from  int           // where what has not been waited for begins
	news  chan struct{} // something was shown, or the program has gone
	gone  bool
}

func openTerminal(cmd *exec.Cmd) (*terminal, error) {
	line, err := startInTerminal(cmd)
	if err != nil {
		return nil, err
	}
	t := &terminal{cmd: cmd, line: line, news: make(chan struct{}, 1)}
	go t.watch()
	return t, nil
}

func (t *terminal) watch() {
	buf := make([]byte, 64<<10)
	for {
		n, err := t.line.Read(buf)
		t.take(buf[:n], err != nil)
		if err != nil {
			return
		}
	}
}

func (t *terminal) take(piece []byte, gone bool) {
	t.answer(piece)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shown = append(t.shown, piece...)
	t.gone = gone
	select {
	case t.news <- struct{}{}:
	default:
	}
}

// answer tells what programs ask a terminal before they draw: where the
// cursor is, and what it can do.
func (t *terminal) answer(piece []byte) {
	for question, reply := range map[string]string{"\x1b[6n": "\x1b[1;1R", "\x1b[c": "\x1b[?62;22c"} {
		for range bytes.Count(piece, []byte(question)) {
			fmt.Fprint(t.line, reply)
		}
	}
}

// wait returns when one of the texts was shown since the last wait, with the
// text. Blanks do not count, as programs move the cursor instead.
func (t *terminal) wait(limit time.Duration, texts ...string) (string, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		if text, ok := t.has(texts); ok {
			return text, nil
		}
		if t.hasGone() {
			return "", fmt.Errorf("the program ended before it showed %q", texts)
		}
		select {
		case <-t.news:
		case <-timer.C:
			return "", fmt.Errorf("%q did not show within %v", texts, limit)
		}
	}
}

func (t *terminal) hasGone() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.gone
}

func (t *terminal) has(texts []string) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	screen := plain(t.shown[t.from:])
	for _, text := range texts {
		if strings.Contains(screen, squeeze(text)) {
			t.from = len(t.shown)
			return text, true
		}
	}
	return "", false
}

// escapes are the sequences that steer a terminal.
func escapes() *regexp.Regexp {
	return regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]P_^][^\x07\x1b]*(?:\x07|\x1b\\\\)|[ -/]*[0-~])")
}

// plain is what a stream shows, without blanks.
func plain(stream []byte) string { return squeeze(string(escapes().ReplaceAll(stream, nil))) }

func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// press types keys.
func (t *terminal) press(keys string) error {
	_, err := io.WriteString(t.line, keys)
	return err
}

// enter types a prompt, waits until it stands in the input box, and sends it.
func (t *terminal) enter(prompt string) error {
	if err := t.press(prompt); err != nil {
		return err
	}
	if _, err := t.wait(patience, prompt); err != nil {
		return err
	}
	return t.press("\r")
}

func (t *terminal) close() {
	endGroup(t.cmd)
	_ = t.cmd.Wait()
	t.line.Close()
}

// save keeps what was shown, for a look at a failure.
func (t *terminal) save(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = os.WriteFile(path, t.shown, 0o600)
}
