package main

import (
	"fmt"
	"os"
	"time"
)

// elapsed shows on a terminal how long a command has been running, once it
// takes more than two seconds. The returned function ends it.
func (a *app) elapsed() (stop func()) {
	f, ok := a.err.(*os.File)
	if !ok || !terminal(f) {
		return func() {}
	}
	began, done, gone := a.now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if s := a.now().Sub(began); s > 2*time.Second {
					fmt.Fprintf(f, "\r… %d s ", int(s.Seconds()))
				}
			}
		}
	}()
	return func() { close(done); <-gone }
}

func terminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}
