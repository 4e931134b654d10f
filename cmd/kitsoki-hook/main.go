// Command kitsoki-hook is what a coding agent starts for every prompt: it
// lets pass what certainly goes to the model, and has the kitsoki beside it
// answer the rest. Usage: kitsoki-hook AGENT, with the payload on standard
// input. The status is 0, whatever happens, but for agents that are stopped by
// another one, after a checked stop.
package main

import (
	"context"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"kitsoki/runtime/hook"
)

func main() {
	hook.Harden()
	watchdog := time.AfterFunc(hook.PayloadLimit, func() { os.Exit(0) })
	os.Exit(hook.Run(hook.Program{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Environ(), Exe: os.Executable, Dir: os.Getwd,
		Now: time.Now, Rand: luck{}, Rearm: func(d time.Duration) { watchdog.Reset(d) }, Signals: signals,
	}))
}

// luck is chance that is good enough for an id that only has to differ: the
// runtime's own, seeded by the system. What guards secrets would need another.
type luck struct{}

func (luck) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(rand.Uint32())
	}
	return len(p), nil
}

// signals ends the child with us. That nobody reads our answer is no reason
// to die; the signal is caught, not ignored, since what we start would
// inherit that.
func signals() (context.Context, context.CancelFunc) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}
