package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"sync"
	"time"
)

// child is a started process with the pipes we read.
type child struct {
	cmd     *exec.Cmd
	grace   time.Duration
	own     bool // it leads a group of its own
	whole   bool // its group ends with it
	begun   time.Time
	ended   time.Duration
	exited  chan struct{} // closed when the process was reaped
	drained chan struct{} // closed when both streams have ended
	pipes   []*os.File    // the ends we hold
	hold    *hold         // what keeps it from working, nil for nothing
}

// ending says why a child was watched no longer.
type ending uint8

const (
	byItself ending = iota
	timedOut
	cancelled
)

// start starts a command whose streams go to out and errs.
func start(ctx context.Context, c Cmd, out, errs io.Writer) (*child, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start a command: %w", err)
	}
	path, err := Look(c)
	if err != nil {
		return nil, err
	}
	if c.Dir != "" {
		// The system blames the program for a missing directory.
		if _, err := os.Stat(c.Dir); err != nil {
			return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
		}
	}
	ch := &child{
		grace: c.grace(), own: !c.SameGroup, whole: c.Whole && !c.SameGroup, exited: make(chan struct{}), drained: make(chan struct{}),
		cmd: &exec.Cmd{Path: path, Args: c.Argv, Dir: c.Dir, Env: append([]string{}, c.Env...)},
	}
	if ch.own {
		ownGroup(ch.cmd)
	}
	if c.Started != nil {
		if ch.hold, err = holdBack(ch.cmd); err != nil {
			return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
		}
	}
	if err := ch.launch(c.Stdin, out, errs); err != nil {
		ch.hold.drop()
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	if err := ch.letGo(c.Started); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	return ch, nil
}

// letGo tells of a process that is held back, and lets it work.
func (ch *child) letGo(started func(Process) error) error {
	if ch.hold == nil {
		return nil
	}
	p, err := identify(ch.cmd.Process.Pid)
	if err == nil {
		err = started(p)
	}
	if err == nil {
		err = ch.hold.release()
	}
	ch.hold.drop()
	if err != nil {
		ch.kill()
		within(ch.exited, settle)
		ch.closePipes()
	}
	return err
}

// launch connects the pipes, starts the process, and closes its ends.
func (ch *child) launch(stdin []byte, out, errs io.Writer) error {
	outR, outW, err := os.Pipe()
	if err != nil {
		return err
	}
	defer outW.Close()
	errR, errW, err := os.Pipe()
	if err != nil {
		outR.Close()
		return err
	}
	defer errW.Close()
	ch.cmd.Stdout, ch.cmd.Stderr, ch.pipes = outW, errW, []*os.File{outR, errR}
	feed, err := ch.input(stdin)
	if err == nil {
		ch.begun = time.Now()
		err = ch.cmd.Start()
	}
	if feed != nil {
		ch.cmd.Stdin.(*os.File).Close()
	}
	if err != nil {
		ch.closePipes()
		return err
	}
	go write(feed, stdin)
	go ch.read(outR, errR, out, errs)
	go ch.reap()
	return nil
}

// input opens the pipe for standard input; without input the child reads
// the null device.
func (ch *child) input(stdin []byte) (*os.File, error) {
	if len(stdin) == 0 {
		return nil, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ch.cmd.Stdin = r
	ch.pipes = append(ch.pipes, w)
	return w, nil
}

// write feeds the child; one that does not read its input is no error.
func write(w *os.File, data []byte) {
	if w == nil {
		return
	}
	_, _ = w.Write(data)
	w.Close()
}

// read copies both streams until they end.
func (ch *child) read(outR, errR *os.File, out, errs io.Writer) {
	var wg sync.WaitGroup
	wg.Go(func() { pump(out, outR) })
	wg.Go(func() { pump(errs, errR) })
	wg.Wait()
	close(ch.drained)
}

// pump copies a stream and tells the writer when it has ended.
func pump(w io.Writer, r io.Reader) {
	_, _ = io.Copy(w, r)
	if c, ok := w.(io.Closer); ok {
		c.Close()
	}
}

func (ch *child) reap() {
	_ = ch.cmd.Wait() // the state says all the error would
	ch.ended = time.Since(ch.begun)
	close(ch.exited)
}

// watch sees the child to its end. Lines, when there are any, are handed on
// one after the other; each may set a new limit, counted from then.
func (ch *child) watch(ctx context.Context, limit time.Duration, t *talk) ending {
	timer := time.NewTimer(orForever(limit))
	defer timer.Stop()
	defer ch.closePipes()
	for {
		select {
		case line := <-t.incoming():
			if more := t.line(line); more > 0 {
				timer.Reset(more)
			}
		case <-t.flooded():
			return ch.cut(t, cancelled)
		case <-timer.C:
			return ch.cut(t, timedOut)
		case <-ctx.Done():
			return ch.cut(t, reason(ctx))
		case <-ch.exited:
			if ch.whole {
				ch.kill()
			}
			ch.finish(t)
			return byItself
		}
	}
}

func orForever(d time.Duration) time.Duration {
	if d <= 0 {
		return math.MaxInt64
	}
	return d
}

func reason(ctx context.Context) ending {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return timedOut
	}
	return cancelled
}

// cut ends a running child and all of its group. A process that not even
// KILL ends (it hangs in the kernel) is waited for no longer.
func (ch *child) cut(t *talk, why ending) ending {
	t.stop()
	ch.terminate()
	if !within(ch.exited, ch.grace) {
		ch.kill()
		within(ch.exited, settle)
	}
	ch.kill() // what the leader left behind
	within(ch.drained, settle)
	return why
}

// finish collects the last output of a child that ended by itself, and ends
// leftovers that hold its pipes.
func (ch *child) finish(t *talk) {
	defer t.stop()
	if t.drain(ch.drained, settle) {
		return
	}
	ch.terminate()
	if t.drain(ch.drained, ch.grace) {
		return
	}
	ch.kill()
	t.drain(ch.drained, settle)
}

func (ch *child) closePipes() {
	for _, f := range ch.pipes {
		f.Close()
	}
}

// within waits for c, d at most.
func within(c <-chan struct{}, d time.Duration) bool {
	select {
	case <-c:
		return true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		return false
	}
}

func (ch *child) result(end ending) Result {
	r := Result{ExitCode: -1, TimedOut: end == timedOut, Cancelled: end == cancelled}
	if !within(ch.exited, 0) {
		return r
	}
	r.Duration = ch.ended
	sig, name := signalled(ch.cmd.ProcessState)
	r.Signal = name
	switch {
	case end != byItself:
	case sig > 0:
		r.ExitCode = 128 + sig
	default:
		r.ExitCode = ch.cmd.ProcessState.ExitCode()
	}
	return r
}
