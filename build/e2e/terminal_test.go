package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// lineOf is a terminal's end that keeps what is typed.
type lineOf struct{ bytes.Buffer }

func (*lineOf) Close() error { return nil }

func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\x1b[1mb\x1b[0m c":                "abc",
		"\x1b]0;title\x07x":                 "x",
		"\x1b]8;;http://x\x1b\\y":           "y",
		"\x1b[?2004h\x1b[>4;0m\x1b7\x1b(Bz": "z",
		"A\x1b[5Cmark\r\nwas left.":         "Amarkwasleft.",
	} {
		if got := plain([]byte(in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestTerminalWaits(t *testing.T) {
	t.Parallel()
	line := &lineOf{}
	term := &terminal{line: line, news: make(chan struct{}, 1)}
	go term.take([]byte("a mark\x1b[6n was \x1b[1mleft"), false)
	if got, err := term.wait(time.Minute, "never", "a mark was left"); err != nil || got != "a mark was left" {
		t.Errorf("got %q, %v", got, err)
	}
	if line.String() != "\x1b[1;1R" {
		t.Errorf("the program is told %q", line.String())
	}
	if _, err := term.wait(time.Millisecond, "a mark"); err == nil {
		t.Error("what was waited for shows twice")
	}
	term.take(nil, true)
	if _, err := term.wait(time.Minute, "more"); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("a program that has gone: %v", err)
	}
}

func TestScenariosAreNamed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range scenarios() {
		if seen[s.short] || s.short == "" || s.name == "" {
			t.Errorf("scenario %q, %q", s.short, s.name)
		}
		seen[s.short] = true
	}
}
