//go:build !unix

package main

// noCore does nothing where a crash leaves no core file.
func noCore() {}
