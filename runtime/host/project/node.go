package project

import (
	"encoding/json"
	"fmt"
	"strings"
)

// manifest is the part of package.json that is looked at.
type manifest struct {
	PackageManager string            `json:"packageManager"`
	Scripts        map[string]string `json:"scripts"`
}

// lookNode: a script of package.json, run by the package manager that the
// project names or whose lock file it has.
func lookNode(dir, job string) (offer, bool) {
	text, ok := read(dir, "package.json")
	if !ok {
		return offer{}, false
	}
	var m manifest
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return offer{reason: fmt.Sprintf("package.json can't be read: %v", err)}, true
	}
	manager, reason := packageManager(dir, m)
	if job == "install" && reason == "" {
		return offer{option: &option{manager, "package.json", []string{manager, "install"}, true}}, true
	}
	for _, script := range nodeScripts(job) {
		if body := m.Scripts[script]; body == "" || strings.Contains(body, "no test specified") {
			continue
		}
		if reason != "" {
			return offer{reason: reason}, true
		}
		return offer{option: &option{manager, "package.json", []string{manager, "run", script}, true}}, true
	}
	if job == "install" {
		return offer{reason: reason}, true
	}
	return offer{}, true
}

func nodeScripts(job string) []string {
	switch job {
	case "format":
		return []string{"format", "fmt"}
	case "run":
		return []string{"dev", "start", "serve"}
	case "install":
		return nil
	}
	return []string{job}
}

// packageManager is the one that packageManager names, else that of the lock
// file, else npm. Two lock files are not chosen between.
func packageManager(dir string, m manifest) (name, reason string) {
	if name, _, _ := strings.Cut(m.PackageManager, "@"); known(name) {
		return name, ""
	}
	var found []string
	for _, l := range []struct{ file, manager string }{
		{"package-lock.json", "npm"},
		{"npm-shrinkwrap.json", "npm"},
		{"pnpm-lock.yaml", "pnpm"},
		{"yarn.lock", "yarn"},
		{"bun.lock", "bun"},
		{"bun.lockb", "bun"},
	} {
		if exists(dir, l.file) && (len(found) == 0 || found[len(found)-1] != l.manager) {
			found = append(found, l.manager)
		}
	}
	switch len(found) {
	case 0:
		return "npm", ""
	case 1:
		return found[0], ""
	}
	return "", "there are lock files of several package managers: " + strings.Join(found, ", ")
}

func known(manager string) bool {
	switch manager {
	case "npm", "pnpm", "yarn", "bun":
		return true
	}
	return false
}
