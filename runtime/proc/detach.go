package proc

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// lookEvery is how often a detached command is looked at until it is ready.
const lookEvery = 50 * time.Millisecond

// Detached is a command that was left running. PID leads a session and a
// process group of its own: ending the group ends what it started. When the
// command ended before it was ready, PID is 0 and Result says how; the Result
// holds no output: that is in the log.
type Detached struct {
	PID    int
	Result Result
}

// Detach starts a command that is to outlive us. Both its streams go to the
// log, which the caller closes; its input is empty. Ready
// is asked again and again whether the command is ready, with what the log
// holds; a command that is not ready by its Timeout, or the context's end, is
// ended with its group and counts as timed out or cancelled.
func Detach(ctx context.Context, c Cmd, log *os.File, ready func(log []byte, running time.Duration) bool) Detached {
	ch, err := leave(ctx, c, log)
	if err != nil {
		return Detached{Result: Result{Err: err, ExitCode: -1}}
	}
	timer := time.NewTimer(orForever(c.Timeout))
	defer timer.Stop()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ch.exited:
			return Detached{Result: ch.result(byItself)}
		case <-timer.C:
			return Detached{Result: ch.result(ch.cut(nil, timedOut))}
		case <-ctx.Done():
			return Detached{Result: ch.result(ch.cut(nil, reason(ctx)))}
		case <-tick.C:
			if text, err := os.ReadFile(log.Name()); err == nil && ready(text, time.Since(ch.begun)) && !within(ch.exited, 0) {
				return Detached{PID: ch.cmd.Process.Pid, Result: Result{Duration: time.Since(ch.begun)}}
			}
		}
	}
}

// leave starts a command with its streams in a file.
func leave(ctx context.Context, c Cmd, log *os.File) (*child, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start a command: %w", err)
	}
	path, err := Look(c)
	if err != nil {
		return nil, err
	}
	ch := &child{
		grace: c.grace(), own: true, exited: make(chan struct{}), drained: make(chan struct{}),
		cmd: &exec.Cmd{Path: path, Args: c.Argv, Dir: c.Dir, Env: append([]string{}, c.Env...), Stdout: log, Stderr: log},
	}
	close(ch.drained) // there is nothing for us to read
	ownGroup(ch.cmd)
	ch.begun = time.Now()
	if err := ch.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	go ch.reap()
	return ch, nil
}
