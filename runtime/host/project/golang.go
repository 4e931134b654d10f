package project

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// lookGo: the go command's own ways.
func lookGo(dir, job string) (offer, bool) {
	if !exists(dir, "go.mod") {
		return offer{}, false
	}
	argv := map[string][]string{
		"test": {"go", "test", "./..."}, "lint": {"go", "vet", "./..."}, "format": {"gofmt", "-l", "-w", "."},
		"build": {"go", "build", "./..."}, "install": {"go", "mod", "download"},
	}[job]
	if job != "run" {
		return offer{option: &option{"go", "go.mod", argv, false}}, true
	}
	switch programs := goPrograms(dir); len(programs) {
	case 1:
		return offer{option: &option{"go", "go.mod", []string{"go", "run", programs[0]}, false}}, true
	case 0:
		return offer{reason: "this Go module has no main package at its root or in cmd"}, true
	default:
		return offer{reason: "this Go module has several programs: " + strings.Join(programs, ", ")}, true
	}
}

// goPrograms are the main packages at the root and right below cmd.
func goPrograms(dir string) []string {
	var out []string
	if isMain(dir) {
		out = append(out, ".")
	}
	entries, err := os.ReadDir(filepath.Join(dir, "cmd"))
	if err != nil {
		return out
	}
	for _, e := range entries {
		if e.IsDir() && isMain(filepath.Join(dir, "cmd", e.Name())) {
			out = append(out, "./cmd/"+e.Name())
		}
	}
	return out
}

// isMain tells whether a directory's Go files, tests aside, are a program.
func isMain(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return false
	}
	clause := regexp.MustCompile(`(?m)^package main\b`)
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		if text, ok := read(filepath.Dir(f), filepath.Base(f)); ok && clause.MatchString(text) {
			return true
		}
	}
	return false
}
