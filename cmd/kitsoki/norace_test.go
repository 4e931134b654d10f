//go:build !race

package main

const sparse = false
