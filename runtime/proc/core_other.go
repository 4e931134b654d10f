//go:build !unix

package proc

// NoCore does nothing where a crash leaves no core file.
func NoCore() {}
