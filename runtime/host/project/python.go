package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// pyproject is the part of pyproject.toml that is looked at.
type pyproject struct {
	Project struct {
		Scripts map[string]string `toml:"scripts"`
	} `toml:"project"`
	Tool map[string]any `toml:"tool"`
}

// lookPython: the tools that pyproject.toml configures, run by uv or Poetry
// where the project has their lock file.
func lookPython(dir, job string) (offer, bool) {
	text, ok := read(dir, "pyproject.toml")
	if !ok {
		return offer{}, false
	}
	var p pyproject
	if err := toml.Unmarshal([]byte(text), &p); err != nil {
		return offer{reason: fmt.Sprintf("pyproject.toml can't be read: %v", err)}, true
	}
	argv, reason := pythonCommand(dir, job, p)
	if reason != "" {
		return offer{reason: reason}, true
	}
	return offer{option: &option{argv[0], "pyproject.toml", argv, false}}, true
}

func pythonCommand(dir, job string, p pyproject) (argv []string, reason string) {
	run, sync := pythonRunner(dir)
	switch job {
	case "install":
		return sync, ""
	case "test":
		return append(run, "pytest"), ""
	case "build":
		return append(pythonModule(run), "build"), ""
	case "lint":
		return configured(run, p, map[string][]string{"ruff": {"ruff", "check"}, "flake8": {"flake8"}, "pylint": {"pylint", "."}}, job)
	case "format":
		return configured(run, p, map[string][]string{"ruff": {"ruff", "format"}, "black": {"black", "."}}, job)
	}
	var scripts []string
	for name := range p.Project.Scripts {
		scripts = append(scripts, name)
	}
	slices.Sort(scripts)
	switch len(scripts) {
	case 1:
		if run[0] == "python3" { // an installed script stands on the PATH
			return scripts, ""
		}
		return append(run, scripts[0]), ""
	case 0:
		return nil, "pyproject.toml declares no script to run"
	}
	return nil, "pyproject.toml declares several scripts: " + strings.Join(scripts, ", ")
}

// configured takes the only tool of a job that the project configures.
func configured(run []string, p pyproject, known map[string][]string, job string) (argv []string, reason string) {
	var found []string
	for name := range known {
		if _, ok := p.Tool[name]; ok {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	switch len(found) {
	case 1:
		return append(run, known[found[0]]...), ""
	case 0:
		return nil, "pyproject.toml configures no tool to " + job + " with"
	}
	return nil, "pyproject.toml configures several tools to " + job + " with: " + strings.Join(found, ", ")
}

// pythonRunner is what stands before a tool, and what installs a project's
// dependencies.
func pythonRunner(dir string) (run, sync []string) {
	switch {
	case exists(dir, "uv.lock"):
		return []string{"uv", "run"}, []string{"uv", "sync"}
	case exists(dir, "poetry.lock"):
		return []string{"poetry", "run"}, []string{"poetry", "install"}
	}
	return []string{"python3", "-m"}, []string{"python3", "-m", "pip", "install", "-e", "."}
}

// pythonModule runs a module with the project's own interpreter.
func pythonModule(run []string) []string {
	if run[0] == "python3" {
		return run
	}
	return append(run, "python3", "-m")
}
