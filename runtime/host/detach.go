package host

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"kitsoki/runtime/proc"
)

// settled is how long a command without a ready text must be alive to count
// as running: most that can't start say so sooner.
const settled = 2 * time.Second

// logShown is how much of a log is handed on, in bytes, from its end.
const logShown = 64 << 10

// leave starts a command that goes on when we are gone, and waits until it is
// ready. What it said until then is the result's output.
func leave(ctx context.Context, cmd proc.Cmd, args map[string]any, env Env) (proc.Result, map[string]any, error) {
	text, err := str(args, "ready")
	if err != nil {
		return proc.Result{}, nil, failf(runName, "%v", err)
	}
	log, err := createLog(env.Logs, cmd.Argv[0])
	if err != nil {
		return proc.Result{}, nil, failf(runName, "no log for a command that goes on: %v", err)
	}
	defer log.Close()
	d := proc.Detach(ctx, cmd, log, func(said []byte, running time.Duration) bool {
		if text == "" {
			return running >= settled
		}
		return bytes.Contains(said, []byte(text))
	})
	if d.Result.Err != nil {
		_ = os.Remove(log.Name())
		return proc.Result{}, nil, failf(runName, "%v", d.Result.Err)
	}
	d.Result.Output = tail(log.Name())
	d.Result.Stdout = d.Result.Output
	out := runResult(d.Result)
	out["pid"], out["log"] = d.PID, log.Name()
	return d.Result, out, nil
}

// createLog makes a file for a command's output that nobody else can read.
func createLog(dir, program string) (*os.File, error) {
	if dir == "" {
		return nil, errors.New("neither XDG_STATE_HOME nor HOME is set")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.CreateTemp(dir, filepath.Base(program)+"-*.log")
}

// tail is the end of a log, from the beginning of a line.
func tail(path string) []byte {
	data, err := os.ReadFile(path)
	if err != nil || len(data) <= logShown {
		return data
	}
	data = data[len(data)-logShown:]
	return data[bytes.IndexByte(data, '\n')+1:]
}
