//go:build race

package main

// sparse: under the race detector, which slows every process down, the kill
// matrix is a sample.
const sparse = true
