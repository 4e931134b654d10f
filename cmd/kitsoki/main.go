// Command kitsoki compiles stories and runs what they declare. The command
// is a value with everything it reads injected; main only fills it in.
package main

import (
	"context"
	"crypto/rand"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

func main() {
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, args: os.Args[1:], env: os.Getenv, environ: os.Environ(),
		getwd: os.Getwd, exe: os.Executable, uid: os.Geteuid(), now: time.Now, rand: rand.Reader,
	}
	os.Exit(guarded(a))
}

// guarded runs the program so that its death is never status 2, which means
// "block and erase" to Claude Code: a fault in a mapped file becomes a panic,
// a panic is recovered, and what cannot be recovered aborts. A reader that
// has gone is an error like another; notified, not ignored, since programs
// that we start would inherit that.
func guarded(a *app) int {
	debug.SetPanicOnFault(true)
	debug.SetTraceback("crash")
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return a.run(ctx)
}
