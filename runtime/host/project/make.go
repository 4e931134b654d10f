package project

import (
	"regexp"
	"slices"
)

// lookMake: a target that bears the job's name. "install" puts a program into
// the system by convention, so that what installs dependencies must be called
// so.
func lookMake(dir, job string) (offer, bool) {
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		text, ok := read(dir, name)
		if !ok {
			continue
		}
		targets := makeTargets(text)
		for _, want := range makeNames(job) {
			if slices.Contains(targets, want) {
				return offer{option: &option{"make", name, []string{"make", want}, true}}, true
			}
		}
		return offer{}, true
	}
	return offer{}, false
}

func makeNames(job string) []string {
	switch job {
	case "test":
		return []string{"test", "tests", "check"}
	case "format":
		return []string{"format", "fmt"}
	case "install":
		return []string{"deps", "dependencies", "install-deps", "bootstrap"}
	case "run":
		return []string{"run", "start", "serve", "dev"}
	}
	return []string{job}
}

// makeTargets are the explicit targets that begin a line.
func makeTargets(text string) []string {
	rule := regexp.MustCompile(`(?m)^([A-Za-z][\w-]*(?:[ \t]+[A-Za-z][\w-]*)*)[ \t]*::?(?:[^=:]|$)`)
	var out []string
	for _, m := range rule.FindAllStringSubmatch(text, -1) {
		out = append(out, regexp.MustCompile(`[\w-]+`).FindAllString(m[1], -1)...)
	}
	return out
}
