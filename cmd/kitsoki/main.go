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
	debug.SetPanicOnFault(true) // a fault in a mapped file becomes a panic
	debug.SetTraceback("crash") // what cannot be recovered aborts: status 134, never 2
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, args: os.Args[1:], env: os.Getenv, environ: os.Environ(),
		getwd: os.Getwd, exe: os.Executable, now: time.Now, rand: rand.Reader,
	}
	code := a.run(ctx)
	stop()
	os.Exit(code)
}
