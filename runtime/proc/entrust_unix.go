//go:build unix

package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// The files of an entrusted program beyond the standard ones, which are the
// null device.
const (
	lifelineFD = 3
	answerFD   = 4
)

// Entrust starts a program that answers for itself, in a session of its own,
// and gives it a request. What it answers is returned, maxAnswer bytes at most;
// an error says that it did not start, or that ctx has ended and patience too.
// The program is never ended by us: it notices that we are gone, or ctx has
// ended, by the end of its lifeline.
func Entrust(ctx context.Context, c Cmd, request []byte, patience time.Duration) (answer []byte, err error) {
	path, err := Look(c)
	if err != nil {
		return nil, err
	}
	lifeR, lifeW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer lifeW.Close()
	answerR, answerW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, lifeR.Close())
	}
	defer answerR.Close()
	cmd := &exec.Cmd{Path: path, Args: c.Argv, Dir: c.Dir, Env: c.Env, ExtraFiles: []*os.File{lifeR, answerW}}
	ownGroup(cmd)
	err = cmd.Start()
	lifeR.Close()
	answerW.Close()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	go func() { _ = cmd.Wait() }() // so that it leaves no zombie while we live
	if _, err := lifeW.Write(append(request, '\n')); err != nil {
		return nil, fmt.Errorf("asking %s: %w", c.Argv[0], err)
	}
	return heard(ctx, answerR, func() time.Duration {
		lifeW.Close()
		return patience
	})
}

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 4 << 20

// heard reads to the end of the answer, or of our patience, which begins when
// ctx ends and we hang up.
func heard(ctx context.Context, r io.Reader, hangUp func() time.Duration) ([]byte, error) {
	type said struct {
		data []byte
		err  error
	}
	c := make(chan said, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, maxAnswer))
		c <- said{data, err}
	}()
	select {
	case s := <-c:
		return s.data, s.err
	case <-ctx.Done():
	}
	patience := time.NewTimer(hangUp())
	defer patience.Stop()
	select {
	case s := <-c:
		return s.data, s.err
	case <-patience.C:
		return nil, context.Cause(ctx)
	}
}

// Entrusted is the entrusted program's side: the request comes from Lifeline,
// one line, and its end says that nobody waits any more; what is written to
// Answer is heard as long as somebody does. Programs started from here inherit
// neither. It fails in a program that was not started by Entrust.
func Entrusted() (lifeline, answer *os.File, err error) {
	for _, fd := range []int{lifelineFD, answerFD} {
		var st syscall.Stat_t
		if err := syscall.Fstat(fd, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFIFO {
			return nil, nil, errors.New("this is started by kitsoki itself, for a command that it has taken")
		}
		syscall.CloseOnExec(fd)
	}
	return os.NewFile(lifelineFD, "lifeline"), os.NewFile(answerFD, "answer"), nil
}
