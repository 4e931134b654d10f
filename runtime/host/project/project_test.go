package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files writes a directory of files.
func files(t *testing.T, list map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range list {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	t.Parallel()
	makefile := ".PHONY: test lint\nVERSION := 1\ntest: build\n\tgo test\nfmt format:\n\tgofmt\nlint : x\ninstall:\n\tcp x /usr/bin\ndev: ; ./x\n"
	node := `{"scripts": {"test": "jest", "lint": "eslint .", "start": "node .", "build": "tsc"}}`
	python := "[project.scripts]\nserve = \"x:y\"\n[tool.ruff]\nline-length = 100\n[tool.black]\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  map[string]string // job → command, or "- " and part of the reason
	}{
		"make": {
			map[string]string{"Makefile": makefile},
			map[string]string{"test": "make test", "lint": "make lint", "format": "make format", "run": "make dev", "build": "- no build command", "install": "- no install command"},
		},
		"npm": {
			map[string]string{"package.json": node},
			map[string]string{"test": "npm run test", "lint": "npm run lint", "build": "npm run build", "run": "npm run start", "install": "npm install", "format": "- no format command"},
		},
		"pnpm":                {map[string]string{"package.json": node, "pnpm-lock.yaml": ""}, map[string]string{"test": "pnpm run test", "install": "pnpm install"}},
		"yarn, named":         {map[string]string{"package.json": `{"packageManager": "yarn@4.1.0", "scripts": {"dev": "x"}}`, "package-lock.json": ""}, map[string]string{"run": "yarn run dev"}},
		"two managers":        {map[string]string{"package.json": node, "yarn.lock": "", "package-lock.json": ""}, map[string]string{"test": "- several package managers: npm, yarn", "install": "- several package managers"}},
		"npm's own stub":      {map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`}, map[string]string{"test": "- no test command"}},
		"broken package.json": {map[string]string{"package.json": "{"}, map[string]string{"test": "- package.json can't be read"}},
		"go": {
			map[string]string{"go.mod": "module x\n", "main.go": "// A program.\npackage main\n"},
			map[string]string{"test": "go test ./...", "lint": "go vet ./...", "format": "gofmt -l -w .", "build": "go build ./...", "install": "go mod download", "run": "go run ."},
		},
		"go, one program":      {map[string]string{"go.mod": "module x\n", "cmd/x/main.go": "package main\n", "x.go": "package x\n"}, map[string]string{"run": "go run ./cmd/x"}},
		"go, several programs": {map[string]string{"go.mod": "module x\n", "cmd/x/main.go": "package main\n", "cmd/y/main.go": "package main\n"}, map[string]string{"run": "- several programs: ./cmd/x, ./cmd/y"}},
		"go, no program":       {map[string]string{"go.mod": "module x\n", "x_test.go": "package main\n"}, map[string]string{"run": "- no main package"}},
		"cargo": {
			map[string]string{"Cargo.toml": "[package]\nname = \"x\"\n"},
			map[string]string{"test": "cargo test", "lint": "cargo clippy", "format": "cargo fmt", "build": "cargo build", "install": "cargo fetch", "run": "cargo run"},
		},
		"python": {
			map[string]string{"pyproject.toml": python},
			map[string]string{"test": "python3 -m pytest", "lint": "python3 -m ruff check", "format": "- several tools to format with: black, ruff", "build": "python3 -m build", "install": "python3 -m pip install -e .", "run": "serve"},
		},
		"uv":                    {map[string]string{"pyproject.toml": python, "uv.lock": ""}, map[string]string{"test": "uv run pytest", "build": "uv run python3 -m build", "install": "uv sync", "run": "uv run serve"}},
		"poetry":                {map[string]string{"pyproject.toml": "[tool.poetry]\n", "poetry.lock": ""}, map[string]string{"test": "poetry run pytest", "install": "poetry install", "run": "- declares no script", "lint": "- configures no tool to lint"}},
		"broken pyproject":      {map[string]string{"pyproject.toml": "= ="}, map[string]string{"test": "- pyproject.toml can't be read"}},
		"declared wins":         {map[string]string{"Makefile": makefile, "go.mod": "module x\n"}, map[string]string{"test": "make test", "build": "go build ./..."}},
		"two that are declared": {map[string]string{"Makefile": makefile, "package.json": node}, map[string]string{"test": "- several test commands: make test (Makefile), npm run test (package.json)", "build": "npm run build"}},
		"two conventions":       {map[string]string{"go.mod": "module x\n", "Cargo.toml": "\n"}, map[string]string{"test": "- several test commands"}},
		"nothing":               {map[string]string{"README": ""}, map[string]string{"test": "- there is no Makefile"}},
	} {
		dir := files(t, c.files)
		for job, want := range c.want {
			f := Find(dir, "", job)
			reason, refused := strings.CutPrefix(want, "- ")
			switch {
			case refused && (len(f.Argv) > 0 || !strings.Contains(f.Reason, reason)):
				t.Errorf("%s, %s: expected none since %q, observed %+v", name, job, reason, f)
			case !refused && (f.Command() != want || f.Dir != dir || f.Reason != "" || f.Tool == ""):
				t.Errorf("%s, %s: expected %q, observed %+v", name, job, want, f)
			}
		}
	}
}

// TestFindUpwards: the nearest project within the repository.
func TestFindUpwards(t *testing.T) {
	t.Parallel()
	root := files(t, map[string]string{"go.mod": "module x\n", "web/package.json": `{"scripts": {"test": "x"}}`, "web/src/a.js": "", "doc/a.md": ""})
	for at, want := range map[string]string{"": "go test ./...", "doc": "go test ./...", "web": "npm run test", "web/src": "npm run test"} {
		if f := Find(filepath.Join(root, at), root, "test"); f.Command() != want {
			t.Errorf("%s: expected %q, observed %+v", at, want, f)
		}
	}
	if f := Find(filepath.Join(root, "doc"), "", "test"); len(f.Argv) > 0 {
		t.Errorf("outside of a repository: expected nothing above the directory, observed %+v", f)
	}
	if f := Find(filepath.Join(root, "doc"), filepath.Join(root, "doc"), "test"); len(f.Argv) > 0 {
		t.Errorf("expected nothing above the repository, observed %+v", f)
	}
}
