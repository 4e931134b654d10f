package proc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// Converse runs a command that speaks in lines, such as our own executable
// as a child. Each line of its standard output, without its end, goes to
// line, one after the other, in the caller's goroutine; a positive result
// sets the time limit anew, counted from then. Cmd.Limit bounds all it may
// say; more ends it, with Cancelled and Cut. The result holds no Stdout.
func Converse(ctx context.Context, c Cmd, line func([]byte) (extend time.Duration)) Result {
	t := newTalk(c.limit(), line)
	errs := newCapture(c.limit())
	ch, err := start(ctx, c, t, errs)
	if err != nil {
		return Result{Err: err, ExitCode: -1}
	}
	end := ch.watch(ctx, c.Timeout, t)
	r := ch.result(end)
	r.Stderr = errs.bytes()
	r.Cut = errs.cut() || t.isFlooded()
	return r
}

// talk cuts a stream into lines and hands them over. A nil talk has nothing
// to say.
type talk struct {
	line  func([]byte) time.Duration
	lines chan []byte
	quit  chan struct{} // closed when nobody listens any more
	flood chan struct{} // closed when it said too much
	once  sync.Once
	left  int
	rest  []byte
}

func newTalk(limit int, line func([]byte) time.Duration) *talk {
	return &talk{line: line, lines: make(chan []byte), quit: make(chan struct{}), flood: make(chan struct{}), left: limit}
}

var (
	errFlood = errors.New("the child said too much")
	errQuit  = errors.New("nobody listens")
)

// Write takes the next piece of the stream.
func (t *talk) Write(p []byte) (int, error) {
	if t.left -= len(p); t.left < 0 {
		close(t.flood)
		return 0, errFlood
	}
	t.rest = append(t.rest, p...)
	for {
		line, rest, found := bytes.Cut(t.rest, []byte("\n"))
		if !found {
			return len(p), nil
		}
		t.rest = rest
		if !t.hand(line) {
			return 0, errQuit
		}
	}
}

// Close hands over a last line that has no end.
func (t *talk) Close() error {
	if len(t.rest) > 0 && t.left >= 0 {
		t.hand(t.rest)
	}
	return nil
}

func (t *talk) hand(line []byte) bool {
	select {
	case t.lines <- bytes.Clone(bytes.TrimSuffix(line, []byte("\r"))):
		return true
	case <-t.quit:
		return false
	}
}

func (t *talk) incoming() <-chan []byte {
	if t == nil {
		return nil
	}
	return t.lines
}

func (t *talk) flooded() <-chan struct{} {
	if t == nil {
		return nil
	}
	return t.flood
}

func (t *talk) isFlooded() bool {
	select {
	case <-t.flood:
		return true
	default:
		return false
	}
}

// stop makes the stream's reader drop what still comes.
func (t *talk) stop() {
	if t != nil {
		t.once.Do(func() { close(t.quit) })
	}
}

// drain hands lines on until the streams have ended, d at most.
func (t *talk) drain(drained <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case line := <-t.incoming():
			t.line(line)
		case <-drained:
			return true
		case <-timer.C:
			return false
		}
	}
}

var _ io.WriteCloser = (*talk)(nil)
